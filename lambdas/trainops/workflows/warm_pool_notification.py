"""From an event about warm pools to one card for each channel it goes to; what it says comes from the ledger."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.family_events import LOOK, PIPELINE, STEP, TUNING
from trainops.domain.pool_actions import actions_before_end
from trainops.domain.quota_events import PREFIX as QUOTAS
from trainops.domain.report_cards import REPORT
from trainops.domain.state_changes import needed_time
from trainops.domain.storm_cards import LOOK as STORM_LOOK
from trainops.domain.warm_pool_cards import pool_card
from trainops.domain.warm_pool_digests import digest_card
from trainops.domain.warm_pool_events import PREFIX, SWEEP, PoolTrigger, pool_trigger
from trainops.domain.warm_pools import NewsKind
from trainops.outcomes import Outcome
from trainops.ports import PoolLedger
from trainops.telemetry import Field
from trainops.workflows.reading import reading
from trainops.workflows.telling import Desk

FAMILIES = frozenset({TUNING, PIPELINE, STEP, LOOK})


@dataclass(frozen=True, slots=True)
class WarmPoolNotification:
    """Handles one event; the words people choose by are such as WarmPoolEnded. `acting` is as for jobs."""

    pools: PoolLedger
    desk: Desk
    time_zone: tzinfo
    acting: Collection[str] = ()

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Hand the card in at the desk. Raises PoisonMessage when the event is not one of ours in form."""
        kind = str(event["detail-type"])
        word = kind.replace(" ", "")
        with reading():
            asked = needed_time(event["detail"], "at") if kind == SWEEP else pool_trigger(event)
        subject, found = self._pool(asked) if isinstance(asked, PoolTrigger) else self._digest(asked)
        if found is None:
            return Outcome(f"the ledger has no such news: {kind} of {subject}", {Field.IGNORED: 1}, subject)
        card, at = found
        return self.desk.tell(lambda: card, word=word, about=subject, at=at)

    def _pool(self, trigger: PoolTrigger) -> tuple[str, tuple[Card, datetime] | None]:
        pool = self.pools.pool(trigger.key)
        item = pool.news.get(trigger.news) if pool else None
        if pool is None or item is None:
            return trigger.key.arn, None
        at = trigger.at or item.at
        card = pool_card(pool, trigger.news, item, at, self.time_zone)
        if item.kind is NewsKind.ENDING and pool.team in self.acting:
            card = replace(card, actions=actions_before_end(pool))
        return pool.key.arn, (card, at)

    def _digest(self, at: datetime) -> tuple[str, tuple[Card, datetime] | None]:
        digest = self.pools.digest(at)
        return "warm pools", (digest_card(digest, digest.at, self.time_zone), digest.at) if digest else None


@dataclass(frozen=True, slots=True)
class Notifications:
    """One queue for all that people may hear of: each kind of event goes its way, and so do looks asked for earlier."""

    jobs: Callable[[Mapping[str, Any]], Outcome]
    warm_pools: Callable[[Mapping[str, Any]], Outcome]
    quotas: Callable[[Mapping[str, Any]], Outcome]
    families: Callable[[Mapping[str, Any]], Outcome]
    storms: Callable[[Mapping[str, Any]], Outcome]
    reports: Callable[[Mapping[str, Any]], Outcome]

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Hand the event on by its detail-type."""
        kind = str(event.get("detail-type", ""))
        if kind in FAMILIES:
            return self.families(event)
        if kind == STORM_LOOK:
            return self.storms(event)
        if kind.startswith(QUOTAS):
            return self.quotas(event)
        if kind == REPORT:
            return self.reports(event)
        return self.warm_pools(event) if kind.startswith(PREFIX) else self.jobs(event)
