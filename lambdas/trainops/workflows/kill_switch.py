"""Keeps an action from happening while the kill switch is on, before anything else about it is remembered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from trainops.outcomes import Outcome
from trainops.ports import KillSwitch
from trainops.telemetry import Field


@dataclass(frozen=True, slots=True)
class UnlessStopped:
    """Hands a message on, or lets it go unsent: what was suppressed is counted, and not made up for later."""

    kill_switch: KillSwitch
    act: Callable[[Mapping[str, Any]], Outcome]

    def __call__(self, message: Mapping[str, Any]) -> Outcome:
        """Act unless stopped. Raises NotConfigured when the switch cannot be read."""
        if self.kill_switch.is_on():
            return Outcome("the kill switch is on: not sent", {Field.SUPPRESSED: 1}, message.get("job_name"))
        return self.act(message)
