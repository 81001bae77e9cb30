"""From an event about warm pools to a message: what is told comes from the ledger, by the words people chose."""

from dataclasses import replace
from datetime import UTC, timedelta
from typing import Any

import pytest

from tests.builders import arn, at, job, record
from tests.counting_fakes import FakeReports
from tests.desks import desk as desk_of
from tests.fakes import FakeLedger, FakeQueue
from tests.pool_fakes import FakePoolLedger
from tests.quiet_fakes import failure_storms, job_families
from tests.quota_fakes import FakeQuotaLedger
from trainops.domain.warm_pool_events import digest_event, pool_events
from trainops.domain.warm_pool_sweeps import Digest
from trainops.domain.warm_pools import News, NewsKind, PoolRecord, PoolState, opened
from trainops.errors import PoisonMessage
from trainops.telemetry import Field
from trainops.workflows.job_notification import JobNotification
from trainops.workflows.quota_notification import QuotaNotification
from trainops.workflows.report_notification import ReportNotification
from trainops.workflows.warm_pool_notification import Notifications, WarmPoolNotification

ALL = ("WarmPoolEnding", "WarmPoolEnded", "WarmPoolHeld", "WarmPoolSweep")


def ended() -> PoolRecord:
    over = opened(record(job(keep_alive=timedelta(hours=1))))
    news = {"Ended": News(NewsKind.ENDED, at(40), "why")}
    return replace(over, state=PoolState.ENDED, released=at(40), news=news)


def event_of(pool: PoolRecord) -> dict[str, Any]:
    [event] = pool_events(pool, at(41))
    return {"detail-type": event.detail_type, "source": "trainops", "detail": dict(event.detail)}


def desk(told: tuple[str, ...] = ALL) -> tuple[Notifications, FakePoolLedger, FakeQueue]:
    pools, channel = FakePoolLedger(), FakeQueue()
    handed = desk_of(told, channel)
    storms = failure_storms(handed)
    notifications = Notifications(
        jobs=JobNotification(FakeLedger(), handed, UTC, storms, None),
        warm_pools=WarmPoolNotification(pools, handed, UTC),
        quotas=QuotaNotification(FakeQuotaLedger(), handed, UTC),
        families=job_families(storms),
        storms=storms.look,
        reports=ReportNotification(FakeReports(), handed, UTC),
    )
    return notifications, pools, channel


def test_news_of_a_pool_is_one_card_on_every_channel() -> None:
    notify, pools, channel = desk()
    pools.put_pool(ended())
    assert notify(event_of(ended())).reason.startswith("WarmPoolEnded: Warm pool of resnet-1 was ended; by the default")
    [card] = channel.sent
    assert card["key"] == f"{arn()}|2026-03-02T09:00:00Z|WarmPool/Ended"


def test_people_hear_what_they_chose() -> None:
    notify, pools, channel = desk(("WarmPoolEnding",))
    pools.put_pool(ended())
    assert notify(event_of(ended())).reason == "WarmPoolEnded is not among notifications.statuses"
    assert channel.sent == []


@pytest.mark.parametrize("known", [True, False])
def test_a_forged_event_is_counted_and_told_to_nobody(known: bool) -> None:
    notify, pools, channel = desk()
    if known:
        pools.put_pool(replace(ended(), news={}))
    assert notify(event_of(ended())).counts == {Field.IGNORED: 1}
    assert channel.sent == []


def test_a_sweeps_digest_is_read_from_the_ledger() -> None:
    notify, pools, channel = desk()
    digest = Digest(at=at(60), count=77, idle_hours=None, idle_usd=None, without_price=77, top=(), arn=arn())
    event = {"detail-type": "Warm Pool Sweep", "detail": dict(digest_event(digest).detail)}
    assert notify(event).counts == {Field.IGNORED: 1}
    pools.put_digest(digest)
    assert notify(event).reason.startswith("WarmPoolSweep: Warm pools: 77 pools idle past the limit;")
    assert len(channel.sent) == 1


@pytest.mark.parametrize("detail", [{}, {"job": 1}, {"job": {"arn": "a", "created": "never"}, "announcement": "x"}])
def test_what_is_no_event_of_ours_in_form_is_poison(detail: Any) -> None:
    with pytest.raises(PoisonMessage, match="not a trainops event of version 1"):
        desk()[0]({"detail-type": "Warm Pool Ended", "detail": detail})


def test_a_fault_of_our_own_while_a_card_is_made_is_not_put_down_to_the_event() -> None:
    notify, pools, _ = desk()
    pools.put_pool(replace(ended(), released=at(40).replace(tzinfo=None)))
    with pytest.raises(TypeError, match="offset-naive"):
        notify(event_of(ended()))


def test_a_sweep_without_a_time_is_poison() -> None:
    with pytest.raises(PoisonMessage, match="at is no ISO-8601 time"):
        desk()[0]({"detail-type": "Warm Pool Sweep", "detail": {"at": "soon"}})


def test_events_about_jobs_go_the_other_way() -> None:
    with pytest.raises(PoisonMessage, match="not a trainops event"):
        desk()[0]({"detail-type": "Training Job Started", "detail": {}})
