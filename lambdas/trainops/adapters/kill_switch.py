"""The one SSM parameter that stops every action without a deploy."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.parameters import SSMProvider
from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError

from trainops.errors import NotConfigured

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
        try:
            value = self.provider.get(self.parameter, max_age=int(MAX_AGE.total_seconds()))
        except GetParameterError as error:
            raise NotConfigured(f"the kill switch {self.parameter} cannot be read: {error}") from error
        return str(value).strip().lower() != OFF
