"""The message that makes `warm_pool_control` look at a pool: sent ahead by itself, or by a sweep that found it.

A queue delays a message by at most 15 minutes (SQS), so a look that lies further ahead travels in hops. The time in the
message is the earliest moment at which it can arrive, and is taken as "now": deciding needs no clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pools import PoolRecord

LOOK_DETAIL_TYPE = "Warm Pool Look"
LONGEST_DELAY = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLook:
    """`at` is now, `look_at` when the look is due. A sweep's look counts whatever was planned; `in_digest` says that
    the sweep's digest tells of the pool.
    """

    key: JobKey
    name: str
    at: datetime
    look_at: datetime
    by_sweep: bool = False
    in_digest: bool = False

    @property
    def early(self) -> bool:
        """Whether it has another hop to go."""
        return self.at < self.look_at

    def sent(self, now: datetime) -> tuple[dict[str, Any], timedelta]:
        """The message, and by how long the queue should delay it."""
        delay = min(max(self.look_at - now, timedelta(0)), LONGEST_DELAY)
        detail = {
            "arn": self.key.arn,
            "created": self.key.created.isoformat(),
            "name": self.name,
            "look_at": _text(self.look_at),
            "by_sweep": self.by_sweep,
            "in_digest": self.in_digest,
        }
        message = {"detail-type": LOOK_DETAIL_TYPE, "source": "trainops", "time": _text(now + delay), "detail": detail}
        return message, delay


def look_at_pool(pool: PoolRecord) -> PoolLook | None:
    """The look that a pool waits for, or None when it waits for none."""
    if pool.look_at is None:
        return None
    return PoolLook(key=pool.key, name=pool.name, at=pool.look_at, look_at=pool.look_at)


def parse_look(message: Mapping[str, Any]) -> PoolLook:
    """The look in a message. Raises KeyError, TypeError or ValueError when it is none."""
    detail = message["detail"]
    return PoolLook(
        key=JobKey.of(detail["arn"], datetime.fromisoformat(detail["created"])),
        name=str(detail["name"]),
        at=datetime.fromisoformat(message["time"]),
        look_at=datetime.fromisoformat(detail["look_at"]),
        by_sweep=bool(detail["by_sweep"]),
        in_digest=bool(detail["in_digest"]),
    )


def _text(when: datetime) -> str:
    return when.astimezone(UTC).isoformat()
