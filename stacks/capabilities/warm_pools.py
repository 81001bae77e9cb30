"""Warm pools: kept while that pays, ended where a team enforces it, and swept for what events missed."""

import json

from aws_cdk import aws_ssm as ssm
from constructs import Construct

from stacks.building_blocks.job_updates import longest_keep_alive
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.chat_actions import TIMEOUT, ChatActions
from stacks.capabilities.shared import Shared
from stacks.capabilities.warm_pool_control import WarmPoolControl
from stacks.capabilities.warm_pool_sweep import WarmPoolSweep
from stacks.settings import Settings

STANDARD_PARAMETER = 4096
"""Characters that an SSM parameter of the standard tier takes."""
DEFAULT = "default"


class WarmPools(Construct):
    """What teams chose, as parameters, and the two functions that read them."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        settings, prefix = shared.settings, f"/{shared.settings.name}/settings/warm-pools"
        texts = parameters(settings)
        readable = [self._stored(prefix, team, text).parameter_arn for team, text in texts.items()]
        presses = self._presses(shared) if settings.actions.slack_workspace else None
        control = WarmPoolControl(
            self, "Control", shared, prefix=prefix, readable=readable, enforced=enforced(settings), presses=presses
        )
        if presses:
            ChatActions(self, "Chat", shared, presses=presses, control=control.work, prefix=prefix, readable=readable)
        WarmPoolSweep(self, "Sweep", shared, prefix=prefix, readable=readable, looks=control.work)

    def _presses(self, shared: Shared) -> WorkQueue:
        dead_letters = shared.foundation.dead_letter_queues.chat_action_work
        return WorkQueue(self, "Presses", dead_letter_queue=dead_letters, timeout=TIMEOUT)

    def _stored(self, prefix: str, team: str, text: str) -> ssm.StringParameter:
        return ssm.StringParameter(
            self,
            f"Settings-{team}",
            parameter_name=f"{prefix}/{team}",
            string_value=text,
            description=f"What team {team} chose for its warm pools; written by the deployment",
        )


def parameters(settings: Settings) -> dict[str, str]:
    """Each team's parameter as text, and `default` for all other jobs, which names the teams. Raises ValueError when
    one is too long.
    """
    default = settings.warm_pools.as_parameter(longest_keep_alive(settings.teams))
    texts = {DEFAULT: json.dumps(default | {"teams": sorted(settings.teams)}, sort_keys=True)}
    for name, team in settings.teams.items():
        chosen = team.warm_pools or settings.warm_pools
        values = chosen.as_parameter(team.limits.keep_alive)
        if settings.actions.slack_workspace:
            values["people"] = sorted({*team.owners, *team.members})
        texts[name] = json.dumps(values, sort_keys=True)
    for name, text in texts.items():
        if len(text) > STANDARD_PARAMETER:
            raise ValueError(
                f"warm_pools of {name}: {len(text)} characters, and a parameter takes {STANDARD_PARAMETER}"
            )
    return texts


def enforced(settings: Settings) -> bool:
    """Whether anybody's pools may be changed at all."""
    own = [team.warm_pools for team in settings.teams.values() if team.warm_pools]
    return any(chosen.mode == "enforce" for chosen in (settings.warm_pools, *own))
