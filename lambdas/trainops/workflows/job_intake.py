"""From a message about a job to what is known and announced of it: read, decide, write, publish, mark published.

The queue's message is the outbox. A crash anywhere leaves it on the queue: the next delivery finds the item pending
and publishes again, or finds it published and is done. Budget: one DescribeTrainingJob at the start and one at the end
of a job; ListTags at the start, and at the end of one that leaves a pool, where events bring no tags; repetitions cost
a ledger read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from trainops.domain.job_events import events_of
from trainops.domain.job_families import families_of
from trainops.domain.job_records import Decision, JobRecord, decide, lags_behind, needs_description, out_of_scope
from trainops.domain.spot_savings import price_for
from trainops.domain.state_changes import StateChange, parse_state_change
from trainops.domain.training_jobs import JobKey, TrainingJob
from trainops.domain.warm_pools import no_pool
from trainops.errors import TryLater
from trainops.outcomes import Outcome
from trainops.ports import Bus, Ledger, Prices, TrainingJobs
from trainops.quiet_ports import Families
from trainops.telemetry import Metric
from trainops.workflows.ownership import Ownership, is_call
from trainops.workflows.pool_misses import PoolMisses
from trainops.workflows.run_history import RunHistory

LAG = timedelta(seconds=20)
"""How long the API is given to catch up with an event."""


@dataclass(frozen=True, slots=True)
class JobIntake:
    """Handles one message. `scope` holds the tags a job must carry to be looked after; empty means every job."""

    ledger: Ledger
    training_jobs: TrainingJobs
    bus: Bus
    prices: Prices
    misses: PoolMisses
    ownership: Ownership
    history: RunHistory
    families: Families
    scope: Mapping[str, str]

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Record the change and announce what is new. Raises TryLater while the API lags behind the event. A record of
        the trail is only noted: the owner is shown from the next announcement on.
        """
        if is_call(event):
            return self.ownership.note(event)
        change = parse_state_change(event)
        record, description = self._gathered(change)
        change, description = _same_run(change, record, description)
        if record and record.job.key != change.job.key:
            record = self.ledger.job(change.job.key)
        if lags_behind(change, description):
            raise TryLater(f"DescribeTrainingJob still says {change.name} is running", LAG)
        now = _now(change, description, record.job if record else None)
        decision = self.misses(self._decide(change, record, description, now), now)
        decision = self.history(decision, now)
        written = self.ledger.put_job(decision.record) if decision.record else record
        if written is None or not written.pending:
            return Outcome(decision.reason, job=change.name)
        self._join(written)
        self.bus.publish(events_of(written, now))
        self.ledger.put_job(written.with_published(now))
        return Outcome(decision.reason, {Metric.ANNOUNCED: len(written.pending)}, change.name)

    def _join(self, record: JobRecord) -> None:
        """Note what launched the job before anybody hears of it."""
        families = families_of(record.job)
        for place, family in enumerate(families):
            outer = families[-1] if place < len(families) - 1 else None
            self.families.join(family, record.job.key, outer)

    def _gathered(self, change: StateChange) -> tuple[JobRecord | None, TrainingJob | None]:
        """What the ledger knows, and what the API says if it has to be asked. A message without a creation time may
        mean any run under its name, so the API is always asked which one it knows.
        """
        if change.created is None:
            record = self.ledger.latest_job(change.arn)
            return record, self.training_jobs.describe(change.name, change.tags)
        record = self.ledger.job(change.job.key)
        if not self._worth_asking(change, record):
            return record, None
        if record:
            return record, self.training_jobs.describe(record.job.name, change.tags or _known_tags(change, record.job))
        return None, self.training_jobs.describe(change.name, change.tags)

    def _worth_asking(self, change: StateChange, record: JobRecord | None) -> bool:
        outside = record is None and change.tags is not None and not self._in_scope(change.tags)
        return not outside and needs_description(record, change)

    def _decide(
        self, change: StateChange, record: JobRecord | None, description: TrainingJob | None, now: datetime
    ) -> Decision:
        job = description or change.job
        if not self._in_scope(record.job.tags if record else job.tags):
            return out_of_scope(record, job)
        tags = {**(record.job.tags if record else {}), **job.tags, **change.job.tags}
        evidence = self.ownership.evidence(job, tags)
        return decide(record, change, description, price_for(job, self.prices.training_price), now, evidence=evidence)

    def _in_scope(self, tags: Mapping[str, str]) -> bool:
        return all(tags.get(key) == value for key, value in self.scope.items())


def _now(change: StateChange, *known: TrainingJob | None) -> datetime:
    """The latest moment that the message, the API's answer and the ledger prove. A message may come long after what it
    tells of: told as of a job's start, its end would lie ahead, and what follows from it would wait for it once more.
    """
    return max([change.at, *(job.ended for job in known if job and job.ended)])


def _known_tags(change: StateChange, job: TrainingJob) -> Mapping[str, str] | None:
    """The ledger's tags, as long as they will do: somebody may have come to hold the pool that a job is about to leave,
    and whether an event brings tags is not documented. None means that they are asked for.
    """
    return None if change.job.terminal and no_pool(job) is None else job.tags


def _same_run(
    change: StateChange, record: JobRecord | None, description: TrainingJob | None
) -> tuple[StateChange, TrainingJob | None]:
    """Which run a message means: its own creation time decides; without one, the run the API knows, else the ledger's
    newest. An answer about another run under the same name says nothing about this one.
    """
    if change.created is not None:
        same = description is not None and description.key == change.job.key
        return change, description if same else None
    key: JobKey = description.key if description else record.job.key if record else change.job.key
    return replace(change, created=key.created, job=replace(change.job, key=key)), description
