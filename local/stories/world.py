"""Where a story is played: what the interpreter asks of an account, and of the product that is deployed in it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

Json = dict[str, Any]


class Refused(Exception):
    """SageMaker refused a call: the code and the message of its error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Product(Protocol):
    """What people see of the deployed product, and what can be done to it."""

    def settle(self, enough: Callable[[], bool] = lambda: True) -> None:
        """Let the product work until its queues are empty and there is enough; give up after a while."""

    def slack(self) -> Sequence[str]:
        """The texts of the channel's messages since the story began."""

    def mail(self) -> Sequence[str]:
        """Subject and text of the e-mails since the story began."""

    def dead_letters(self) -> int:
        """Messages that were given up since the story began."""

    def fail_slack(self, status: int, times: int, retry_after: timedelta | None) -> None:
        """Let Slack answer the next messages so."""

    def kill_switch(self, *, on: bool) -> None:
        """Turn the product's kill switch, seen at once."""

    def pool_mode(self, team: str, mode: str) -> None:
        """Change a team's mode for warm pools as a deployment does, seen at once."""

    def reconcile(self) -> None:
        """Run the reconciler as its schedule does."""

    def sweep(self) -> None:
        """Run the sweep of warm pools as its schedule does."""


class World(Protocol):
    """One account at one place with its own clock; `product` is None where nothing is deployed."""

    @property
    def product(self) -> Product | None:
        """The deployed product."""

    def now(self) -> datetime:
        """The simulated moment."""

    def pass_until(self, moment: datetime, look: Callable[[], None]) -> None:
        """Let time pass; `look` is called meanwhile or afterwards. A moment that has passed is no error."""

    def call(self, operation: str, **request: Any) -> Json:
        """One call of SageMaker's API, not repeated; Refused when it answers an error."""

    def role_arn(self, name: str) -> str:
        """An execution role of that name, which exists."""

    def plan(self, job: str, fields: Json) -> None:
        """Script a job before it is created."""

    def switch(self, positions: Json) -> None:
        """Turn unverified behaviours of SageMaker."""

    def set_quota(self, quota: str, value: float) -> None:
        """Apply a quota's value, by its name or code."""

    def set_limits(self, *, on: bool) -> None:
        """Enforce the request rates or not."""

    def set_event_faults(self, fields: Json) -> None:
        """Lose, repeat, reorder or delay events from now on."""

    def delivery(self) -> Mapping[str, int]:
        """What became of the events since the faults were set."""

    def events(self) -> Sequence[Json]:
        """The genuine events of SageMaker so far, delivered or not, as PutEvents entries."""

    def rates(self) -> Mapping[str, Mapping[str, int]]:
        """By operation: calls `allowed` and `throttled` since the story began, and their `peak` per second."""
