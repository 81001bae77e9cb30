"""Failing jobs, what stands between them and the channels, a queue that brings looks back, and a clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.builders import CREATED, arn, at, job, record
from tests.desks import desk
from tests.fakes import FakeLedger, Fuse
from tests.quiet_fakes import FakeStorms, failure_storms
from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.owners import Owner
from trainops.domain.storms import Storm
from trainops.domain.training_jobs import JobKey
from trainops.outcomes import Outcome
from trainops.telemetry import Field
from trainops.workflows.job_notification import JobNotification

OUT_OF_MEMORY = "AlgorithmError: CUDA out of memory. Tried to allocate 2.00 GiB"
TEAM = "vision"


@dataclass
class Later:
    """A queue whose messages come back when their time has come; `now` is the world's clock."""

    now: datetime = CREATED
    waiting: list[tuple[datetime, Mapping[str, Any]]] = field(default_factory=list)

    def send(self, messages: Sequence[Mapping[str, Any]], after: timedelta = timedelta(0)) -> None:
        assert after <= timedelta(minutes=15), "SQS takes no longer delay"
        self.waiting += [(self.now + after, message) for message in messages]

    def due(self, now: datetime) -> list[Mapping[str, Any]]:
        """What has come back by now, oldest first."""
        self.now = now
        ready = sorted((pair for pair in self.waiting if pair[0] <= now), key=lambda pair: pair[0])
        self.waiting = [pair for pair in self.waiting if pair[0] > now]
        return [message for _, message in ready]


@dataclass
class Channel:
    """A channel's queue: each card with the time it came; `cards` has each key once, as delivery does."""

    clock: Later
    got: list[tuple[datetime, Mapping[str, Any]]] = field(default_factory=list)

    def send(self, messages: Sequence[Mapping[str, Any]], after: timedelta = timedelta(0)) -> None:
        assert not after
        self.got += [(self.clock.now, message) for message in messages]

    @property
    def cards(self) -> dict[str, tuple[datetime, Mapping[str, Any]]]:
        """The first card of each key."""
        found: dict[str, tuple[datetime, Mapping[str, Any]]] = {}
        for when, card in self.got:
            found.setdefault(str(card["key"]), (when, card))
        return found

    def times(self, *, storms: bool) -> list[datetime]:
        """When the messages about single jobs came, or those about storms."""
        return sorted(when for key, (when, _) in self.cards.items() if key.startswith("storm|") is storms)


class StormWorld:
    """Jobs of one team that fail."""

    def __init__(self, fuse: Fuse | None = None, told: tuple[str, ...] = ("Completed", "Failed", "Stopped")) -> None:
        self.jobs, self.looks = FakeLedger(), Later()
        self.channel = Channel(self.looks)
        self.storms = FakeStorms(fuse or Fuse())
        handed = desk(told, self.channel)
        self.gate = failure_storms(handed, self.storms, self.looks)
        self.notify = JobNotification(self.jobs, handed, UTC, self.gate, None)
        self.outcomes: list[Outcome] = []
        self.dying: Mapping[str, Any] = {}
        """The look that is being handled."""

    def fails(self, name: str, minute: float, owner: str | None = "alpha", reason: str = OUT_OF_MEMORY) -> None:
        """A job fails now; the event says that it was at `minute`."""
        self.outcomes.append(self.notify(self.event(name, minute, owner, reason)))

    def event(self, name: str, minute: float, owner: str | None, reason: str) -> dict[str, Any]:
        """The event on the bus about a failed job that the ledger knows."""
        key = JobKey.of(arn(name), CREATED)
        said = Announcement(AnnouncementType.FINISHED, AnnouncementState.PUBLISHED, at(minute), "built")
        failed = job(name, "Failed", key=key, failure_reason=reason)
        self.jobs.items[key] = record(
            failed, announcements={"Finished/Failed": said}, team=TEAM, owner=Owner(owner, "tag owner")
        )
        detail = {"job": {"arn": key.arn, "created": CREATED.isoformat()}, "announcement": "Finished/Failed"}
        return {"detail-type": "Training Job Finished", "time": at(minute).isoformat(), "detail": detail}

    def pass_time(self, minute: float) -> None:
        """Let time pass to a minute, with every look at its own time."""
        while ready := min((when for when, _ in self.looks.waiting if when <= at(minute)), default=None):
            for look in self.looks.due(max(ready, self.looks.now)):
                self.dying = look
                self.outcomes.append(self.gate.look(look))
        self.looks.now = max(self.looks.now, at(minute))

    def settle(self) -> None:
        """Let time pass until nothing is waited for."""
        for _ in range(200):
            if not self.looks.waiting:
                return
            self.pass_time((max(when for when, _ in self.looks.waiting) - CREATED) / timedelta(minutes=1))
        raise AssertionError("looks never end")

    def item(self) -> Storm:
        """The one kind of failure there is."""
        found = self.storms.storm(f"{TEAM}/gpu_out_of_memory")
        assert found
        return found

    @property
    def told_singly(self) -> set[str]:
        """The jobs that have a message of their own."""
        return {str(card["job_name"]) for key, (_, card) in self.channel.cards.items() if not key.startswith("storm|")}

    @property
    def absorbed(self) -> int:
        """How many failures were absorbed, as counted by outcomes."""
        return sum(outcome.counts.get(Field.ABSORBED, 0) for outcome in self.outcomes)
