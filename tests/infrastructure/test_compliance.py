"""cdk-nag and cfn-lint find nothing, and nothing is accepted that they would not find."""

from pathlib import Path

import pytest

from stacks.building_blocks.layer import ROOT
from stacks.compliance import ACCEPTED, CONFIGS, lint, synthesise
from stacks.settings_file import load_settings


@pytest.mark.parametrize("config", CONFIGS)
def test_every_settings_file_gives_templates_without_findings(tmp_path: Path, config: str) -> None:
    assert synthesise(load_settings(ROOT / config), tmp_path) == []
    assert lint(tmp_path) == []


def test_every_accepted_finding_is_still_found_without_its_acknowledgement(tmp_path: Path) -> None:
    found = synthesise(load_settings(ROOT / "config" / "prod.yaml"), tmp_path, accepted=())
    rules = {line.partition(": ")[2] for line in found}
    assert rules == {item.rule for item in ACCEPTED}
