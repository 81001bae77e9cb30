"""From a job's end to the end of its warm pool: read, plan, act, write, tell, and look again when it is due.

Messages are triggers: an announcement on the trainops bus that a job started or finished, or a look that was sent
ahead. Everything is taken from the ledger, the settings and, before anything is changed, from SageMaker. The queue's
message is the outbox; a crash anywhere leaves it on the queue.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from trainops.domain.announcements import AnnouncementType
from trainops.domain.job_events import Trigger, trigger_of
from trainops.domain.job_figures import observed_start
from trainops.domain.job_records import JobRecord
from trainops.domain.keep_alive_lessons import Cluster, JobEnded, SpotEnded
from trainops.domain.presses import PRESS_DETAIL_TYPE
from trainops.domain.spot_savings import estimated_savings
from trainops.domain.warm_pool_looks import LOOK_DETAIL_TYPE, PoolLook, parse_look
from trainops.domain.warm_pool_outcomes import seen
from trainops.domain.warm_pools import no_pool, opened
from trainops.history_ports import Histories
from trainops.outcomes import Outcome
from trainops.ports import Ledger, PoolLedger, Queue
from trainops.telemetry import Field
from trainops.workflows.reading import reading
from trainops.workflows.warm_pool_discovery import PoolDiscovery
from trainops.workflows.warm_pool_reuse import PoolReuse
from trainops.workflows.warm_pool_turn import PoolTurn


@dataclass(frozen=True, slots=True)
class WarmPoolControl:
    """Handles one message."""

    ledger: Ledger
    pools: PoolLedger
    histories: Histories
    looks: Queue
    turn: PoolTurn
    reuse: PoolReuse
    discovery: PoolDiscovery
    presses: Callable[[Mapping[str, Any]], Outcome] | None = None
    """None while actions are off."""

    def __call__(self, message: Mapping[str, Any]) -> Outcome:
        """Handle an announcement, a look or a press. Raises PoisonMessage when it is none of them, TryLater and
        NotConfigured.
        """
        if self.presses and message.get("detail-type") == PRESS_DETAIL_TYPE:
            return self.presses(message)
        trigger = _asked(message)
        if isinstance(trigger, PoolLook):
            return self._look(trigger)
        record = self.ledger.job(trigger.key)
        if record is None or trigger.announcement not in record.announcements:
            reason = f"the ledger never announced {trigger.announcement} of {trigger.key.arn}"
            return Outcome(reason, {Field.IGNORED: 1}, trigger.key.arn)
        now = trigger.at or record.announcements[trigger.announcement].at
        if record.announcements[trigger.announcement].type is AnnouncementType.STARTED:
            return self.reuse(record, now)
        return self._finished(record, now)

    def _finished(self, record: JobRecord, now: datetime) -> Outcome:
        job = record.job
        if known := self.pools.pool(job.key):
            return self.turn.resume(known, now)
        reason, pool, trial = no_pool(job), opened(record), None
        if reason is None:
            pool, trial = self.turn.planned(pool, now)
        if job.match_fingerprint and not (job.spot or job.tuning_job):
            cluster = Cluster(job.instance_type, job.instance_count, record.price)
            start = observed_start(job, warm=record.took_pool)
            lesson = JobEnded(job.match_fingerprint, record.team, job.ended or now, trial, cluster, start)
            self.histories.add_lesson(lesson, job.key.arn)
        elif spot := _spot_lesson(record, now):
            self.histories.add_lesson(spot, job.key.arn)
        if reason is not None:
            return Outcome(reason, job=job.name)
        # What the intake's own call said of the pool at the end; a status that is not there yet says nothing.
        return self.turn.go(seen(pool, job, now) if job.warm_pool else pool, now)

    def _look(self, look: PoolLook) -> Outcome:
        if look.early:
            message, delay = look.sent(look.at)
            self.looks.send([message], delay)
            return Outcome("not due yet: sent ahead again", job=look.name)
        pool = self.pools.pool(look.key)
        if pool is None:
            found = self.discovery(look)
            return self.turn(found, look.at) if found else Outcome("no such job any more, so no pool", job=look.name)
        pool = replace(pool, in_digest=look.in_digest) if look.by_sweep else pool
        if not pool.open:
            return self.turn.reopened(pool, look.at) if look.by_sweep else self.turn.resume(pool, look.at)
        if not look.by_sweep and pool.look_at and look.look_at < pool.look_at:
            return Outcome(f"a later look is planned, at {pool.look_at:%Y-%m-%d %H:%M:%S} UTC", job=look.name)
        return self.turn(pool, look.at)


def _spot_lesson(record: JobRecord, now: datetime) -> SpotEnded | None:
    """What managed spot saved on a job that could have left a pool instead; None while any part of it is unknown."""
    job, saved = record.job, estimated_savings(record.job, record.price)
    if not job.match_fingerprint or job.tuning_job or saved is None:
        return None
    return SpotEnded(job.match_fingerprint, record.team, job.ended or now, float(saved))


def _asked(message: Mapping[str, Any]) -> PoolLook | Trigger:
    with reading("neither a trainops event of version 1 nor a look"):
        look = message.get("detail-type") == LOOK_DETAIL_TYPE
        asked: PoolLook | Trigger = parse_look(message) if look else trigger_of(message)
    return asked
