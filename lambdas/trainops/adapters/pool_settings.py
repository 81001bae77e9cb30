"""What teams chose for their warm pools: one SSM parameter per team, read at run time and at most a minute old.

`<prefix>/default` holds the settings of every other job, and the names of the teams: so a team's parameter that went
missing is noticed, and nothing of that team is ended by rules that are not its own.
"""

import json
from dataclasses import dataclass
from datetime import time, timedelta, tzinfo
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from aws_lambda_powertools.utilities.parameters import SSMProvider
from dacite import Config, DaciteError, from_dict

from trainops.adapters.parameters import text_of
from trainops.domain.warm_pool_settings import DEFAULT_TEAM, Mode, PoolSettings
from trainops.errors import NotConfigured

MAX_AGE = timedelta(minutes=1)
TEAMS = "teams"
"""In the default's parameter: the teams that have one of their own, which is all that are configured."""
_CONFIG = Config(
    type_hooks={
        timedelta: lambda seconds: timedelta(seconds=float(seconds)),
        Decimal: lambda text: Decimal(str(text)),
        time: time.fromisoformat,
        tzinfo: ZoneInfo,
    },
    cast=[tuple, Mode],
    strict=True,
)


@dataclass(frozen=True, slots=True)
class SsmTeamSettings:
    """Implements `ports.TeamSettings`."""

    provider: SSMProvider
    prefix: str

    @classmethod
    def of(cls, ssm: Any, prefix: str) -> "SsmTeamSettings":
        """The settings read through a boto3 `ssm` client."""
        return cls(SSMProvider(boto3_client=ssm), prefix)

    def for_team(self, team: str) -> PoolSettings:
        """GetParameter of the default's parameter, and of the team's when it has one."""
        default = self._read(DEFAULT_TEAM)
        return self._parsed(team if team in default.get(TEAMS, ()) else DEFAULT_TEAM)

    def counted_as(self, team: str) -> str:
        """From the default's parameter, which names all configured teams."""
        return team if team in self._read(DEFAULT_TEAM).get(TEAMS, ()) else DEFAULT_TEAM

    def _parsed(self, team: str) -> PoolSettings:
        raw = {name: value for name, value in self._read(team).items() if name != TEAMS}
        try:
            parsed: PoolSettings = from_dict(PoolSettings, raw, _CONFIG)
        except (DaciteError, ValueError, ArithmeticError, KeyError, TypeError) as error:
            raise NotConfigured(f"{self.prefix}/{team} is malformed: {error}") from error
        return parsed

    def _read(self, team: str) -> dict[str, Any]:
        name = f"{self.prefix}/{team}"
        text = text_of(self.provider, name, MAX_AGE, name)
        try:
            value = json.loads(text)
        except ValueError as error:
            raise NotConfigured(f"{name} is not JSON: {error}") from error
        if not isinstance(value, dict):
            raise NotConfigured(f"{name} holds no JSON object, but {type(value).__name__}")
        return value
