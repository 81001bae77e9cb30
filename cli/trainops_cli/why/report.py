"""The answer of `trainops why`, for people and as JSON."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from trainops.domain.job_records import OUTSIDE_SCOPE
from trainops.domain.links import quotas_page
from trainops.domain.pool_misses import Missed, MissKind
from trainops.domain.warm_pools import PoolRecord, PoolState
from trainops.domain.wording import counted, duration_text, instances_text
from trainops_cli.why.answer import Answer


def lines(answer: Answer, table: str) -> Iterator[str]:
    """What is known, then what was looked at to know it."""
    job, created = answer.record.job, answer.record.job.key.created
    if answer.record.owner.source == OUTSIDE_SCOPE:
        yield f"{job.name}: {job.status}, created {_text(created)}; its tags are outside scope.tags"
        return
    machines = instances_text(job.instance_count, job.instance_type)
    yield f"{job.name}: {job.status}, {machines}, created {_text(created)}, team {answer.record.team}"
    yield _start(answer)
    yield _own(answer)
    miss = answer.about(Missed.POOL)
    if miss and miss.kind is MissKind.QUOTA and (page := quotas_page(job.key.arn)):
        yield f"Quotas: {page}"
    others = counted(len(answer.around), "other pool")
    own = "its own pool's" if answer.own else "none of a pool of its own"
    yield f"Looked at: {table} as of {_text(answer.as_of)}: the job's item, {own}, {others}. SageMaker was not asked."


def as_json(answer: Answer, table: str) -> dict[str, Any]:
    """Misses have the shape that events have (docs/events); times are ISO-8601."""
    job, own = answer.record.job, answer.own
    return {
        "job": {"arn": job.key.arn, "name": job.name, "created": job.key.created.isoformat(), "status": job.status},
        "team": answer.record.team,
        "warm_start": answer.warm,
        "took_pool_of": answer.took,
        "warm_pool_misses": [miss.to_map() for miss in answer.misses],
        "own_pool": {"state": own.state.value, "ended": _iso(own.released), "reused_by": own.reused_by}
        if own
        else None,
        "looked_at": {
            "ledger": table,
            "as_of": answer.as_of.isoformat(),
            "pools": [pool.name for pool in answer.around],
        },
    }


def _start(answer: Answer) -> str:
    job = answer.record.job
    if answer.warm:
        return f"Warm start: it took the pool of {answer.took}." if answer.took else "Warm start: it took a pool."
    if miss := answer.about(Missed.REUSE):
        return miss.sentence
    if not job.described:
        return "Whether it started cold is unknown: SageMaker described this run to nobody, only its event is known."
    return f"No pool of team {answer.record.team} that it could have taken was open then, or ended in the hour before."


def _own(answer: Answer) -> str:
    job = answer.record.job
    if miss := answer.about(Missed.POOL):
        return miss.sentence
    if answer.own:
        return f"Its own pool: {_became(answer.own)}."
    if not job.keep_alive:
        return "It asked for no warm pool." if job.described else "Whether it asked for a warm pool is unknown."
    if not job.terminal:
        return f"Its own pool is still to come: it asked for {duration_text(job.keep_alive)} after its end."
    return "What became of its own pool is not in the ledger."


def _became(pool: PoolRecord) -> str:
    if pool.open:
        seen = "" if pool.confirmed else ", though SageMaker has not been seen to keep it"
        return f"idle since {_text(pool.ended)}, until about {_text(pool.expires)}{seen}"
    when = f" at {_text(pool.released)}" if pool.released else ""
    words = {
        PoolState.REUSED: f"taken by {pool.reused_by or 'another job'}{when}",
        PoolState.ENDED: f"ended by trainops{when}" + (f" ({pool.plan.reason})" if pool.plan else ""),
        PoolState.EXPIRED: f"let go{when}, without a job that took it",
        PoolState.ABSENT: "never seen at SageMaker, or deleted with its job",
    }
    return words.get(pool.state, pool.state.value)


def _text(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M:%S} UTC"


def _iso(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
