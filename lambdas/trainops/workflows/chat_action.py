"""From a request on the function URL to a press on the queue: verified, and nothing else."""

from dataclasses import dataclass
from typing import Protocol

from trainops.domain.chat_requests import WebRequest, check_signature, press_in
from trainops.outcomes import Outcome
from trainops.ports import Queue


class AppSecret(Protocol):
    """The Slack app's secret."""

    def need(self, field: str) -> str:
        """A field. Raises NotConfigured when it is not there."""

    def get(self, field: str) -> str | None:
        """A field, or None."""


@dataclass(frozen=True, slots=True)
class ChatAction:
    """Handles one request; `presses` is the queue of `chat_action_work`."""

    secret: AppSecret
    presses: Queue
    workspace: str

    def __call__(self, request: WebRequest) -> Outcome:
        """Queue the press. Raises RequestRefused for what is none of ours, NotConfigured and TryLater."""
        check_signature(request, self.secret.need("signing_secret"))
        press = press_in(request, self.workspace, self.secret.get("api_url"))
        self.presses.send([press.to_message()])
        return Outcome(f"{press.action} pressed by {press.user}", job=press.key.arn)
