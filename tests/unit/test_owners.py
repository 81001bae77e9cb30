"""Who a job belongs to: the chain of evidence, and who of those that call is a person."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainops.domain.callers import Caller, caller_in, witnessed_call
from trainops.domain.owners import PIPELINE_TAG, PROFILE_TAG, Evidence, Owner, owner_of

ACCOUNT = "111122223333"
PIPELINE = f"arn:aws:sagemaker:us-east-1:{ACCOUNT}:pipeline/nightly/execution/abc123def456"
PROFILE = f"arn:aws:sagemaker:us-east-1:{ACCOUNT}:user-profile/d-0123456789ab/analyst-7"
PERSON, MACHINE = Caller("jane@corp", "session name"), Caller(None, "a service called")


def role_session(name: str, **context: Any) -> dict[str, Any]:
    """The userIdentity of a session of SageMakerRole."""
    issuer = {"type": "Role", "arn": f"arn:aws:iam::{ACCOUNT}:role/SageMakerRole", "userName": "SageMakerRole"}
    return {
        "type": "AssumedRole",
        "principalId": f"AROAEXAMPLE:{name}",
        "arn": f"arn:aws:sts::{ACCOUNT}:assumed-role/SageMakerRole/{name}",
        "sessionContext": {"sessionIssuer": issuer, **context},
    }


@pytest.mark.case("NO-05")
def test_a_person_in_the_session_name_of_the_create_call_is_the_owner_and_the_source_is_said() -> None:
    creator = caller_in(role_session("jane@corp"))
    assert owner_of({}, Evidence(creator=creator)) == Owner("jane@corp", "session name of the caller")


@pytest.mark.case("NO-05")
def test_the_job_of_a_pipeline_belongs_to_who_started_the_pipeline() -> None:
    evidence = Evidence(creator=caller_in(role_session("SageMaker")), starter=PERSON)
    owner = owner_of({PIPELINE_TAG: PIPELINE}, evidence)
    assert owner == Owner("jane@corp", "session name of who started pipeline nightly")


@pytest.mark.case("NO-05")
def test_a_service_without_a_human_leaves_the_owner_unknown_and_says_why() -> None:
    owner = owner_of({}, Evidence(creator=caller_in(role_session("SageMaker"))))
    assert owner == Owner(None, "no owner tag, and a service created it")
    assert owner_of({}) == Owner(None, "no owner tag")


@pytest.mark.case("NO-05")
@pytest.mark.parametrize(
    ("without", "owner"),
    [
        (0, Owner("vision-oncall", "tag owner")),
        (1, Owner("jane@corp", "session name of the caller")),
        (2, Owner("analyst-7", "Studio user profile")),
        (3, Owner("alpha", "source identity of who started pipeline nightly")),
        (4, Owner("vision-team@example.com", "default of team vision")),
        (5, Owner(None, "no owner tag")),
    ],
)
def test_the_first_link_that_names_somebody_counts(without: int, owner: Owner) -> None:
    tags = {"owner": "vision-oncall", PROFILE_TAG: PROFILE, PIPELINE_TAG: PIPELINE}
    if without > 0:
        del tags["owner"]
    if without > 2:
        del tags[PROFILE_TAG]
    evidence = Evidence(
        creator=PERSON if without < 2 else None,
        starter=Caller("alpha", "source identity") if without < 4 else None,
        team="vision",
        team_owner="vision-team@example.com" if without < 5 else None,
    )
    assert owner_of(tags, evidence) == owner


@pytest.mark.parametrize(
    "name",
    [
        "SageMaker",
        "SageMaker-ExecutionRole",
        "botocore-session-1732970000",
        "aws-go-sdk-1732970000000000000",
        "i-0123456789abcdef0",
        "AWSCodeBuild-0f8fad5b-d9cb-469f-a165-70867728950e",
        "0f8fad5b-d9cb-469f-a165-70867728950e",
        "0f8fad5bd9cb469fa16570867728950e",
        "GitHubActions",
        "eks-prod-trainer-0f8fad5b",
        "GlueJobRunnerSession",
        "1732970000000",
    ],
)
def test_session_names_that_services_give_themselves_are_nobody(name: str) -> None:
    assert caller_in(role_session(name)) == MACHINE


@pytest.mark.parametrize("name", ["jane", "jane.doe", "jane@corp", "j123456", "awsome-person", "ecstatic"])
def test_session_names_of_people_are_people(name: str) -> None:
    assert caller_in(role_session(name)) == Caller(name, "session name")


def test_a_function_is_known_by_its_agent_and_an_instance_by_how_it_got_its_role() -> None:
    function = caller_in(role_session("nightly-trainer"), "Boto3/1.43 md/exec-env#x exec-env/AWS_Lambda_python3.13")
    instance = caller_in(role_session("trainer", ec2RoleDelivery="2.0"))
    assert (function, instance) == (MACHINE, MACHINE)


def test_a_source_identity_goes_before_a_session_name_that_anybody_can_choose() -> None:
    identity = role_session("SageMaker", sourceIdentity="analyst-7")
    assert caller_in(identity) == Caller("analyst-7", "source identity")
    assert caller_in(role_session("someone-else", sourceIdentity="analyst-7")).name == "analyst-7"


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ({"type": "IAMUser", "userName": "ci", "arn": f"arn:aws:iam::{ACCOUNT}:user/ci"}, "ci"),
        ({"type": "Root", "arn": f"arn:aws:iam::{ACCOUNT}:root"}, None),
        ({"type": "AWSService", "invokedBy": "sagemaker.amazonaws.com"}, None),
        ({}, None),
    ],
)
def test_users_are_named_and_the_root_and_services_are_not(identity: dict[str, Any], name: str | None) -> None:
    assert caller_in(identity).name == name


def test_a_call_is_witnessed_by_what_it_made_and_a_refused_one_is_not() -> None:
    record = {
        "eventName": "CreateTrainingJob",
        "eventTime": "2026-03-02T09:00:00Z",
        "userIdentity": role_session("jane@corp"),
        "responseElements": {"trainingJobArn": f"arn:aws:sagemaker:us-east-1:{ACCOUNT}:training-job/ResNet-1"},
    }
    call = witnessed_call({"detail": record})
    assert call is not None
    assert (call.arn.rpartition("/")[2], call.caller) == ("resnet-1", PERSON)
    assert witnessed_call({"detail": {**record, "errorCode": "AccessDenied"}}) is None
    assert witnessed_call({"detail": {**record, "eventName": "StopTrainingJob"}}) is None


@given(st.dictionaries(st.sampled_from([PIPELINE_TAG, PROFILE_TAG, "owner"]), st.text(max_size=60)))
def test_whatever_tags_hold_no_address_gets_into_the_source(tags: dict[str, str]) -> None:
    owner = owner_of(tags, Evidence(starter=PERSON, creator=MACHINE))
    assert "@" not in owner.source
    assert "@" not in (owner.short or "")
