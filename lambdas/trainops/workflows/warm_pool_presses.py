"""What a person's press does to a warm pool: ended, extended or held, told, and answered.

Only a press that the ledger has as allowed counts; the message itself allows nothing. It is done when it is written so,
which comes last: whatever a crash repeats has the same result.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from trainops.chat_ports import Presses
from trainops.domain.cards import ActionName
from trainops.domain.pool_wishes import (
    PAUSED,
    RETRY,
    kept_words,
    over,
    stopped_words,
    stopping,
    wanted,
    wish,
    without_pool,
)
from trainops.domain.presses import Press, PressRecord, PressState
from trainops.domain.warm_pool_looks import PoolLook
from trainops.domain.warm_pools import PoolRecord
from trainops.errors import UpdateRefused
from trainops.outcomes import Outcome
from trainops.ports import KillSwitch, Ledger, PoolLedger, Queue, TeamSettings, WarmPools
from trainops.telemetry import Field
from trainops.workflows.reading import reading
from trainops.workflows.warm_pool_discovery import PoolDiscovery
from trainops.workflows.warm_pool_release import PoolRelease
from trainops.workflows.warm_pool_turn import PoolTurn

Done = tuple[Outcome, str]
"""What came of a press, for the log and in words for the person."""


@dataclass(frozen=True, slots=True)
class PoolPresses:
    """Handles one press; `answers` is the queue of `chat_action_work`."""

    ledger: Ledger
    pools: PoolLedger
    presses: Presses
    settings: TeamSettings
    discovery: PoolDiscovery
    release: PoolRelease
    warm_pools: WarmPools
    turn: PoolTurn
    kill_switch: KillSwitch
    answers: Queue

    def __call__(self, message: Mapping[str, Any]) -> Outcome:
        """Raises PoisonMessage when it is no press, TryLater and NotConfigured."""
        with reading("not a press"):
            press = Press.from_message(message)
        record = self.presses.get(press)
        if record is None or record.state is PressState.REFUSED:
            return Outcome("the ledger has not allowed this press", {Field.IGNORED: 1}, press.key.arn)
        if record.state is PressState.DONE:
            return Outcome(f"{press.action} by {press.user}: was done before", job=press.key.arn)
        outcome, said = self._acted(record)
        self.answers.send([press.answered(said, to_all=True)])
        self.presses.put(replace(self.presses.get(press) or record, state=PressState.DONE, said=said))
        return replace(outcome, reason=f"{press.action} by {press.user}: {said} {outcome.reason}".strip())

    def _acted(self, record: PressRecord) -> Done:
        press = record.press
        if self.kill_switch.is_on():
            return Outcome("", {Field.SUPPRESSED: 1}, press.key.arn), PAUSED
        pool = self._pool(press)
        if pool is None or not pool.open:
            return _nothing(press, over(pool) if pool else without_pool(self.ledger.job(press.key)))
        if pool.team != record.team:
            return _nothing(press, f"{pool.name} is not a job of team {record.team} any more, so nothing was done.")
        current = self.release.read(pool, press.at, tags=True)
        if not current.open:
            return self.turn.by_hand(current, press.at), over(current)
        if not current.confirmed:
            return _nothing(press, RETRY)
        return self._stopped(current, press) if press.action is ActionName.STOP else self._kept(current, record)

    def _pool(self, press: Press) -> PoolRecord | None:
        if known := self.pools.pool(press.key):
            return known
        record = self.ledger.job(press.key)
        if record is None or not record.job.terminal:
            return None
        at = press.at
        return self.discovery(PoolLook(key=press.key, name=record.job.name, at=at, look_at=at, by_sweep=False))

    def _stopped(self, pool: PoolRecord, press: Press) -> Done:
        planned, _ = self.turn.planned(pool, press.at)
        assert planned.plan is not None  # noqa: S101 - planned() has just set it
        after = self.release.end(stopping(planned, planned.plan, press), press.at, self.pools.put_pool)
        return self.turn.by_hand(after, press.at), stopped_words(after)

    def _kept(self, pool: PoolRecord, record: PressRecord) -> Done:
        press, settings = record.press, self.settings.for_team(pool.team)
        asked = wish(press, pool, settings, record.keep_until)
        if asked.until is None:
            return _nothing(press, asked.words)
        self.presses.put(replace(record, keep_until=asked.until))
        if press.action is ActionName.HOLD:
            try:
                self.warm_pools.hold(pool.key.arn, asked.until)
            except UpdateRefused as error:
                return _nothing(press, f"SageMaker would not tag {pool.name}: {error}")
        longer = self.release.extend(
            wanted(pool, asked.until, press), asked.until, settings.longest_keep_alive, press.at
        )
        return self.turn.by_hand(longer, press.at), kept_words(longer, asked.until, asked.words)


def _nothing(press: Press, said: str) -> Done:
    return Outcome("", job=press.key.arn), said
