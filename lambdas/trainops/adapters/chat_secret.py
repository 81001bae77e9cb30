"""The fields of the Slack app's secret, each read when it is needed and at most a minute old."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

from aws_lambda_powertools.utilities.parameters import SecretsProvider

from trainops.adapters.parameters import text_of
from trainops.errors import NotConfigured

MAX_AGE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ChatSecret:
    """JSON with `signing_secret` and `token` of the app, and `api_url` where Slack is not at slack.com."""

    provider: SecretsProvider
    name: str

    @classmethod
    def of(cls, secretsmanager: Any, name: str) -> Self:
        """The secret of this name, read through a boto3 `secretsmanager` client."""
        return cls(SecretsProvider(boto3_client=secretsmanager), name)

    def get(self, field: str) -> str | None:
        """GetSecretValue; None without the field. Raises NotConfigured when the secret cannot be read."""
        text = text_of(self.provider, self.name, MAX_AGE, f"the secret {self.name}")
        try:
            value = json.loads(text).get(field)
        except (ValueError, AttributeError):
            # Not chained: the error quotes the secret.
            raise NotConfigured(f"the secret {self.name} is no JSON object") from None
        return str(value) if value else None

    def need(self, field: str) -> str:
        """The field. Raises NotConfigured when it is not there."""
        value = self.get(field)
        if value is None:
            raise NotConfigured(f"the secret {self.name} has no {field}; actions in Slack need it")
        return value
