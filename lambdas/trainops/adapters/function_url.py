"""Answers requests to a function URL: 200 for what is accepted, an error without a word for what is refused."""

from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.signals import Signals
from trainops.domain.chat_requests import RequestRefused, WebRequest, request_of
from trainops.errors import NotConfigured
from trainops.outcomes import Outcome
from trainops.telemetry import Metric

NOT_NOW = 503


class FunctionUrl:
    """A Lambda handler for payload format 2.0. Bodies, headers and addresses are never logged."""

    def __init__(self, handle: Callable[[WebRequest], Outcome]) -> None:
        self._handle = handle
        self._signals = Signals()

    def __call__(self, event: Mapping[str, Any], _context: LambdaContext) -> dict[str, Any]:
        """The response. What is raised beyond a refusal and a setting to repair is Lambda's to report, and Slack tells
        the person: a press that could not be queued is not acknowledged.
        """
        try:
            return {"statusCode": self._status(event), "body": ""}
        finally:
            self._signals.flush()

    def _status(self, event: Mapping[str, Any]) -> int:
        try:
            self._signals.outcome(self._handle(request_of(event)))
        except RequestRefused as error:
            self._signals.logger.warning("refused", reason=error.refusal.reason, refusal=error.refusal.name)
            self._signals.count(Metric.PRESSES_REFUSED)
            return error.refusal.status
        except NotConfigured as error:
            self._signals.logger.warning("not now", reason=str(error))
            self._signals.count(Metric.NOT_CONFIGURED)
            return NOT_NOW
        return 200
