"""The choices about alarms and what metrics may cost: what a person reads when one is wrong."""

from pathlib import Path

import pytest

from stacks.settings_file import SettingsError, load_settings


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("alarms: {runbook_url: wiki/runbook}", ["alarms.runbook_url:", "https://wiki.example.com"]),
        ("alarms: {idle_usd_per_day: 0}", ["alarms.idle_usd_per_day: given 0", "above 0"]),
        ("alarms: {spot_savings_percent: 100}", ["alarms.spot_savings_percent: given 100", "from 1 to 99"]),
        ("alarms: {spot_savings_after_instance_hours: PT1H}", ["alarms.spot_savings_after", "instance-hours"]),
        ("metrics: {monthly_budget_usd: cheap}", ["metrics.monthly_budget_usd:", "US dollars a month"]),
    ],
)
def test_a_fault_is_told_with_what_is_accepted(tmp_path: Path, text: str, fragments: list[str]) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        load_settings(file)
    for fragment in fragments:
        assert fragment in str(raised.value)
