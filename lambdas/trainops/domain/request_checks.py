"""All findings about a request at once: the general rules, and a team's when its facts are known."""

from collections.abc import Iterator, Mapping
from typing import Any

from trainops.domain import request_rules, resource_rules, team_rules
from trainops.domain.findings import Finding
from trainops.domain.team_facts import TeamFacts
from trainops.domain.training_requests import TrainingRequest, training_requests


def check_request(members: Mapping[str, Any], facts: TeamFacts | None = None) -> list[Finding]:
    """What is wrong with the members of a CreateTrainingJob (or CreateHyperParameterTuningJob) request, errors first.
    Without facts only what holds for everyone.
    """
    found = [*_general(members), *(_of_team(members, facts) if facts else ())]
    return sorted(found, key=lambda finding: finding.severity != "error")


def _general(members: Mapping[str, Any]) -> Iterator[Finding]:
    for request in training_requests(members):
        for rule in (*request_rules.RULES, *resource_rules.RULES):
            if finding := rule(request):
                yield finding


def _of_team(members: Mapping[str, Any], facts: TeamFacts) -> Iterator[Finding]:
    for request in training_requests(members):
        for rule in team_rules.RULES:
            yield from rule(request, facts)
    yield from team_rules.tags(TrainingRequest(members), facts)
