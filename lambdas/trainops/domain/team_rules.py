"""What a team's own limits add: IAM would refuse these requests, or the team's role could not do its work.

Facts come from the deployment (`team_facts`); each rule gives any number of findings.
"""

from collections.abc import Iterator

from trainops.domain.findings import Finding
from trainops.domain.instance_storage import has_instance_storage
from trainops.domain.request_rules import CHECKPOINTS, RUN
from trainops.domain.resource_rules import KEEP_ALIVE, VOLUME_KEY
from trainops.domain.team_facts import TeamFacts
from trainops.domain.training_requests import DEFAULT_RUN, TrainingRequest

OUTPUT = "OutputDataConfig.S3OutputPath"
OUTPUT_KEY = "OutputDataConfig.KmsKeyId"
ISOLATION = "EnableNetworkIsolation"
ENCRYPTION = "EnableInterContainerTrafficEncryption"
REMOTE_DEBUG = "RemoteDebugConfig.EnableRemoteDebug"


def limits(request: TrainingRequest, facts: TeamFacts) -> Iterator[Finding]:
    """Keep-alive period, runtime and instance types."""
    most = facts.limits
    if (request.number(KEEP_ALIVE) or 0) > most.keep_alive_seconds:
        problem = f"team {facts.team} may keep a pool for {most.keep_alive_seconds} s."
        remedy = "Lower it." if most.keep_alive_seconds else "Remove it, or ask your platform team for warm pools."
        yield request.error("keep-alive-over-team-limit", KEEP_ALIVE, problem, remedy)
    if (request.number(RUN) or DEFAULT_RUN) > most.runtime_seconds:
        problem = f"jobs of team {facts.team} may run for {most.runtime_seconds} s."
        yield request.error("max-run-over-team-limit", RUN, problem, f"Set it to {most.runtime_seconds} or less.")
    for path, name in request.instance_types():
        if not most.allows(name):
            problem = f"{name} is not one of the types of team {facts.team}: {', '.join(most.instance_types)}."
            yield request.error("instance-type-not-allowed", path, problem, "Use one of them.")


def places(request: TrainingRequest, facts: TeamFacts) -> Iterator[Finding]:
    """The role, and where the role may write."""
    if request.text("RoleArn") not in {None, facts.role_arn}:
        problem = f"jobs of team {facts.team} run as {facts.role_arn}."
        yield request.error("role-of-another-team", "RoleArn", problem, "Use that role.")
    for path, own in ((OUTPUT, facts.output_uri), (CHECKPOINTS, facts.checkpoint_uri)):
        place = request.text(path)
        if place is not None and not place.startswith(own):
            problem = f"the role of team {facts.team} writes below {own} only."
            yield request.error("place-outside-team", path, problem, f"Use {own}<experiment>/.")
    if request.text(CHECKPOINTS) == facts.checkpoint_uri:
        problem = "the job would restore the checkpoints of every experiment of the team."
        yield request.warning("checkpoint-of-whole-team", CHECKPOINTS, problem, "Add the experiment's name and a /.")


def network(request: TrainingRequest, facts: TeamFacts) -> Iterator[Finding]:
    """Subnets and security groups, and what may reach the containers."""
    for path, own in (("VpcConfig.Subnets", facts.subnets), ("VpcConfig.SecurityGroupIds", facts.security_groups)):
        given = request.strings(path)
        if own and not given:
            problem = f"jobs of team {facts.team} run in its own network."
            yield request.error("network-missing", path, problem, f"Set it to {list(own)}.")
        elif own and not given <= frozenset(own):
            problem = f"{', '.join(sorted(given - frozenset(own)))} is not of the network of team {facts.team}."
            yield request.error("network-of-another-team", path, problem, f"Use {', '.join(own)}.")
    demanded = ((ISOLATION, facts.limits.network_isolation), (ENCRYPTION, facts.limits.encrypt_between_containers))
    for path, wanted in demanded:
        if wanted and not request.flag(path):
            problem = f"it is required of the jobs of team {facts.team}."
            yield request.error("protection-missing", path, problem, "Set it to true.")
    if request.flag(REMOTE_DEBUG) and facts.remote_access != "remote-debug":
        problem = f"people of team {facts.team} may not log on to jobs by remote debugging."
        yield request.error("remote-debug-not-allowed", REMOTE_DEBUG, problem, "Remove it, or ask your platform team.")


def keys(request: TrainingRequest, facts: TeamFacts) -> Iterator[Finding]:
    """The team's keys, where it has any and the type takes one."""
    takes_none = any(has_instance_storage(name) for _, name in request.instance_types())
    for path, own in ((OUTPUT_KEY, facts.output_key), (VOLUME_KEY, None if takes_none else facts.volume_key)):
        if own is not None and request.get(path) != own:
            problem = f"team {facts.team} encrypts with {own}."
            yield request.error("key-of-team-missing", path, problem, "Use that key.")


def tags(request: TrainingRequest, facts: TeamFacts) -> Iterator[Finding]:
    """Tags say whose job it is; without them nobody is told and nothing is accounted for."""
    given = request.tags()
    for key in facts.required_tags:
        if not given.get(key):
            wanted = facts.tags.get(key, f"<{key}>")
            problem = f"the tag {key} is required of the jobs of team {facts.team}."
            yield request.error("tag-missing", "Tags", problem, f"Add {{'Key': {key!r}, 'Value': {wanted!r}}}.")
    for key, value in facts.tags.items():
        if given.get(key, value) != value:
            problem = f"the tag {key} says {given[key]!r}."
            yield request.error("tag-of-another-team", "Tags", problem, f"Use {value!r}.")


RULES = (limits, places, network, keys)
"""For every training job, and every definition of a tuning job; `tags` are the whole request's."""
