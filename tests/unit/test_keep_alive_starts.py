"""What reusing a pool saves is measured from the team's own starts, once there are enough of both kinds."""

from datetime import timedelta

import pytest

from tests.builders import CREATED, at, job
from tests.unit.keep_alive import KEY, LONGEST, TEAM
from trainops.domain.job_figures import observed_start
from trainops.domain.job_phases import Phases
from trainops.domain.keep_alive_economics import ASSUMED_SAVING
from trainops.domain.keep_alive_history import History, learn
from trainops.domain.keep_alive_items import team_history, team_item
from trainops.domain.keep_alive_lessons import JobEnded
from trainops.domain.keep_alive_starts import REMEMBERED, ObservedStart, Starts

SECOND = timedelta(seconds=1)


def of(*waited: int, warm: bool = False, billed: int | None = None) -> list[ObservedStart]:
    return [ObservedStart(warm, wait * SECOND, None if billed is None else billed * SECOND) for wait in waited]


def known(*starts: ObservedStart) -> Starts:
    found = Starts()
    for start in starts:
        found = found.with_start(start)
    return found


def test_the_saving_is_the_difference_of_the_medians() -> None:
    cold, warm = of(300, 310, 320, 900, 10, billed=100), of(20, 30, 40, 50, 10, warm=True, billed=20)
    saving = known(*cold, *warm).saving()
    assert (saving.waited, saving.billed) == (280 * SECOND, 80 * SECOND)
    assert saving.source == "median of 5 cold and 5 warm"


@pytest.mark.parametrize(("cold", "warm"), [(4, 50), (50, 4), (0, 0)])
def test_too_few_starts_of_either_kind_measure_nothing(cold: int, warm: int) -> None:
    saving = known(*of(*[300] * cold), *of(*[10] * warm, warm=True)).saving()
    assert (saving.waited, saving.source) == (ASSUMED_SAVING, "assumed")


def test_only_recent_starts_are_remembered() -> None:
    found = known(*of(*range(REMEMBERED + 7)), *of(*range(REMEMBERED + 9), warm=True))
    assert [start.waited for start in found.cold][:1] == [7 * SECOND]
    assert (len(found.cold), len(found.warm)) == (REMEMBERED, REMEMBERED)


def test_a_start_is_learned_once_with_its_jobs_end_and_comes_back_from_the_item() -> None:
    starts = [*of(*range(300, 305), billed=60), *of(*range(10, 15), warm=True)]
    ends = [JobEnded(KEY, TEAM, at(number), start=start) for number, start in enumerate(starts)]
    once = learn(History(), ends, at(60), LONGEST)
    twice = learn(once, ends, at(61), LONGEST)
    assert twice.teams[TEAM].starts == known(*starts)
    assert once.saving(TEAM).waited == 290 * SECOND
    assert once.saving("speech").source == "assumed"
    assert team_history(team_item(once.teams[TEAM]), 0) == once.teams[TEAM]


def test_an_item_from_before_starts_were_remembered_is_read() -> None:
    item = {"gaps": team_item(learn(History(), [JobEnded(KEY, TEAM, at(1))], at(99), LONGEST).teams[TEAM])["gaps"]}
    assert team_history(item, 3).starts == Starts()


def test_a_start_lasts_until_the_training_and_is_billed_from_the_training_start_time_on() -> None:
    ended = job(phases=Phases(training_began=at(3)))
    assert observed_start(ended, warm=False) == ObservedStart(warm=False, waited=at(3) - CREATED, billed=at(3) - at(2))
    assert observed_start(ended, warm=None) is None
    assert observed_start(job(phases=Phases()), warm=True) is None
