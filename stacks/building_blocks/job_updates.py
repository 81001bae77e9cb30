"""How a function of ours may update training jobs: no longer warm pool than a person may ask for, and never a shell."""

from collections.abc import Mapping
from datetime import timedelta

from aws_cdk import Stack

from stacks.building_blocks.function import Function
from stacks.building_blocks.statements import Conditions
from stacks.team_settings import JobLimits, Team

HOLD_TAG = "trainops:hold-until"
"""The one tag that may be put on a job after its creation: it asks that the job's warm pool is left alone."""


def permit_updates(function: Function, teams: Mapping[str, Team], *, of_teams_only: bool = False) -> None:
    """sagemaker:UpdateTrainingJob on every job of the account, or the teams' only, within `update_conditions`."""
    limits = update_conditions(teams)
    function.may(
        ["sagemaker:UpdateTrainingJob"], [_jobs(function)], {**limits, **of(teams)} if of_teams_only else limits
    )


def permit_holds(function: Function, teams: Mapping[str, Team]) -> None:
    """sagemaker:AddTags of the one tag that holds a pool, on jobs of the configured teams."""
    only_hold: Conditions = {
        "ForAllValues:StringEquals": {"aws:TagKeys": HOLD_TAG},
        "Null": {"aws:TagKeys": "false"},
    }
    function.may(["sagemaker:AddTags"], [_jobs(function)], {**of(teams), **only_hold})


def of(teams: Mapping[str, Team]) -> Conditions:
    """Jobs whose tag names one of these teams."""
    return {"StringEquals": {"aws:ResourceTag/team": sorted(teams)}}


def _jobs(function: Function) -> str:
    return Stack.of(function).format_arn(service="sagemaker", resource="training-job", resource_name="*")


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
