"""How a function of ours may update training jobs: no longer warm pool than a person may ask for, and never a shell."""

from collections.abc import Mapping
from datetime import timedelta

from aws_cdk import Stack

from stacks.building_blocks.function import Function
from stacks.building_blocks.statements import Conditions
from stacks.team_settings import JobLimits, Team


def permit_updates(function: Function, teams: Mapping[str, Team]) -> None:
    """sagemaker:UpdateTrainingJob on every job of the account, within `update_conditions`."""
    jobs = Stack.of(function).format_arn(service="sagemaker", resource="training-job", resource_name="*")
    function.may(["sagemaker:UpdateTrainingJob"], [jobs], update_conditions(teams))


def update_conditions(teams: Mapping[str, Team]) -> Conditions:
    """A keep-alive period must be named and be no longer than the longest of any team; remote debugging stays off.

    One statement serves all teams, so the limit of the job's own team is the function's to keep.
    """
    longest = longest_keep_alive(teams) // timedelta(seconds=1)
    return {
        "NumericLessThanEquals": {"sagemaker:KeepAlivePeriod": str(longest)},
        "BoolIfExists": {"sagemaker:EnableRemoteDebug": "false"},
    }


def longest_keep_alive(teams: Mapping[str, Team]) -> timedelta:
    """The longest period that any team's people may ask for; without teams, the default limit."""
    return max((team.limits.keep_alive for team in teams.values()), default=JobLimits().keep_alive)
