"""The daily synthetic message: off unless a test channel is named."""

from typing import Annotated

from stacks.setting_types import Choices, Text, form

TEAM = "trainops-self-check"
"""The team of the synthetic job, as `trainops.domain.self_checks` tags it."""
ARRIVES_AS = "Completed"
TestChannel = Annotated[
    Text,
    form(
        r"slack|email|[CG][A-Z0-9]{8,}|#[a-z0-9_-]{1,80}|[^@\s,;<>]+@[^@\s,;<>]+\.[^@\s,;<>]+",
        "slack, email, a Slack channel's ID (C…) or name in quotes, or an e-mail address",
    ),
]


class SelfCheckSettings(Choices):
    """Where the synthetic message goes."""

    to: TestChannel | None = None

    @property
    def routes(self) -> tuple[dict[str, object], ...]:
        """The route of the synthetic job alone, before all others."""
        return ({"teams": (TEAM,), "statuses": (ARRIVES_AS,), "to": (self.to,)},) if self.to else ()


def delivery_of(to: str) -> str:
    """The function that brings a message to a channel."""
    return "email_delivery" if to == "email" or "@" in to else "slack_delivery"
