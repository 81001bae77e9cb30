"""The teams of a deployment: what their jobs run as, may use and are kept within; `settings` puts them together.

A team is the value of the tag `team` on its training jobs. Each has a role of its own, and since the role is one of
the fields that a warm pool is matched by, no team can take another's pool (developer guide, warm pools).
"""

from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StrictBool,
    model_validator,
)

from stacks.setting_types import (
    Addresses,
    Choices,
    Duration,
    InstancePattern,
    SlackChannel,
    Text,
    between,
    form,
    refusal,
    section,
    unique,
)
from stacks.warm_pool_settings import LONGEST_KEEP_ALIVE, WarmPoolChoices

GUIDE_KEEP_ALIVE = timedelta(hours=1)
"""The longest keep-alive period of the developer guide; the API model takes six hours."""
MOST_LOG_LINES = 50
LONGEST_RUNTIME = timedelta(days=28)
"""StoppingCondition.MaxRuntimeInSeconds."""

TeamName = Annotated[
    Text,
    form(
        r"(?!default\Z)[a-z][a-z0-9-]{0,30}[a-z0-9]",
        "2 to 32 lower-case letters, digits and hyphens, a letter first, and not default: so are all other jobs called",
    ),
]
RoleArn = Annotated[
    Text,
    form(r"arn:aws[a-z-]*:iam::[0-9]{12}:role/[\w+=,.@/-]+", "a role's ARN such as arn:aws:iam::111122223333:role/x"),
]
KeyArn = Annotated[
    Text,
    form(
        r"arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+",
        "a key's ARN (arn:aws:kms:…:key/…); IAM does not follow an alias",
    ),
]
DataPrefix = Annotated[
    Text,
    form(
        r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/([^*?]*/)?",
        'a prefix that ends with "/", such as s3://example-data/images/; without it, what begins alike is meant too',
    ),
]
SubnetId = Annotated[Text, form(r"subnet-[0-9a-f]+", "a subnet's ID such as subnet-0123abcd")]
SecurityGroupId = Annotated[Text, form(r"sg-[0-9a-f]+", "a security group's ID such as sg-0123abcd")]
KeepAlive = Annotated[
    Duration,
    between(
        timedelta(0), LONGEST_KEEP_ALIVE, "from PT0S (no warm pools) to PT6H; the developer guide says PT1H at most"
    ),
]
Runtime = Annotated[
    Duration, between(timedelta(minutes=1), LONGEST_RUNTIME, "from PT1M to P28D, the longest SageMaker takes")
]
RemoteAccess = Literal["none", "remote-debug", "ssh-helper"]


class Network(Choices):
    """Where a team's jobs run; with it, jobs outside of these subnets are refused."""

    subnets: Annotated[tuple[SubnetId, ...], Field(min_length=1, max_length=16), AfterValidator(unique)]
    security_groups: Annotated[tuple[SecurityGroupId, ...], Field(min_length=1, max_length=5), AfterValidator(unique)]


class Keys(Choices):
    """Customer keys: `volume` for the training volume (types with instance storage take none), `output` for artifacts
    and checkpoints, `data` to read training data that is encrypted.
    """

    volume: KeyArn | None = None
    output: KeyArn | None = None
    data: Annotated[tuple[KeyArn, ...], AfterValidator(unique)] = ()


class JobLimits(Choices):
    """What a team's data scientists may ask for; IAM refuses more."""

    keep_alive: KeepAlive = GUIDE_KEEP_ALIVE
    runtime: Runtime = timedelta(days=5)
    instance_types: Annotated[tuple[InstancePattern, ...], AfterValidator(unique)] = ()
    """Every type when there are none."""
    network_isolation: StrictBool = False
    encrypt_between_containers: StrictBool = False


class Team(Choices):
    """One team; an empty mapping is a team with a role of its own and every default."""

    owners: Addresses = ()
    """Who is asked when a job names no owner."""
    members: Addresses = ()
    """Who, beside the owners, may press the buttons about its warm pools."""
    slack_channel: SlackChannel | None = None
    log_lines: Annotated[int, Field(strict=True, ge=0, le=MOST_LOG_LINES)] = 0
    """Of a failed job's log, in the message about it."""
    data: Annotated[tuple[DataPrefix, ...], AfterValidator(unique)] = ()
    """What its jobs may read beside their own prefixes."""
    limits: Annotated[JobLimits, BeforeValidator(section)] = JobLimits()
    role_arn: RoleArn | None = None
    """A role that exists already; without it one is made."""
    network: Network | None = None
    keys: Annotated[Keys, BeforeValidator(section)] = Keys()
    remote_access: RemoteAccess = "none"
    warm_pools: WarmPoolChoices | None = None
    """The deployment's own without it."""

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        if self.remote_access != "none" and self.limits.network_isolation:
            raise refusal("remote_access: none with limits.network_isolation: an isolated container cannot reach SSM")
        return self


def _own_roles(teams: dict[str, Team]) -> dict[str, Team]:
    roles = [team.role_arn for team in teams.values() if team.role_arn]
    if len(set(roles)) < len(roles):
        raise refusal("another role_arn for each team: teams that share a role take each other's warm pools and files")
    return teams


Teams = Annotated[dict[TeamName, Annotated[Team, BeforeValidator(section)]], AfterValidator(_own_roles)]
