"""A team's facts from where its deployment publishes them: the SSM parameter `/<deployment>/teams/<team>`."""

import json

import boto3
from botocore.exceptions import ClientError

from trainops.domain.team_facts import TeamFacts

DEPLOYMENT = "trainops"


class TeamUnknown(LookupError):
    """No such team in this account and Region, or this identity may not read it."""


def team_facts(
    team: str, *, deployment: str = DEPLOYMENT, session: boto3.Session | None = None
) -> TeamFacts:  # fmt: skip
    """Read them with one call (`ssm:GetParameter`). Raises TeamUnknown, which says what to do, and UnreadableFacts."""
    ssm = (session or boto3.Session()).client("ssm")
    name = f"/{deployment}/teams/{team}"
    try:
        answer = ssm.get_parameter(Name=name)
    except ssm.exceptions.ParameterNotFound as error:
        raise TeamUnknown(
            f"no team {team!r} in deployment {deployment!r} in {ssm.meta.region_name}: there is no parameter {name}. "
            "Check the team's name and your Region, or ask your platform team."
        ) from error
    except ClientError as error:
        if error.response["Error"]["Code"] != "AccessDeniedException":
            raise
        raise TeamUnknown(
            f"you may not read {name}: it needs ssm:GetParameter, which members of {team} have"
        ) from error
    return TeamFacts.from_document(json.loads(answer["Parameter"]["Value"]))
