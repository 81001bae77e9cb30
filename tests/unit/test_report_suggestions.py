"""What a weekly report suggests, what it is worth, and when it keeps still."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.builders import arn, at, job, price, record
from trainops.domain.job_phases import Phases
from trainops.domain.job_records import JobRecord
from trainops.domain.report_suggestions import suggestions_for, worth_text
from trainops.domain.report_weeks import Week
from trainops.domain.start_latency import Start
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pools import PoolRecord, PoolState, opened
from trainops.domain.weekly_reports import Suggestion, TeamWeek

WEEK = Week(at(-60), at(7 * 24 * 60))
MINUTE = timedelta(minutes=1)


def ran(
    number: int, *, begins: float | None = None, minutes: float = 30, usd: str | None = "60", **fields: Any
) -> JobRecord:
    """Job number so and so: created at a minute, ended so many later, at $60 an instance-hour."""
    created = at(number * 240 if begins is None else begins)
    times = {"started": created, "ended": created + minutes * MINUTE}
    known: dict[str, Any] = {
        "key": JobKey.of(arn(f"job-{number}"), created),
        **times,
        "match_fingerprint": "abc",
        **fields,
    }
    return record(job(f"job-{number}", **known), price=price(usd) if usd else None)


def suggested(*records: JobRecord, **given: Any) -> list[Suggestion]:
    return suggestions_for(TeamWeek(team="vision", week=WEEK, records=records, **given))


@pytest.mark.parametrize(("minutes", "worth"), [(4.9, None), (5, Decimal(5))])
def test_file_mode_on_large_data_is_worth_the_billed_download(minutes: float, worth: Decimal | None) -> None:
    found = suggested(ran(1, input_mode="FastFile+File", phases=Phases(downloading=minutes * MINUTE)))
    assert [item.worth_usd for item in found] == ([worth] if worth else [])
    if worth:
        assert found[0].reason == "1 job in file mode copied data for 5 min before training"
        assert "FastFile" in found[0].step
        assert "FSx" in found[0].step


def test_a_fast_file_job_is_left_alone_and_a_spot_jobs_download_costs_what_spot_is_billed() -> None:
    long = Phases(downloading=10 * MINUTE)
    assert suggested(ran(1, input_mode="FastFile", phases=long)) == []
    spot: dict[str, Any] = {
        "spot": True,
        "training_time": timedelta(seconds=500),
        "billable_time": timedelta(seconds=100),
    }
    [found] = suggested(ran(1, input_mode="File", phases=long, **spot))
    assert found.worth_usd == Decimal(2), "a fifth of ten dollars"


def started(*records: JobRecord, warm: bool, seconds: float) -> dict[JobKey, Start]:
    return {item.job.key: Start(timedelta(seconds=seconds), warm) for item in records}


def alternating(images: str) -> list[JobRecord]:
    return [ran(number, image=image, keep_alive=timedelta(hours=1)) for number, image in enumerate(images)]


def test_another_image_is_worth_what_the_teams_own_warm_starts_took_longer_with_one() -> None:
    records = alternating("aaaabcd")
    starts = started(*records[1:4], warm=True, seconds=30) | started(*records[4:], warm=True, seconds=90)
    [found] = suggested(*records, starts=starts)
    assert found.reason == "3 warm starts took a pool after a job with another image, and each took 1 min longer"
    assert found.worth_usd == Decimal(3 * (1 + 1)), "a minute of waiting and one of the instance, each $1"


def test_what_another_image_costs_is_unknown_while_there_is_nothing_to_compare_with() -> None:
    records = alternating("abcd")
    [found] = suggested(*records, starts=started(*records, warm=True, seconds=90))
    assert (found.worth_usd, worth_text(found)) == (None, "what it is worth is unknown")


def test_images_that_cost_nothing_more_or_start_cold_anyway_are_no_news() -> None:
    records = alternating("aaaabcd")
    assert suggested(*records, starts=started(*records, warm=True, seconds=30)) == []
    assert suggested(*records, starts=started(*records, warm=False, seconds=30)) == []


def pool(number: int, state: PoolState = PoolState.EXPIRED) -> PoolRecord:
    left = opened(ran(number, keep_alive=timedelta(hours=1)))
    return replace(left, state=state, released=left.ended + 20 * MINUTE)


def test_pools_that_no_job_ever_takes_are_worth_what_they_idled() -> None:
    [found] = suggested(pools=[pool(number) for number in range(3)])
    assert found.worth_usd == Decimal(60), "three times twenty minutes of a $60 instance"
    assert (
        found.reason
        == "no job took any of 3 warm pools of 1 \N{MULTIPLICATION SIGN} ml.g5.xlarge, such as that of job-2"
    )


def test_a_single_reuse_or_too_few_pools_are_no_habit() -> None:
    assert suggested(pools=[pool(0), pool(1), pool(2, PoolState.REUSED)]) == []
    assert suggested(pools=[pool(0), pool(1)]) == []


def spot(**fields: Any) -> JobRecord:
    known: dict[str, Any] = {"training_time": 100 * MINUTE, "billable_time": 50 * MINUTE, "output_uri": "s3://b/model"}
    return ran(1, spot=True, **{**known, **fields})


def test_interruptions_without_checkpoints_are_worth_what_was_trained_before_them() -> None:
    [found] = suggested(spot(phases=Phases(cut_short=30 * MINUTE)))
    assert found.worth_usd == Decimal(15), "half of it was billed"
    assert "lost 30 min of training" in found.reason
    assert suggested(spot(phases=Phases(cut_short=30 * MINUTE), checkpoint_uri="s3://b/c/")) == []
    assert suggested(spot(phases=Phases(cut_short=timedelta(0)))) == []
    assert suggested(spot(phases=Phases(cut_short=30 * MINUTE), described=False)) == [], "not known is not without"


def test_a_spot_job_that_was_stopped_with_nothing_saved_lost_all_of_it() -> None:
    [found] = suggested(spot(status="Stopped", output_uri=None, phases=Phases(cut_short=30 * MINUTE)))
    assert found.worth_usd == Decimal(50)


def in_a_row(jobs: int, *, gap: float, usd: str = "1.41", **fields: Any) -> list[JobRecord]:
    return [ran(number, begins=number * (30 + gap), usd=usd, **fields) for number in range(jobs)]


def test_a_pool_pays_where_jobs_follow_each_other_closely() -> None:
    records = in_a_row(5, gap=2)
    [found] = suggested(*records)
    assert found.step == "ask for a keep-alive period of 5 min"
    assert found.reason.startswith("4 of 5 jobs on 1 \N{MULTIPLICATION SIGN} ml.g5.xlarge, such as job-4, could have")
    cold, per_minute = Decimal("2.333"), Decimal("1.41") / 60
    assert float(found.worth_usd or 0) == pytest.approx(float(4 * cold - (4 * 2 + 5) * per_minute), abs=0.01)
    assert suggested(*in_a_row(4, gap=2)) == [], "four are no habit"
    assert suggested(*records, waiting_usd_per_hour=Decimal(0)) == [], "nobody waits: an idle pool never pays"


def test_a_pool_does_not_pay_where_nothing_follows_or_one_was_asked_for_or_none_is_possible() -> None:
    assert suggested(*in_a_row(6, gap=90)) == []
    assert suggested(*in_a_row(6, gap=1, usd="600")) == []
    others: list[dict[str, Any]] = [{"keep_alive": timedelta(hours=1)}, {"spot": True}, {"tuning_job": "arn"}]
    for fields in (*others, {"heterogeneous": True}):
        assert suggested(*in_a_row(6, gap=2, **fields)) == []


def test_installs_are_suggested_from_logs_that_were_read_and_unknown_without() -> None:
    records = [ran(1), ran(2)]
    installs = {records[0].job.key: 4 * MINUTE, records[1].job.key: timedelta(0)}
    [found] = suggested(*records, installs=installs)
    assert found.reason == "1 of 2 jobs whose logs were read spent 4 min on installing packages"
    assert found.worth_usd == Decimal(4)
    assert suggested(*records, installs=None) == []


def test_at_most_three_are_made_the_dearest_first_and_the_unknown_last() -> None:
    unpriced = ran(9, usd=None, input_mode="File", phases=Phases(downloading=60 * MINUTE))
    lost = spot(phases=Phases(cut_short=30 * MINUTE))
    found = suggested(lost, unpriced, pools=[pool(number) for number in range(3)], installs={lost.job.key: 4 * MINUTE})
    assert [item.worth_usd for item in found] == [Decimal(60), Decimal(15), Decimal(2)]
    assert [item.worth_usd for item in suggested(lost, unpriced)] == [Decimal(15), None]
    assert worth_text(found[1]) == "worth about $15.00 a week"
    cents = ran(1, usd="1", input_mode="File", phases=Phases(downloading=30 * MINUTE))
    assert suggested(cents) == [], "fifty cents a week are not worth reading"
