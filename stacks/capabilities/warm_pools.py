"""Warm pools: kept while that pays, ended where a team enforces it, and swept for what events missed."""

import json
from collections.abc import Iterable, Mapping

from aws_cdk import Annotations
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from stacks.capabilities.shared import Shared
from stacks.capabilities.warm_pool_control import WarmPoolControl
from stacks.capabilities.warm_pool_sweep import WarmPoolSweep
from stacks.settings import Settings
from stacks.warm_pool_settings import GUIDE_KEEP_ALIVE, WarmPoolChoices

STANDARD_PARAMETER = 4096
"""Characters that an SSM parameter of the standard tier takes."""
DEFAULT = "default"


class WarmPools(Construct):
    """What teams chose, as parameters, and the two functions that read them."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        chosen = choices(shared.settings)
        prefix = f"/{shared.settings.name}/settings/warm-pools"
        readable = [
            self._stored(prefix, team, values).parameter_arn
            for team, values in parameters(chosen, shared.settings.teams).items()
        ]
        longest = max((item.longest_keep_alive for item in chosen.values() if item.mode == "enforce"), default=None)
        control = WarmPoolControl(self, "Control", shared, prefix=prefix, readable=readable, longest=longest)
        WarmPoolSweep(self, "Sweep", shared, prefix=prefix, readable=readable, looks=control.work)
        _warn_beyond_the_guide(self, shared.settings)

    def _stored(self, prefix: str, team: str, text: str) -> ssm.StringParameter:
        return ssm.StringParameter(
            self,
            f"Settings-{team}",
            parameter_name=f"{prefix}/{team}",
            string_value=text,
            description=f"What team {team} chose for its warm pools; written by the deployment",
        )


def choices(settings: Settings) -> Mapping[str, WarmPoolChoices]:
    """What every team chose, and `default` for all other jobs."""
    own = {name: team.warm_pools for name, team in settings.teams.items() if team.warm_pools}
    return {DEFAULT: settings.warm_pools, **own}


def parameters(chosen: Mapping[str, WarmPoolChoices], teams: Iterable[str]) -> dict[str, str]:
    """Each team's parameter as text; the default's names the teams that have one, and all that are configured. Raises
    ValueError when one is too long.
    """
    texts = {}
    for team, choice in chosen.items():
        names = {"teams": sorted(set(chosen) - {DEFAULT}), "known": sorted(teams)} if team == DEFAULT else {}
        texts[team] = json.dumps(choice.as_parameter() | names, sort_keys=True)
        if len(texts[team]) > STANDARD_PARAMETER:
            length = len(texts[team])
            raise ValueError(f"warm_pools of {team}: {length} characters, and a parameter takes {STANDARD_PARAMETER}")
    return texts


def _warn_beyond_the_guide(scope: Construct, settings: Settings) -> None:
    """The guide and the API model disagree on the longest period; which one an account has is not known here."""
    periods = {f"warm_pools of {name}": item.longest_keep_alive for name, item in choices(settings).items()}
    periods |= {f"limits of {name}": team.limits.keep_alive for name, team in settings.teams.items()}
    beyond = sorted(name for name, period in periods.items() if period > GUIDE_KEEP_ALIVE)
    if beyond:
        Annotations.of(scope).add_warning_v2(
            "trainops:keep-alive-beyond-guide",
            f"keep-alive periods above one hour in {', '.join(beyond)}: the developer guide takes 3600 seconds at "
            "most, the API model 21600; your account may refuse them",
        )
