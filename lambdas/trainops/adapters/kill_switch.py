"""The one SSM parameter that stops every action without a deploy."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.parameters import SSMProvider

from trainops.adapters.parameters import text_of

MAX_AGE = timedelta(seconds=30)
OFF = "off"


@dataclass(frozen=True, slots=True)
class SsmKillSwitch:
    """Implements `ports.KillSwitch`. Any value but "off" stops all actions; a parameter that cannot be read stops the
    message, since not knowing is no permission to act.
    """

    provider: SSMProvider
    parameter: str

    @classmethod
    def of(cls, ssm: Any, parameter: str) -> "SsmKillSwitch":
        """The switch read through a boto3 `ssm` client."""
        return cls(SSMProvider(boto3_client=ssm), parameter)

    def is_on(self) -> bool:
        """GetParameter, at most half a minute old. Raises NotConfigured when it cannot be read."""
        value = text_of(self.provider, self.parameter, MAX_AGE, f"the kill switch {self.parameter}")
        return value.strip().lower() != OFF
