"""From an event about warm pools to one card on each channel's queue; what it says comes from the ledger."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.quota_events import PREFIX as QUOTAS
from trainops.domain.report_cards import REPORT
from trainops.domain.state_changes import parse_time
from trainops.domain.warm_pool_cards import pool_card
from trainops.domain.warm_pool_digests import digest_card
from trainops.domain.warm_pool_events import PREFIX, SWEEP, pool_trigger
from trainops.ports import PoolLedger, Queue
from trainops.telemetry import Field, Outcome
from trainops.workflows.telling import reading, tell


@dataclass(frozen=True, slots=True)
class WarmPoolNotification:
    """Handles one event. `told` holds the words people choose by, such as WarmPoolEnded."""

    pools: PoolLedger
    channels: Sequence[Queue]
    told: Sequence[str]
    time_zone: tzinfo

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Put the card on every channel's queue. Raises PoisonMessage when the event is not one of ours in form."""
        kind = str(event["detail-type"])
        word = kind.replace(" ", "")
        with reading():
            card, subject = self._digest(event) if kind == SWEEP else self._pool(event)
        if card is None:
            return Outcome(f"the ledger has no such news: {kind} of {subject}", {Field.IGNORED: 1}, subject)
        return tell(lambda: card, word=word, about=subject, told=self.told, channels=self.channels)

    def _pool(self, event: Mapping[str, Any]) -> tuple[Card | None, str]:
        trigger = pool_trigger(event)
        pool = self.pools.pool(trigger.key)
        item = pool.news.get(trigger.news) if pool else None
        if pool is None or item is None:
            return None, trigger.key.arn
        return pool_card(pool, trigger.news, item, trigger.at or item.at, self.time_zone), pool.key.arn

    def _digest(self, event: Mapping[str, Any]) -> tuple[Card | None, str]:
        at = parse_time(event["detail"]["at"])
        digest = self.pools.digest(at) if at else None
        return (digest_card(digest, digest.at, self.time_zone) if digest else None), "warm pools"


@dataclass(frozen=True, slots=True)
class Notifications:
    """One queue for all that people may hear of: events about pools, quotas, reports and jobs each go their way."""

    jobs: Callable[[Mapping[str, Any]], Outcome]
    warm_pools: Callable[[Mapping[str, Any]], Outcome]
    quotas: Callable[[Mapping[str, Any]], Outcome]
    reports: Callable[[Mapping[str, Any]], Outcome]

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Hand the event on by its detail-type."""
        kind = str(event.get("detail-type", ""))
        if kind.startswith(QUOTAS):
            return self.quotas(event)
        if kind == REPORT:
            return self.reports(event)
        return self.warm_pools(event) if kind.startswith(PREFIX) else self.jobs(event)
