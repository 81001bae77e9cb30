"""What teams may be called and share; everything else of their settings is in test_settings."""

from pathlib import Path

import pytest

from tests.infrastructure.test_settings import fault_of

ROLE = "{role_arn: 'arn:aws:iam::111122223333:role/x'}"


def test_no_team_is_called_what_jobs_of_no_team_are(tmp_path: Path) -> None:
    """Its settings would be those of every job, and the list of the teams would be lost."""
    fault = fault_of(tmp_path / "settings.yaml", "teams: {default: {}, vision: {}}")
    assert 'teams.default: given "default" (text)' in fault
    assert "not default" in fault


@pytest.mark.case("WP-17")
def test_no_two_teams_share_a_role_and_with_it_their_pools(tmp_path: Path) -> None:
    fault = fault_of(tmp_path / "settings.yaml", f"teams: {{vision: {ROLE}, speech: {ROLE}}}")
    assert "another role_arn for each team" in fault
