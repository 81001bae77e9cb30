"""What the team's rules call an error is what the people's policies deny: the boundaries that are proven against IAM on
the local AWS (tests/local/test_product_guardrails.py) are put to the rules.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from stacks.capabilities.team_facts import team_facts
from stacks.deployment import add_stacks
from stacks.settings import Settings
from stacks.settings_file import load_settings
from tests.infrastructure.conftest import new_app
from tests.local.teams import CONFIG, Teams
from tests.local.test_product_guardrails import BOUNDARIES, Boundary
from trainops.domain.findings import errors
from trainops.domain.request_checks import check_request
from trainops.domain.team_facts import TeamFacts

PLACE = {"deployment": "trainops", "account": "000000000000", "region": "us-east-1"}
ROLES = {team: f"arn:aws:iam::000000000000:role/{team}" for team in ("vision", "language", "robotics")}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, TeamFacts]:
    """The facts of the teams that the boundaries are of."""
    folder: Path = tmp_path_factory.mktemp("guardrails")
    buckets = {"checkpoints": {"bucket": "example-checkpoints"}, "artifacts": {"bucket": "example-artifacts"}}
    storage = add_stacks(new_app(folder), Settings.model_validate({"storage": buckets})).foundation.storage
    documents = {
        name: team_facts(team, name=name, role_arn=ROLES[name], storage=storage, **PLACE)
        for name, team in load_settings(CONFIG).teams.items()
    }
    return {name: TeamFacts.from_document(document) for name, document in documents.items()}


@pytest.mark.parametrize("boundary", BOUNDARIES, ids=lambda boundary: boundary.what)
def test_what_iam_refuses_is_explained_and_nothing_else(boundary: Boundary, published: Mapping[str, TeamFacts]) -> None:
    requests = Teams(cast("Any", None), {f"{team.capitalize()}RoleArn": arn for team, arn in ROLES.items()}, {})
    request = requests.job(boundary.team, "boundary", boundary.changes)
    found = errors(check_request(request, published[boundary.team]))
    assert bool(found) is bool(boundary.refused_by), found
