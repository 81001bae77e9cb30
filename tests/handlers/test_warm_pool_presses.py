"""What a button does to a pool, against the simulator on a stepped clock: once, within limits, for whom it may."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.switches import Switches
from tests.handlers.pool_world import MINUTE
from tests.handlers.press_world import PressWorld, allow, answer, press, press_world
from trainops.domain.presses import PressState
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import PoolState

HOLD = "trainops:hold-until"


def idle(*, keep_alive: int = 1800, minutes: int = 15, **chosen: Any) -> PressWorld:
    """A job of about 13 minutes, whose pool is idle for the rest; it would be kept as long as was asked for."""
    w = press_world(**{"idle_limit": timedelta(hours=6), **chosen})
    w.run(keep_alive=keep_alive)
    w.pass_time(minutes=minutes)
    assert (w.status(), w.pool().confirmed) == ("Available", True)
    return w


def observing(**more: Any) -> PressWorld:
    return idle(mode=Mode.OBSERVE, **more)


@pytest.mark.parametrize("make", [idle, observing])
def test_stop_ends_the_pool_at_once_whether_its_team_enforces_or_observes(make: Any) -> None:
    w = make()
    said = answer(w, allow(w, press(w, "stop")))
    assert said == "The warm pool of job-1 was ended."
    assert (w.status(), w.pool().state) == ("Terminated", PoolState.ENDED)
    assert w.news() == ["Warm Pool Ended job-1"]
    assert "stopped by U0MEMBER in Slack" in w.pool().news["Ended"].reason
    [record] = w.presses.items.values()
    assert (record.state, record.said, record.person) == (PressState.DONE, said, "vision-oncall@example.com")


@pytest.mark.parametrize("make", [idle, observing])
def test_extend_keeps_the_pool_half_an_hour_longer_than_it_would_have_lived(make: Any) -> None:
    w = make()
    before = w.pool().expires
    said = answer(w, allow(w, press(w, "extend")))
    assert f"until {before + 30 * MINUTE:%Y-%m-%d %H:%M} UTC" in said
    assert (w.pool().expires, w.pool().wanted_until) == (before + 30 * MINUTE, before + 30 * MINUTE)
    w.pass_time(10, minutes=(before - w.now) / MINUTE + 29)
    assert w.status() == "Available"
    w.pass_time(10, minutes=3)
    assert w.status() == "Terminated"


def test_extend_overrules_the_plan_of_an_enforcing_team() -> None:
    w = idle(idle_limit=10 * MINUTE, keep_alive=3000)
    before = w.pool().expires
    answer(w, allow(w, press(w, "extend")))
    w.pass_time(10, minutes=40)
    assert w.status() == "Available", "its limit of ten minutes is over"
    assert w.pool().plan.reason.startswith("kept until")  # type: ignore[union-attr]
    assert w.pool().wanted_until == min(before + 30 * MINUTE, w.pool().ended + timedelta(days=1))


@pytest.mark.parametrize("counts_from", ["end", "now"])
def test_hold_tags_the_job_and_keeps_the_pool_in_steps_that_the_team_may_ask_for(counts_from: Any) -> None:
    w = observing()
    w.bench.simulator.switches = Switches(keep_alive_update_counts_from=counts_from)
    until = w.now + timedelta(hours=4)
    said = answer(w, allow(w, press(w, "hold", until=until)))
    assert "SageMaker takes no longer period at once" in said
    arn = w.bench.describe()["TrainingJobArn"]
    assert {"Key": HOLD, "Value": f"{until:%Y-%m-%dT%H:%MZ}"} in w.bench.call("ListTags", ResourceArn=arn)["Tags"]
    assert w.pool().keep_alive == timedelta(hours=1), "the longest of its team"
    assert w.news() == [], "the answer is enough"
    w.pass_time(30, minutes=110)
    assert w.status() == ("Available" if counts_from == "now" else "Terminated")


def test_a_hold_beyond_the_teams_longest_is_cut_and_that_is_said() -> None:
    w = idle(longest_hold=timedelta(minutes=50))
    ended = w.pool().ended
    said = answer(w, allow(w, press(w, "hold", until=w.now + timedelta(days=3))))
    assert said.endswith("Team default allows no more.")
    assert w.pool().wanted_until == ended + timedelta(minutes=50)


def test_a_hold_whose_time_is_over_does_nothing() -> None:
    w = idle()
    assert "That time is over" in answer(w, allow(w, press(w, "hold", until=w.now - MINUTE)))
    assert w.client.count("UpdateTrainingJob") == w.client.count("AddTags") == 0


def test_a_press_that_comes_again_extends_no_further_and_is_answered_once() -> None:
    w = idle()
    pressed = allow(w, press(w, "extend"))
    answer(w, pressed)
    until = w.pool().expires
    for _ in range(3):
        w.pass_time(minutes=1)
        answer(w, pressed)
    assert (w.pool().expires, w.client.count("UpdateTrainingJob"), len(w.answers.sent)) == (until, 1, 1)


def test_a_crash_after_the_extension_leads_to_the_same_end() -> None:
    w = idle()
    pressed = allow(w, press(w, "extend"))
    put = w.pools.put_pool

    def dies(_pool: Any) -> Any:
        raise KeyboardInterrupt

    w.pools.put_pool = dies  # type: ignore[assignment, method-assign]
    w.queue.send([pressed.to_message()])
    with pytest.raises(KeyboardInterrupt):
        w.settle()
    w.pools.put_pool = put  # type: ignore[method-assign]
    before = w.pool().expires
    answer(w, pressed)
    assert w.pool().expires == before + 30 * MINUTE
    assert w.bench.describe()["ResourceConfig"]["KeepAlivePeriodInSeconds"] == 3600


def test_a_double_click_is_one_extension_and_a_later_press_is_another() -> None:
    w = idle(keep_alive=600, longest_keep_alive=timedelta(hours=6))
    before = w.pool().expires
    answer(w, allow(w, press(w, "extend", number=1)))
    assert "was extended a moment ago" in answer(w, allow(w, press(w, "extend", number=2)))
    assert w.pool().expires == before + 30 * MINUTE
    w.pass_time(minutes=2)
    answer(w, allow(w, press(w, "extend", number=3)))
    assert w.pool().expires == before + 60 * MINUTE


def test_while_the_kill_switch_is_on_nothing_is_done_and_the_person_hears_it() -> None:
    w = idle()
    w.kill_switch.on = True
    assert "trainops is paused" in answer(w, allow(w, press(w, "stop")))
    assert (w.status(), w.client.count("UpdateTrainingJob")) == ("Available", 0)


def test_a_press_that_nobody_allowed_does_nothing() -> None:
    w = idle()
    w.queue.send([press(w, "stop").to_message()])
    allow(w, press(w, "stop", number=2), state=PressState.REFUSED)
    w.queue.send([press(w, "stop", number=2).to_message()])
    w.settle()
    assert (w.status(), w.answers.sent, w.client.count("UpdateTrainingJob")) == ("Available", [], 0)


def test_a_press_allowed_for_another_team_does_nothing() -> None:
    w = idle()
    assert "is not a job of team other any more" in answer(w, allow(w, press(w, "stop"), team="other"))
    assert w.client.count("UpdateTrainingJob") == 0


def test_a_pool_that_a_job_took_is_left_to_it() -> None:
    w = idle()
    w.run("job-2", keep_alive=1800)
    w.pass_time(minutes=1)
    assert "job-2 has taken it" in answer(w, allow(w, press(w, "stop")))
    assert w.client.count("UpdateTrainingJob") == 0


@pytest.mark.case("CK-06")
def test_no_button_stops_a_job_and_the_answer_states_how_long_a_stopped_one_has() -> None:
    """A job with a checkpoint of 5 GB that was never written: a stop would lose it, so a press ends pools only."""
    w = press_world()
    w.run(keep_alive=1800, CheckpointConfig={"S3Uri": "s3://bucket/vision/exp-1/"})
    w.pass_time(minutes=6)
    said = answer(w, allow(w, press(w, "stop")))
    assert "job-1 is still InProgress, so there is no idle pool and nothing was done." in said
    assert "gets SIGTERM and then 120 seconds, too few for a large checkpoint that is only written then" in said
    assert w.bench.describe()["TrainingJobStatus"] == "InProgress"
    assert not {name for name, _ in w.client.asked} & {"StopTrainingJob", "UpdateTrainingJob"}
