"""`defaults` makes of a team's facts and a few choices the arguments of its jobs, and refuses what SageMaker would."""

import json
import warnings
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import boto3
import pytest
from moto import mock_aws

from tests.team_facts import KEY, ROLE, document, facts
from trainops.domain.request_checks import check_request
from trainops_notebook import (
    JobDefaults,
    RequestRefused,
    SdkMissing,
    TeamUnknown,
    UnreadableFacts,
    defaults,
    team_facts,
)


def made(**choices: Any) -> JobDefaults:
    """An experiment's job of the team, without a call."""
    given = {"team": "vision", "experiment": "anchors-7", "instance_type": "ml.g5.xlarge", "owner": "vision-oncall"}
    return defaults(**{"facts": facts(), **given, **choices})


@pytest.fixture
def published() -> Iterator[Any]:
    """A deployment that publishes the team."""
    with mock_aws():
        ssm = boto3.client("ssm")
        ssm.put_parameter(Name="/trainops/teams/vision", Value=json.dumps(document()), Type="String")
        yield ssm


def test_a_spot_job_has_everything_that_the_team_asks_for() -> None:
    assert made(spot=True, max_run=3600, max_wait=3600).request() == {
        "RoleArn": ROLE,
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": 3600},
        "OutputDataConfig": {"S3OutputPath": "s3://artifacts/vision/anchors-7/", "KmsKeyId": KEY},
        "CheckpointConfig": {"S3Uri": "s3://checkpoints/vision/anchors-7/"},
        "EnableManagedSpotTraining": True,
        "VpcConfig": {"Subnets": ["subnet-1", "subnet-2"], "SecurityGroupIds": ["sg-1"]},
        "EnableInterContainerTrafficEncryption": True,
        "Tags": [{"Key": "team", "Value": "vision"}, {"Key": "owner", "Value": "vision-oncall"}],
    }


def test_a_warm_pool_is_kept_on_demand_and_without_checkpoints() -> None:
    request = made(keep_alive=timedelta(minutes=30)).request()
    assert request["ResourceConfig"]["KeepAlivePeriodInSeconds"] == 1800
    assert not {"CheckpointConfig", "EnableManagedSpotTraining"} & set(request)


@pytest.mark.parametrize("choices", [{}, {"spot": True}, {"keep_alive": 600}, {"instance_type": "ml.m5.xlarge"}])
def test_what_is_made_passes_every_rule(choices: dict[str, Any]) -> None:
    assert check_request(made(**choices).request(), facts()) == []


@pytest.mark.case("CK-01")
def test_every_place_ends_with_a_slash_and_is_the_experiments_own() -> None:
    one, ten = made(experiment="exp-1", spot=True), made(experiment="exp-10", spot=True)
    assert one.checkpoint_uri == "s3://checkpoints/vision/exp-1/"
    assert not str(ten.checkpoint_uri).startswith(str(one.checkpoint_uri))
    assert one.output_uri.endswith("/exp-1/")


@pytest.mark.case("CK-04")
def test_the_one_place_for_checkpoints_is_said_with_its_target() -> None:
    assert "/opt/ml/checkpoints \N{RIGHTWARDS ARROW} s3://checkpoints/vision/anchors-7/" in str(made(spot=True))
    assert "/opt/ml" not in str(made())


def test_a_volume_key_goes_only_where_the_type_takes_one_and_that_is_said() -> None:
    assert made(instance_type="ml.m5.xlarge").request()["ResourceConfig"]["VolumeKmsKeyId"] == KEY
    assert "no volume key: ml.g5.xlarge" in str(made())


@pytest.mark.case("SP-10", "WP-07")
@pytest.mark.parametrize(
    ("choices", "rules"),
    [
        ({"max_wait": 3600, "max_run": 3600}, {"max-wait-without-spot"}),
        ({"spot": True, "max_run": 3601, "max_wait": 3600}, {"max-wait-below-max-run"}),
        ({"spot": True, "keep_alive": 1800, "facts": facts(recommendations_uri=None)}, {"keep-alive-with-spot"}),
        ({"keep_alive": 1801}, {"keep-alive-over-team-limit"}),
        ({"instance_type": "ml.p4d.24xlarge"}, {"instance-type-not-allowed"}),
    ],
)
def test_what_would_be_refused_is_refused_here_with_its_rule(choices: dict[str, Any], rules: set[str]) -> None:
    with pytest.raises(RequestRefused) as caught:
        made(**choices)
    assert {finding.rule for finding in caught.value.findings} == rules
    assert caught.value.findings[0].remedy in str(caught.value)


def test_what_is_accepted_but_surprises_is_a_warning() -> None:
    limits = {**document()["limits"], "keep_alive_seconds": 7200}
    with pytest.warns(UserWarning, match="keep-alive-over-guide"):
        made(facts=facts(limits=limits), keep_alive=7200)


def test_an_hour_that_was_said_is_no_surprise() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made(max_run=3600)


def test_a_job_may_run_a_day_or_what_the_team_may_and_wait_as_long_again() -> None:
    assert made().max_run == 86_400
    short = facts(limits={**document()["limits"], "runtime_seconds": 7200})
    job = made(facts=short, spot=True)
    assert (job.max_run, job.max_wait) == (7200, 14_400)


@pytest.mark.parametrize("experiment", ["", "a/b", "-x", "trainops", "ä", "x" * 129])
def test_an_experiment_that_is_no_folder_of_its_own_is_refused(experiment: str) -> None:
    with pytest.raises(ValueError, match="experiment"):
        made(experiment=experiment)


def test_the_estimator_of_sdk_v2_gets_the_same() -> None:
    arguments = made(spot=True, max_run=3600, max_wait=3600).estimator()
    assert arguments["tags"] == made().request()["Tags"]
    assert (arguments["use_spot_instances"], arguments["max_run"], arguments["max_wait"]) == (True, 3600, 3600)
    assert arguments["checkpoint_s3_uri"] == "s3://checkpoints/vision/anchors-7/"
    assert (arguments["subnets"], arguments["security_group_ids"]) == (["subnet-1", "subnet-2"], ["sg-1"])
    assert not {"keep_alive_period_in_seconds", "volume_kms_key"} & set(arguments)


def test_without_sdk_v3_the_error_names_the_package() -> None:
    with pytest.raises(SdkMissing, match=r"pip install 'sagemaker>=3\.20'"):
        made().model_trainer()


@pytest.mark.usefixtures("published")
def test_facts_are_read_from_the_deployment() -> None:
    assert team_facts("vision") == facts()
    job = defaults(team="vision", experiment="x", instance_type="ml.g5.xlarge", owner="me")
    assert job.request()["RoleArn"] == ROLE


@pytest.mark.usefixtures("published")
def test_an_unknown_team_is_named_with_the_parameter_that_is_missing() -> None:
    with pytest.raises(TeamUnknown, match=r"no team 'vison' in deployment 'ops' in us-east-1.*/ops/teams/vison"):
        team_facts("vison", deployment="ops")


def test_a_document_of_another_version_is_said(published: Any) -> None:
    published.put_parameter(Name="/trainops/teams/old", Value='{"version": 2}', Type="String")
    with pytest.raises(UnreadableFacts, match="version 1"):
        team_facts("old")
