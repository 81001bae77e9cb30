"""The cards about warm pools: one about each thing that is said of a pool, and the digest of a sweep."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal

from trainops.domain.cards import Card
from trainops.domain.keep_alive_history import History
from trainops.domain.training_jobs import WarmPool
from trainops.domain.warm_pool_cards import pool_card
from trainops.domain.warm_pool_digests import digest_card
from trainops.domain.warm_pool_events import PREFIX, SWEEP
from trainops.domain.warm_pool_holds import HOLD_TAG
from trainops.domain.warm_pool_outcomes import refused, seen, telling_end
from trainops.domain.warm_pool_plans import hold_news, plan_of
from trainops.domain.warm_pool_settings import Mode, PoolSettings
from trainops.domain.warm_pool_sweeps import digest_of, past_limit
from trainops.domain.warm_pools import PoolRecord, opened
from trainops_cli.cards.sample_runs import TAGS, Answer, arn, ended, record_of

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SETTINGS = PoolSettings(
    mode=Mode.ENFORCE,
    policy="fixed",
    waiting_usd_per_hour=Decimal(60),
    idle_limit=20 * MINUTE,
    grace=5 * MINUTE,
    longest_keep_alive=HOUR,
    longest_hold=4 * HOUR,
)
DENIED = "AccessDeniedException: an explicit deny in a service control policy"


def pool_cards(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """All of them."""
    idle = _pool("detector-41", now - 16 * MINUTE, now)
    yield _told(telling_end(idle, now + 5 * MINUTE, now), now, zone)
    yield _told(_ended(_pool("detector-42", now - 20 * MINUTE, now), now), now, zone)
    yield _told(refused(_pool("detector-43", now - 20 * MINUTE, now), DENIED, now), now, zone)
    for name, until in (
        ("detector-44", f"{(now + 2 * HOUR).astimezone(UTC):%Y-%m-%dT%H:%MZ}"),
        ("detector-45", "after lunch"),
    ):
        yield _told(_held(_pool(name, now - 5 * MINUTE, now, {HOLD_TAG: until}), now), now, zone)
    yield from _digests(now, zone)


def _pool(name: str, since: datetime, now: datetime, tags: Mapping[str, str] | None = None) -> PoolRecord:
    """A pool that waits since then, with the plan that its team's settings make of it now."""
    shape = {"InstanceType": "ml.g5.12xlarge", "InstanceCount": 2, "VolumeSizeInGB": 100}
    config: Answer = {"ResourceConfig": {**shape, "KeepAlivePeriodInSeconds": 3600}}
    job = ended(name, since, took=90 * MINUTE, WarmPoolStatus={"Status": "Available"}, **config)
    pool = replace(opened(record_of(job, since, tags={**TAGS, **(tags or {})})), confirmed=True)
    return replace(pool, plan=plan_of(pool, SETTINGS, History(), now)[0])


def _ended(pool: PoolRecord, now: datetime) -> PoolRecord:
    """The pool once SageMaker has confirmed that it was ended."""
    job = record_of(ended(pool.name, pool.ended, took=90 * MINUTE), now).job
    over = WarmPool("Terminated", retained_billable=now - pool.ended)
    return seen(replace(pool, requested_at=now), replace(job, warm_pool=over), now)


def _held(pool: PoolRecord, now: datetime) -> PoolRecord:
    news = hold_news(pool, SETTINGS, now)
    return pool.saying(*news) if news else pool


def _told(pool: PoolRecord, now: datetime, zone: tzinfo) -> Card:
    key, item = next(iter(pool.news.items()))
    return replace(pool_card(pool, key, item, now, zone), word=f"{PREFIX}{item.kind}".replace(" ", ""))


def _digests(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """Of many that are past their limit; of what became of them, when there are no others."""
    due = [past_limit(_pool(f"sweep-{number}", now - number * 9 * MINUTE, now), now) for number in range(3, 10)]
    done = [_ended(_pool(f"sweep-{number}", now - number * 9 * MINUTE, now), now) for number in range(1, 6)]
    for found, over in ((due, done[:2]), ([], done)):
        digest = digest_of(found, over, now - 15 * MINUTE, now, log_group="/aws/lambda/trainops-sweep", arn=arn("x"))
        yield replace(digest_card(digest, now, zone), word=SWEEP.replace(" ", ""))
