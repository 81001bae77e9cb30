"""What warm pools, volume keys and preferred types exclude is found before any call."""

import pytest

from tests.unit.training_request import only, request, spot
from trainops.domain.request_checks import check_request


@pytest.mark.case("WP-07")
def test_spot_and_a_warm_pool_exclude_each_other() -> None:
    finding = only(spot(resources={"KeepAlivePeriodInSeconds": 1800}))
    assert (finding.rule, finding.severity, finding.value) == ("keep-alive-with-spot", "error", 1800)
    assert "Choose one" in finding.remedy


@pytest.mark.case("WP-07")
def test_instance_groups_and_a_warm_pool_exclude_each_other() -> None:
    groups = [{"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "InstanceGroupName": "a"}]
    resources = {"InstanceGroups": groups, "VolumeSizeInGB": 30, "KeepAlivePeriodInSeconds": 1800}
    assert only(request() | {"ResourceConfig": resources}).rule == "keep-alive-with-instance-groups"


@pytest.mark.case("WP-12")
@pytest.mark.parametrize(
    ("seconds", "found"),
    [
        (3600, []),
        (3601, [("keep-alive-over-guide", "warning")]),
        (7200, [("keep-alive-over-guide", "warning")]),
        (21_600, [("keep-alive-over-guide", "warning")]),
        (21_601, [("keep-alive-over-api", "error")]),
    ],
)
def test_a_keep_alive_period_beyond_the_guide_warns_and_beyond_the_api_fails(
    seconds: int, found: list[tuple[str, str]]
) -> None:
    findings = check_request(request(resources={"KeepAlivePeriodInSeconds": seconds}))
    assert [(finding.rule, finding.severity) for finding in findings] == found


def test_a_tuning_job_is_told_that_it_keeps_no_pool() -> None:
    definition = request(resources={"KeepAlivePeriodInSeconds": 600})
    del definition["TrainingJobName"]
    tuning = {"HyperParameterTuningJobName": "tune", "TrainingJobDefinitions": [definition]}
    finding = only(tuning)
    assert finding.rule == "keep-alive-in-tuning"
    assert finding.path == "TrainingJobDefinitions[0].ResourceConfig.KeepAlivePeriodInSeconds"
    assert only(tuning | {"TrainingJobDefinition": definition, "TrainingJobDefinitions": []}).path.startswith(
        "TrainingJobDefinition."
    )


@pytest.mark.parametrize(
    ("instance_type", "refused"),
    [
        ("ml.g4dn.xlarge", True),
        ("ml.g5.2xlarge", True),
        ("ml.p4d.24xlarge", True),
        ("ml.m5d.large", True),
        ("ml.m5.xlarge", False),
        ("ml.p3.2xlarge", False),
        ("ml.c5n.large", False),
    ],
)
def test_a_volume_key_is_refused_where_the_instance_brings_its_storage(instance_type: str, refused: bool) -> None:
    found = check_request(request(resources={"InstanceType": instance_type, "VolumeKmsKeyId": "alias/key"}))
    assert [finding.rule for finding in found] == (["volume-key-with-instance-storage"] if refused else [])


def test_preferred_types_exclude_a_type_of_their_own_and_spot() -> None:
    members = spot(resources={"InstancePreferences": [{"InstanceType": "ml.g5.xlarge"}]})
    finding = only(members)
    assert finding.rule == "instance-preferences-exclude"
    assert "InstanceType, EnableManagedSpotTraining" in finding.problem
