"""Warm pools, leases, digests and histories against DynamoDB as moto plays it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.adapters.ledger_table import TABLE, table
from tests.builders import CREATED, arn, at, job, price, record
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.domain.keep_alive_economics import Stakes
from trainops.domain.keep_alive_guard import Trial
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pool_sweeps import Digest
from trainops.domain.warm_pools import News, NewsKind, Plan, PoolRecord, PoolState, opened
from trainops.errors import LedgerConflict

HOUR = timedelta(hours=1)
TRIAL = Trial("histogram", 120.5, 0.0, 300.25, 3600.0, Stakes(2.5, 0.001))


@pytest.fixture
def rows() -> Iterator[LedgerTable]:
    with table() as dynamodb:
        yield LedgerTable(dynamodb, TABLE)


@pytest.fixture
def pools(rows: LedgerTable) -> DynamoPoolLedger:
    return DynamoPoolLedger(rows)


def pool(name: str = "resnet-1", **fields: Any) -> PoolRecord:
    """A pool of an hour after a job that ended at minute 30."""
    ended = job(name, key=JobKey.of(arn(name), CREATED), keep_alive=HOUR, match_fingerprint="f00d")
    return replace(opened(record(ended, price=price())), **{"look_at": at(40), **fields})


FULL = pool(
    plan=Plan(
        due=at(40),
        mode=Mode.ENFORCE,
        policy="fixed",
        reason="why",
        waiting_usd_per_hour=Decimal("60.5"),
        holding=at(90),
    ),
    news={"Held/x": News(NewsKind.HELD, at(31), "because", published=True)},
    tags={"team": "vision"},
    match={"InstanceType": "ml.g5.xlarge"},
    extended_at=at(50),
    refusal="no",
    next_job="resnet-2",
    in_digest=True,
)


def test_a_pool_comes_back_as_it_was_written(pools: DynamoPoolLedger) -> None:
    written = pools.put_pool(FULL)
    assert written.version == 1
    assert pools.pool(FULL.key) == written
    assert pools.pools([FULL.key, JobKey.of(arn("other"), CREATED)]) == {FULL.key: written}


def test_a_pool_that_goes_while_the_index_is_read_is_found_twice_and_read_once(
    pools: DynamoPoolLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = pools.put_pool(pool(look_at=at(40)))
    looks, queried = LedgerTable.looks, list[str]()

    def one_goes(table: LedgerTable, look: str, *between: Any) -> Iterator[Any]:
        """The pool is released between the query of what is open and that of what is over."""
        if queried:
            pools.put_pool(replace(written, state=PoolState.EXPIRED, released=at(35)))
        queried.append(look)
        return looks(table, look, *between)

    monkeypatch.setattr(LedgerTable, "looks", one_goes)
    keys = pools.pools_around(written.team, "f00d", at(0), at(90), 10)
    assert (queried, keys) == (["pool", "pool-over"], [written.key, written.key])
    [found] = pools.pools(keys).values()
    assert found.state is PoolState.EXPIRED


def test_of_two_writes_of_one_version_the_second_is_refused(pools: DynamoPoolLedger) -> None:
    first = pools.put_pool(FULL)
    pools.put_pool(first)
    for stale in (FULL, first):
        with pytest.raises(LedgerConflict):
            pools.put_pool(stale)


def test_open_pools_are_found_by_their_next_look_and_those_that_are_over_by_their_end(pools: DynamoPoolLedger) -> None:
    late, soon = pools.put_pool(pool("late", look_at=at(90))), pools.put_pool(pool("soon", look_at=at(40)))
    assert pools.open_pools(at(89)) == [soon.key]
    assert pools.open_pools(at(90)) == [soon.key, late.key]
    pools.put_pool(replace(soon, state=PoolState.ENDED, released=at(45), look_at=None))
    assert pools.open_pools(at(90)) == [late.key]
    assert pools.pools_over(at(45), at(46)) == [soon.key]
    assert pools.pools_over(at(44), at(45)) == []


def test_pools_of_one_fingerprint_are_found_open_or_lately_over(pools: DynamoPoolLedger) -> None:
    pools.put_pool(pool("open"))
    pools.put_pool(pool("lately", state=PoolState.REUSED, released=at(50)))
    pools.put_pool(pool("long-ago", state=PoolState.ENDED, released=at(-500)))
    pools.put_pool(pool("unlike", match_fingerprint="beef"))
    found = {key.lower_case_name for key in pools.pools_like("f00d", at(0))}
    assert found == {"open", "lately"}


def test_pools_around_a_job_are_those_of_its_fingerprint_and_then_its_teams_youngest(pools: DynamoPoolLedger) -> None:
    def put(name: str, minute: float, fingerprint: str, **fields: Any) -> JobKey:
        key = JobKey.of(arn(name), at(minute))
        return pools.put_pool(replace(pool(name, match_fingerprint=fingerprint, **fields), key=key)).key

    over: dict[str, Any] = {"state": PoolState.EXPIRED, "look_at": None}
    alike = put("alike", 1, "f00d", **over, released=at(55))
    young, old = put("young", 9, "beef"), put("old", 3, "beef", **over, released=at(60))
    put("before", 20, "f00d", **over, released=at(20))
    put("after", 21, "f00d", **over, released=at(90))
    theirs = put("theirs", 12, "beef", team="speech")
    shared = put("shared", 2, "f00d", team="speech")
    team = pool("any").team
    assert pools.pools_around(team, "f00d", at(50), at(80), 100) == [shared, alike, young, old]
    assert pools.pools_around(team, "f00d", at(50), at(80), 3) == [shared, alike, young]
    assert pools.pools_around(team, None, at(50), at(80), 1) == [young]
    assert pools.pools_around("speech", None, at(50), at(80), 9) == [theirs, shared]


def test_a_busy_account_hides_no_pool_of_a_team(pools: DynamoPoolLedger) -> None:
    candidate = pools.put_pool(pool("candidate", match_fingerprint="beef"))
    for number in range(120):
        other = pool(f"other-{number}", team="speech", match_fingerprint="cafe")
        pools.put_pool(replace(other, key=JobKey.of(arn(f"other-{number}"), at(5))))
    assert pools.pools_around(candidate.team, "f00d", at(0), at(80), 100) == [candidate.key]


def test_more_than_a_hundred_pools_are_read_and_found(pools: DynamoPoolLedger) -> None:
    keys = [pools.put_pool(pool(f"p-{number:03}")).key for number in range(130)]
    assert set(pools.pools(keys)) == set(keys)
    assert set(pools.open_pools(at(40))) == set(keys)


def test_one_sweep_has_the_lease_until_it_gives_it_back_or_its_time_is_over(pools: DynamoPoolLedger) -> None:
    assert pools.take_lease(at(0), at(10))
    assert not pools.take_lease(at(9), at(19))
    pools.give_lease_back(at(0), complete=True)
    assert pools.last_sweep() == at(0)
    assert pools.take_lease(at(9), at(19))
    assert pools.last_sweep() == at(0), "a sweep that has begun has not come to its end"
    assert pools.take_lease(at(19), at(29)), "killed, it holds up nobody for longer"
    pools.give_lease_back(at(9), complete=True)
    assert pools.last_sweep() == at(0), "one that lost its lease says nothing any more"
    pools.give_lease_back(at(19), complete=False)
    assert pools.last_sweep() == at(0)


def test_a_digest_comes_back_by_its_time(pools: DynamoPoolLedger) -> None:
    digest = Digest(
        at=at(0), count=77, idle_hours=Decimal("12.5"), idle_usd=None, without_price=1, top=("a", "b"), arn=arn()
    )
    pools.put_digest(digest)
    assert pools.digest(at(0)) == digest
    assert pools.digest(at(1)) is None
