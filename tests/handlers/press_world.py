"""Presses of buttons in a world of pools: as `chat_action_work` would have allowed them."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.builders import price
from tests.chat import ANSWER_TO, USER, FakePresses
from tests.fakes import FakeQueue
from tests.handlers.pool_world import PoolWorld
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.cards import ActionName
from trainops.domain.presses import Press, PressRecord, PressState
from trainops.workflows.warm_pool_presses import PoolPresses


class PressWorld(PoolWorld):
    """A world whose pools people may act on."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.presses, self.answers = FakePresses(), FakeQueue()
        turn = self.control.turn
        acting = PoolPresses(
            ledger=self.ledger,
            pools=self.pools,
            presses=self.presses,
            settings=self.settings,
            discovery=self.control.discovery,
            release=turn.release,
            warm_pools=turn.release.warm_pools,
            turn=turn,
            kill_switch=self.kill_switch,
            answers=self.answers,
        )
        self.control = replace(self.control, presses=acting)


def press_world(**chosen: Any) -> PressWorld:
    """One whose team made these choices, with a known price."""
    return PressWorld(FakeSettings(settings(**chosen)), price=price())


def press(w: PoolWorld, action: str, name: str = "job-1", *, until: datetime | None = None, number: int = 1) -> Press:
    """A press at this moment; presses with one `number` are repetitions of one."""
    return Press(
        id=f"{USER}#{number}",
        action=ActionName(action),
        key=w.key(name),
        user=USER,
        at=w.now,
        answer_to=ANSWER_TO,
        until=until,
        thread="1.1",
    )


def allow(w: PressWorld, pressed: Press, team: str = "default", **fields: Any) -> Press:
    """What the ledger has of a press whose person may act on the team's pools."""
    known: dict[str, Any] = {"person": "vision-oncall@example.com", "state": PressState.ALLOWED, "said": ""}
    w.presses.begin(PressRecord(press=pressed, team=team, **{**known, **fields}))
    return pressed


def answer(w: PressWorld, pressed: Press) -> str:
    """Let control handle the press; what the person is told."""
    w.queue.send([pressed.to_message()])
    w.settle()
    return str(w.answers.sent[-1]["detail"]["text"])
