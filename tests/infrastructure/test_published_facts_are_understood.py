"""What the stacks publish and what the command line and the notebook package read were written apart; they agree."""

from typing import Any

from stacks.capabilities import instance_storage
from stacks.capabilities.team_facts import team_facts
from stacks.deployment import add_stacks
from stacks.settings import Settings
from stacks.team_settings import Team
from tests.infrastructure.conftest import new_app
from trainops.domain.instance_storage import has_instance_storage
from trainops.domain.team_facts import TeamFacts

ROLE = "arn:aws:iam::111122223333:role/vision-training"
KEY = "arn:aws:kms:eu-central-1:111122223333:key/00000000-0000-0000-0000-000000000001"


def published(tmp_path: Any, **team: Any) -> TeamFacts:
    """The facts of a team with these settings, read back."""
    buckets = {"checkpoints": {"bucket": "my-checkpoints"}, "artifacts": {"bucket": "my-artifacts"}}
    storage = add_stacks(new_app(tmp_path), Settings.model_validate({"storage": buckets})).foundation.storage
    place = {"name": "vision", "deployment": "trainops", "account": "111122223333", "region": "eu-central-1"}
    return TeamFacts.from_document(team_facts(Team.model_validate(team), **place, role_arn=ROLE, storage=storage))


def test_a_team_with_every_choice_is_read(tmp_path: Any) -> None:
    facts = published(
        tmp_path,
        limits={"keep_alive": "PT30M", "runtime": "P2D", "instance_types": ["ml.m5.*"], "network_isolation": True},
        network={"subnets": ["subnet-0a"], "security_groups": ["sg-0a"]},
        keys={"volume": KEY, "output": KEY},
    )
    assert (facts.team, facts.role_arn, facts.output_key) == ("vision", ROLE, KEY)
    assert (facts.limits.keep_alive_seconds, facts.limits.runtime_seconds) == (1800, 172_800)
    assert facts.limits.allows("ml.m5.xlarge")
    assert not facts.limits.allows("ml.g5.xlarge")
    assert facts.limits.network_isolation
    assert (facts.subnets, facts.security_groups) == (("subnet-0a",), ("sg-0a",))
    assert facts.checkpoint_uri == "s3://my-checkpoints/vision/"
    assert facts.output_uri == "s3://my-artifacts/vision/"
    assert facts.required_tags == ("team", "owner")


def test_a_team_without_any_choice_is_read(tmp_path: Any) -> None:
    facts = published(tmp_path)
    assert (facts.subnets, facts.volume_key, facts.remote_access) == ((), None, "none")
    assert facts.limits.allows("ml.p5.48xlarge")


def test_both_know_which_types_take_a_volume_key() -> None:
    own = {family for family in instance_storage.INSTANCE_STORE if has_instance_storage(f"ml.{family}.xlarge")}
    without = {family for family in instance_storage.EBS_ONLY if has_instance_storage(f"ml.{family}.xlarge")}
    assert own == set(instance_storage.INSTANCE_STORE)
    assert without == set()
