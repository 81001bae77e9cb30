"""From an event on the bus to a message in a channel: what is told, what is not, and where a refused card goes."""

from dataclasses import dataclass, field
from datetime import UTC, timedelta
from typing import Any

import pytest

from tests.builders import arn, at, job, record
from tests.desks import desk
from tests.fakes import FakeChannel, FakeKillSwitch, FakeLedger, FakeQueue
from tests.quiet_fakes import failure_storms
from tests.run_fakes import FakeJobLogs
from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.job_events import events_of
from trainops.domain.job_records import JobRecord
from trainops.domain.log_excerpts import LogTail
from trainops.domain.training_jobs import WarmPool
from trainops.errors import PoisonMessage
from trainops.telemetry import Field, Metric
from trainops.workflows.delivery import Delivery
from trainops.workflows.failure_logs import FailureLogs
from trainops.workflows.job_notification import JobNotification
from trainops.workflows.kill_switch import UnlessStopped

ENDS = ("Completed", "Failed", "Stopped")


def announced(status: str = "Completed", key: str | None = None) -> tuple[JobRecord, dict[str, Any]]:
    """A ledger item with one announcement, and the event that was published for it."""
    key = key or f"Finished/{status}"
    said = Announcement(AnnouncementType(key.split("/")[0]), AnnouncementState.PENDING, at(30), "built")
    item = record(job(status=status), announcements={key: said})
    [event] = events_of(item, at(30))
    return item, {"detail-type": event.detail_type, "source": "trainops", "detail": dict(event.detail)}


@dataclass
class Desk:
    told: tuple[str, ...] = ENDS
    ledger: FakeLedger = field(default_factory=FakeLedger)
    slack: FakeQueue = field(default_factory=FakeQueue)
    email: FakeQueue = field(default_factory=FakeQueue)
    logs: FakeJobLogs = field(default_factory=FakeJobLogs)
    log_lines: dict[str, int] = field(default_factory=dict)

    def notify(self, event: dict[str, Any]) -> Any:
        handed, logs = desk(self.told, self.slack, self.email), FailureLogs(self.logs, self.log_lines)
        return JobNotification(self.ledger, handed, UTC, failure_storms(handed), None, logs)(event)

    def knows(self, item: JobRecord) -> None:
        self.ledger.items[item.job.key] = item


def test_an_end_puts_one_card_on_every_channels_queue() -> None:
    counter = Desk()
    item, event = announced("Failed")
    counter.knows(item)
    counter.notify(event)
    assert len(counter.slack.sent) == len(counter.email.sent) == 1
    assert counter.slack.sent[0]["job_name"] == "resnet-1"


@pytest.mark.case("NO-12")
def test_the_log_of_a_failed_job_is_in_the_card_of_a_team_that_wants_it_and_in_no_ledger() -> None:
    counter = Desk(log_lines={"default": 5}, logs=FakeJobLogs(LogTail("resnet-1/algo-1-9", ("boom",))))
    item, event = announced("Failed")
    counter.knows(item)
    outcome = counter.notify(event)
    assert (counter.slack.sent[0]["log"], counter.logs.asked) == ("boom", [("resnet-1", 5)])
    assert "boom" not in outcome.reason
    assert counter.ledger.items == {item.job.key: item}
    silent = Desk()
    silent.knows(item)
    silent.notify(event)
    assert silent.logs.asked == []


@pytest.mark.parametrize(
    ("key", "status", "told", "sent"),
    [
        ("Started", "InProgress", ENDS, 0),
        ("Started", "InProgress", ("Started",), 1),
        ("Interrupted/2026-03-02T09:05:00Z", "InProgress", ENDS, 0),
        ("Interrupted/2026-03-02T09:05:00Z", "InProgress", ("Interrupted",), 1),
        ("Finished/Failed", "Failed", ("Completed",), 0),
        ("Finished/Failed", "Failed", ("Failed",), 1),
    ],
)
def test_people_hear_of_the_statuses_they_chose(key: str, status: str, told: tuple[str, ...], sent: int) -> None:
    counter = Desk(told)
    item, event = announced(status, key)
    counter.knows(item)
    counter.notify(event)
    assert len(counter.slack.sent) == sent


def test_a_forged_event_changes_nothing_and_is_counted() -> None:
    counter = Desk()
    item, event = announced()
    outcome = counter.notify(event)
    assert outcome.counts == {Field.IGNORED: 1}
    counter.knows(item)
    event["detail"]["announcement"] = "Finished/Failed"
    assert counter.notify(event).counts == {Field.IGNORED: 1}
    event["detail"]["job"]["arn"] = arn("other")
    assert counter.notify(event).counts == {Field.IGNORED: 1}
    assert counter.slack.sent == []


def test_what_a_card_says_comes_from_the_ledger_not_from_the_event() -> None:
    counter = Desk()
    item, event = announced("Completed")
    counter.knows(item)
    event["detail"] |= {"status": "Failed", "owner": {"name": "forger", "source": "x"}, "reason": "forger"}
    counter.notify(event)
    assert "forger" not in str(counter.slack.sent)
    assert "Failed" not in str(counter.slack.sent)


@pytest.mark.parametrize("broken", [{}, {"detail": {}}, {"detail": {"job": {"arn": "a", "created": "soon"}}}])
def test_an_event_of_another_form_is_poison(broken: dict[str, Any]) -> None:
    with pytest.raises(PoisonMessage, match="not a trainops event"):
        Desk().notify(broken)


def card() -> dict[str, Any]:
    counter = Desk()
    item, event = announced()
    counter.knows(item)
    counter.notify(event)
    return dict(counter.slack.sent[0])


def delivery(channel: FakeChannel, fallback: FakeQueue | None = None) -> Delivery:
    return Delivery("Slack", channel, fallback)


def test_a_card_is_delivered() -> None:
    channel = FakeChannel()
    assert delivery(channel)(card()).counts == {Metric.DELIVERED: 1}
    assert [delivered.job_name for delivered in channel.delivered] == ["resnet-1"]


def test_the_kill_switch_stops_what_is_queued_already_and_counts_it() -> None:
    channel, switch = FakeChannel(), FakeKillSwitch(on=True)
    stopped = UnlessStopped(switch, delivery(channel))
    assert stopped(card()).counts == {Field.SUPPRESSED: 1}
    assert channel.delivered == []
    switch.on = False
    stopped(card())
    assert len(channel.delivered) == 1


@pytest.mark.parametrize("broken", [{}, {"key": "x"}, {**card(), "tone": "angry"}, {**card(), "facts": [1]}])
def test_what_is_not_a_card_is_poison(broken: dict[str, Any]) -> None:
    with pytest.raises(PoisonMessage, match="not a card"):
        delivery(FakeChannel())(broken)


def test_news_that_comes_late_speaks_of_the_present() -> None:
    counter = Desk()
    pool = job(keep_alive=timedelta(minutes=30), warm_pool=WarmPool("Available"))
    said = Announcement(AnnouncementType.FINISHED, AnnouncementState.PENDING, at(30), "built")
    item = record(pool, announcements={"Finished/Completed": said})
    counter.knows(item)
    for now, warm in ((at(31), True), (at(300), False)):
        counter.slack.sent.clear()
        [event] = events_of(item, now)
        counter.notify({"time": now.isoformat(), "detail": dict(event.detail)})
        assert ("stays warm" in str(counter.slack.sent)) is warm
