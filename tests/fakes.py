"""The outside world in memory, behind the same ports. `Crash` kills a workflow between two of its steps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.job_events import BusEvent
from trainops.domain.job_records import JobRecord, Price
from trainops.domain.reconciliation import JobSummary, Watermark
from trainops.domain.routes import Place
from trainops.domain.training_jobs import JobKey, TrainingJob
from trainops.errors import LedgerConflict
from trainops.outcomes import Counts


class Crash(BaseException):
    """The process died here: no handler may catch it."""


@dataclass
class Fuse:
    """Counts the calls to the outside world and dies before or after the chosen one."""

    before: int | None = None
    after: int | None = None
    calls: list[str] = field(default_factory=list)

    def burn(self, call: str) -> None:
        self.calls.append(call)
        if self.before == len(self.calls):
            raise Crash(call)

    def burnt(self) -> None:
        if self.after == len(self.calls):
            raise Crash(self.calls[-1])


@dataclass
class FakeLedger:
    fuse: Fuse = field(default_factory=Fuse)
    items: dict[JobKey, JobRecord] = field(default_factory=dict)
    place: Watermark | None = None

    def job(self, key: JobKey) -> JobRecord | None:
        return self.items.get(key)

    def latest_job(self, arn: str) -> JobRecord | None:
        runs = sorted((key for key in self.items if key.arn == arn), key=lambda key: key.created)
        return self.items[runs[-1]] if runs else None

    def put_job(self, record: JobRecord) -> JobRecord:
        self.fuse.burn("put_job")
        stored = self.items.get(record.job.key)
        if (stored.version if stored else 0) != record.version:
            raise LedgerConflict("written by another")
        written = replace(record, version=record.version + 1)
        self.items[record.job.key] = written
        self.fuse.burnt()
        return written

    def statuses(self, keys: Sequence[JobKey]) -> Mapping[JobKey, str]:
        return {key: self.items[key].job.status for key in keys if key in self.items}

    def due_jobs(self, now: datetime, limit: int) -> Sequence[JobKey]:
        due = [(item.look_at, key) for key, item in self.items.items() if item.look_at and item.look_at <= now]
        return [key for _, key in sorted(due, key=lambda pair: pair[0])][:limit]

    def watermark(self) -> Watermark | None:
        return self.place

    def put_watermark(self, watermark: Watermark) -> None:
        self.place = watermark


@dataclass
class FakeTrainingJobs:
    jobs: dict[str, TrainingJob] = field(default_factory=dict)
    """By name, as the API finds them."""
    tags: dict[str, dict[str, str]] = field(default_factory=dict)
    pages: list[list[JobSummary] | Exception] = field(default_factory=list)
    described: list[str] = field(default_factory=list)
    tags_asked: list[str] = field(default_factory=list)
    listed_after: list[datetime] = field(default_factory=list)
    fuse: Fuse = field(default_factory=Fuse)

    def describe(self, name: str, tags: Mapping[str, str] | None) -> TrainingJob | None:
        self.fuse.burn("describe")
        self.described.append(name)
        if tags is None:
            self.tags_asked.append(name)
        found = self.jobs.get(name)
        self.fuse.burnt()
        return replace(found, tags=self.tags.get(name, {}) if tags is None else tags) if found else None

    def created_after(self, created: datetime) -> Iterator[Sequence[JobSummary]]:
        self.listed_after.append(created)
        for page in self.pages:
            if isinstance(page, Exception):
                raise page
            yield page


@dataclass
class FakeBus:
    fuse: Fuse = field(default_factory=Fuse)
    published: list[BusEvent] = field(default_factory=list)

    def publish(self, events: Sequence[BusEvent]) -> None:
        self.fuse.burn("publish")
        self.published.extend(events)
        self.fuse.burnt()

    @property
    def said(self) -> list[str]:
        """What was announced, in order."""
        return [f"{event.resource.rpartition('/')[2]} {event.detail['announcement']}" for event in self.published]


@dataclass
class FakeQueue:
    sent: list[Mapping[str, Any]] = field(default_factory=list)
    delays: list[timedelta] = field(default_factory=list)

    def send(self, messages: Sequence[Mapping[str, Any]], after: timedelta = timedelta(0)) -> None:
        self.sent.extend(messages)
        self.delays.extend([after] * len(messages))


@dataclass
class FakeKillSwitch:
    on: bool = False

    def is_on(self) -> bool:
        return self.on


@dataclass
class FakePrices:
    price: Price | None = None

    def training_price(self, instance_type: str | None) -> Price | None:
        return self.price


@dataclass
class FakeChannel:
    fault: Exception | None = None
    delivered: list[Card] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def deliver(self, card: Card, place: Place) -> Counts:
        if self.fault:
            raise self.fault
        self.delivered.append(card)
        self.places.append(place)
        return {}


@dataclass
class FakeQuotas:
    known: dict[str, int] = field(default_factory=dict)

    def instances(self, instance_type: str | None) -> int | None:
        return self.known.get(instance_type or "")


@dataclass
class FakeDocuments:
    """What was written, by key; `puts` counts every write."""

    texts: dict[str, str] = field(default_factory=dict)
    puts: int = 0

    def put(self, key: str, text: str) -> None:
        self.texts[key] = text
        self.puts += 1

    def put_if_absent(self, key: str, text: str) -> bool:
        if key in self.texts:
            return False
        self.put(key, text)
        return True

    def remove(self, key: str) -> None:
        self.texts.pop(key, None)
