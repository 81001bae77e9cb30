"""The ledger's items of warm pools, and what a sweep remembers.

Item of a pool: `pk` "POOL#<job ARN>", `sk` the job's creation time, `version`, `record` (the whole `PoolRecord`) and
the index's key: while it is open `look` is "pool" and `look_at` its next look, afterwards "pool-over" and its end. To
both times team and match fingerprint are added, so that the pools of either are found without reading any other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from trainops.adapters.ledger import job_item, job_key
from trainops.adapters.ledger_table import Item, LedgerTable, expiry, instant, records
from trainops.adapters.record_codec import to_map
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_sweeps import Digest
from trainops.domain.warm_pools import PoolRecord

POOL = "POOL#"
OPEN, OVER = "pool", "pool-over"
LEASE = {"pk": "WARM-POOLS", "sk": "lease"}
DIGESTS_KEPT = timedelta(days=30)
FIRST, LAST = "0", "9"
"""Before and after every time in the index."""


@dataclass(frozen=True, slots=True)
class DynamoPoolLedger:
    """Implements `ports.PoolLedger`."""

    table: LedgerTable
    retention: timedelta = timedelta(days=400)

    def pool(self, key: JobKey) -> PoolRecord | None:
        """GetItem with a consistent read."""
        return self.table.record(PoolRecord, job_item(POOL, key))

    def pools(self, keys: Sequence[JobKey]) -> Mapping[JobKey, PoolRecord]:
        """BatchGetItem."""
        found = self.table.batch([job_item(POOL, key) for key in keys])
        return {pool.key: pool for pool in records(PoolRecord, found)}

    def put_pool(self, pool: PoolRecord) -> PoolRecord:
        """PutItem on condition that the stored version is the one that was read."""
        when = pool.look_at or pool.expires if pool.open else pool.released or pool.ended
        return self.table.put_record(
            job_item(POOL, pool.key),
            pool,
            f"the pool of {pool.name}",
            team=pool.team,
            expires_at=expiry(pool.ended + self.retention),
            look=OPEN if pool.open else OVER,
            look_at=f"{instant(when)}#{pool.team}#{pool.match_fingerprint or ''}",
        )

    def open_pools(self, until: datetime) -> Sequence[JobKey]:
        """Query the index; looks up to the given second."""
        return [job_key(item) for item in self.table.looks(OPEN, FIRST, f"{instant(until)}~")]

    def pools_over(self, since: datetime, until: datetime) -> Sequence[JobKey]:
        """Query the index by the pools' end."""
        return [job_key(item) for item in self.table.looks(OVER, instant(since), instant(until))]

    def pools_like(self, fingerprint: str, since: datetime) -> Sequence[JobKey]:
        """Query the keys of all open pools and of those that went since then; an index entry is about 200 bytes."""
        return [job_key(item) for item in self._entries(since) if item["look_at"].endswith(f"#{fingerprint}")]

    def pools_around(
        self, team: str, fingerprint: str | None, since: datetime, until: datetime, most: int
    ) -> Sequence[JobKey]:
        """Query the keys as `pools_like` does; what is beyond the limit is not read."""
        found = []
        for item in self._entries(since, instant(until)):
            _, theirs, of = _entry(item)
            if of == fingerprint or theirs == team:
                found.append((of == fingerprint, item["sk"], job_key(item)))
        return [key for *_, key in sorted(found, key=lambda item: item[:2], reverse=True)[:most]]

    def _entries(self, since: datetime, until: str = LAST) -> Iterator[Item]:
        yield from self.table.looks(OPEN, FIRST, LAST)
        yield from self.table.looks(OVER, instant(since), until)

    def take_lease(self, now: datetime, until: datetime) -> bool:
        """PutItem on condition that no lease reaches beyond now."""
        lease = {**LEASE, **self._sweep(), "held_until": instant(until), "began": instant(now)}
        return self.table.put(lease, "attribute_not_exists(pk) OR held_until <= :now", now=instant(now))

    def give_lease_back(self, now: datetime, *, complete: bool) -> None:
        """The lease ends when its sweep does; that the sweep came to its end is written with it."""
        ended = {"ended": instant(now)} if complete else self._sweep()
        lease = {**LEASE, "held_until": instant(now), "began": instant(now), **ended}
        self.table.put(lease, "began = :now", now=instant(now))

    def last_sweep(self) -> datetime | None:
        """GetItem of the lease."""
        ended = self._sweep().get("ended")
        return datetime.fromisoformat(ended) if ended else None

    def digest(self, at: datetime) -> Digest | None:
        """GetItem by the sweep's time."""
        return self.table.record(Digest, _digest_key(at))

    def put_digest(self, digest: Digest) -> None:
        """PutItem; a repetition of the same sweep writes the same time."""
        kept = expiry(digest.at + DIGESTS_KEPT)
        self.table.put({**_digest_key(digest.at), "record": to_map(digest), "expires_at": kept})

    def _sweep(self) -> dict[str, Any]:
        item = self.table.get(LEASE) or {}
        return {"ended": item["ended"]} if "ended" in item else {}


def _entry(item: Mapping[str, Any]) -> tuple[str, str, str]:
    """Time, team and fingerprint in the index's key."""
    rest, _, fingerprint = str(item["look_at"]).rpartition("#")
    when, _, team = rest.partition("#")
    return when, team, fingerprint


def _digest_key(at: datetime) -> dict[str, str]:
    return {"pk": "WARM-POOLS", "sk": f"digest#{instant(at.astimezone(UTC))}"}
