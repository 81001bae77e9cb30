"""Teams' settings: what the stack writes is what the functions read, and nothing is guessed."""

import json
from collections.abc import Iterator
from datetime import time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import boto3
import pytest
from moto import mock_aws

from stacks.capabilities.warm_pools import parameters
from stacks.settings import Settings
from trainops.adapters.pool_settings import SsmTeamSettings
from trainops.domain.business_hours import BusinessHours
from trainops.domain.warm_pool_settings import Mode, PoolRule
from trainops.errors import NotConfigured

PREFIX = "/trainops/settings/warm-pools"
CHOSEN = {
    "warm_pools": {"waiting_usd_per_hour": 0, "sweep_every": "PT1H"},
    "teams": {
        "vision": {
            "warm_pools": {
                "mode": "enforce",
                "policy": "break-even",
                "rules": [{"instance_types": ["ml.p4d.*"], "idle_limit": "PT5M", "tags": {"a": "b"}}],
                "business_hours": {"days": ["Sat", "Mon"], "opens": "07:30", "time_zone": "Europe/Berlin"},
                "grace": "PT0S",
                "holds": {"longest": "PT3H"},
            }
        },
        "language": {"limits": {"keep_alive": "PT2H"}},
    },
}


def written(chosen: Any) -> dict[str, str]:
    """What the stack writes for these settings."""
    return parameters(Settings.model_validate(chosen))


@pytest.fixture
def ssm() -> Iterator[Any]:
    with mock_aws():
        client: Any = boto3.client("ssm")
        for team, text in written(CHOSEN).items():
            client.put_parameter(Name=f"{PREFIX}/{team}", Value=text, Type="String")
        yield client


def read(ssm: Any, team: str) -> Any:
    return SsmTeamSettings.of(ssm, PREFIX).for_team(team)


def test_what_a_team_chose_comes_back_in_the_terms_of_the_decision(ssm: Any) -> None:
    vision = read(ssm, "vision")
    assert (vision.mode, vision.policy, vision.grace) == (Mode.ENFORCE, "break-even", timedelta(0))
    assert vision.rules == (PoolRule(idle_limit=timedelta(minutes=5), instance_types=("ml.p4d.*",), tags={"a": "b"}),)
    assert (vision.longest_hold, vision.longest_keep_alive) == (timedelta(hours=3), timedelta(hours=1))
    assert vision.business_hours == BusinessHours(
        days=(0, 5),
        opens=time(7, 30),
        closes=time(18),
        zone=ZoneInfo("Europe/Berlin"),
        idle_limit_outside=timedelta(minutes=5),
    )


def test_a_team_without_settings_has_the_default_ones(ssm: Any) -> None:
    for team, longest in (("language", 2), ("nobody", 2), ("default", 2)):
        found = read(ssm, team)
        assert found.longest_keep_alive == timedelta(hours=longest)
        assert (found.mode, found.policy, found.waiting_usd_per_hour) == (Mode.OBSERVE, "histogram", Decimal(0))
        assert found.idle_limit == timedelta(minutes=30)


@pytest.mark.case("WP-15")
def test_a_teams_settings_that_went_missing_are_noticed_and_not_replaced_by_others(ssm: Any) -> None:
    text = ssm.get_parameter(Name=f"{PREFIX}/vision")["Parameter"]["Value"]
    ssm.delete_parameter(Name=f"{PREFIX}/vision")
    with pytest.raises(NotConfigured, match=f"{PREFIX}/vision cannot be read"):
        read(ssm, "vision")
    ssm.put_parameter(Name=f"{PREFIX}/vision", Value=text, Type="String")
    assert read(ssm, "vision").policy == "break-even"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "is not JSON"),
        ("[]", "holds no JSON object, but list"),
        ("{}", "is malformed: missing value for field"),
        ('{"mode": "destroy"}', "is malformed: 'destroy' is not a valid Mode"),
        ('{"surprise": 1}', 'is malformed: can not match "surprise"'),
    ],
)
def test_malformed_settings_are_named_with_what_is_wrong(ssm: Any, text: str, fault: str) -> None:
    ssm.put_parameter(Name=f"{PREFIX}/default", Value=text, Type="String", Overwrite=True)
    with pytest.raises(NotConfigured, match=f"{PREFIX}/default {fault}"):
        read(ssm, "default")


def test_settings_too_long_for_a_parameter_are_refused_at_synthesis() -> None:
    rules = [{"instance_types": [f"ml.g{number}.*"], "idle_limit": "PT5M"} for number in range(100)]
    with pytest.raises(ValueError, match=r"warm_pools of default: .* a parameter takes 4096"):
        written({"warm_pools": {"rules": rules}})


def test_only_configured_teams_are_counted_for_themselves(ssm: Any) -> None:
    settings = SsmTeamSettings.of(ssm, PREFIX)
    found = {team: settings.counted_as(team) for team in ("vision", "language", "typo-3f9a", "default")}
    assert found == {"vision": "vision", "language": "language", "typo-3f9a": "default", "default": "default"}


def test_the_default_names_the_teams_that_have_settings_of_their_own() -> None:
    texts = written(CHOSEN)
    assert json.loads(texts["default"])["teams"] == ["language", "vision"]
    assert "teams" not in json.loads(texts["vision"])
