"""The cards about what goes on for a while: a running job that does not save its work, and a team's week."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from trainops.domain.announcements import AnnouncementType
from trainops.domain.cards import Card
from trainops.domain.checkpoint_health import stale, with_news
from trainops.domain.job_records import JobRecord
from trainops.domain.report_cards import REPORT, report_card
from trainops.domain.report_suggestions import suggestions_for
from trainops.domain.report_weeks import Rhythm, due_week
from trainops.domain.warm_pools import PoolRecord, PoolState, opened
from trainops.domain.weekly_reports import TeamWeek, report_of
from trainops_cli.cards.sample_runs import Answer, ended, record_of, running, told

HOUR = timedelta(hours=1)
SPOT: Answer = {"EnableManagedSpotTraining": True}


def unsaved_cards(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """A spot job whose last checkpoint is three hours old."""
    place: Answer = {"CheckpointConfig": {"S3Uri": "s3://vision-artifacts/checkpoints/detector-spot-4/"}}
    record = record_of(running("detector-spot-4", now, since=5 * HOUR, **SPOT, **place), now)
    saved = now - 3 * HOUR
    news = with_news(record, saved, stale(record.job, saved, now, 2 * HOUR) or "", now)
    if news:
        yield told(news, now, zone, AnnouncementType.CHECKPOINTS_OLD)


def report_cards(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """The week of a team with spot jobs, failures, and pools that nobody took."""
    week = due_week(now, Rhythm(now.weekday(), 0, UTC))
    if week is None:
        return
    days = [week.since + place * timedelta(hours=14) for place in range(12)]
    records = [_spot(f"detector-spot-{place}", day) for place, day in enumerate(days)]
    records += [_kept(f"eval-nightly-{place}", day) for place, day in enumerate(days[:4])]
    pools = [_unused(record) for record in records if record.job.keep_alive]
    given = TeamWeek(team="vision", week=week, records=records, pools=pools)
    yield replace(report_card(report_of(given, suggestions_for(given)), zone), word=REPORT.replace(" ", ""))


def _spot(name: str, begun: datetime) -> JobRecord:
    """Each of them saved three quarters."""
    times: Answer = {"TrainingTimeInSeconds": 21600, "BillableTimeInSeconds": 5400}
    return record_of(ended(name, begun + 6 * HOUR, took=6 * HOUR, **SPOT, **times), begun + 6 * HOUR)


def _kept(name: str, begun: datetime) -> JobRecord:
    """A job that asks for a pool."""
    shape = {"InstanceType": "ml.g5.2xlarge", "InstanceCount": 2, "VolumeSizeInGB": 100}
    config: Answer = {"ResourceConfig": {**shape, "KeepAlivePeriodInSeconds": 3600}}
    return record_of(ended(name, begun + HOUR, took=HOUR, **config), begun + HOUR)


def _unused(record: JobRecord) -> PoolRecord:
    """Its pool, which was let go at the end of its time."""
    pool = opened(record)
    return replace(pool, state=PoolState.EXPIRED, released=pool.ended + HOUR)
