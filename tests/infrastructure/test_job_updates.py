"""What a function of ours may change of a training job."""

from pathlib import Path

import pytest
from aws_cdk import Duration, Stack
from aws_cdk.assertions import Match, Template

from stacks.building_blocks.function import Function, Runtime
from stacks.building_blocks.job_updates import permit_updates, update_conditions
from stacks.building_blocks.layer_version import Layer
from stacks.permission_reasons import reason_for
from stacks.settings import Settings
from tests.infrastructure.conftest import new_app
from trainops.environment_codec import Environment


def conditions(*periods: str) -> dict[str, object]:
    teams = {f"team-{number}": {"limits": {"keep_alive": period}} for number, period in enumerate(periods)}
    return dict(update_conditions(Settings.model_validate({"teams": teams}).teams))


@pytest.mark.parametrize(
    ("periods", "longest"),
    [((), "3600"), (("PT30M",), "1800"), (("PT30M", "PT2H", "PT0S"), "7200"), (("PT0S",), "0")],
)
def test_a_function_may_keep_a_pool_as_long_as_the_most_generous_team_and_must_say_how_long(
    periods: tuple[str, ...], longest: str
) -> None:
    assert conditions(*periods)["NumericLessThanEquals"] == {"sagemaker:KeepAlivePeriod": longest}


def test_a_function_never_turns_remote_debugging_on() -> None:
    assert conditions()["BoolIfExists"] == {"sagemaker:EnableRemoteDebug": "false"}


def test_the_reach_of_an_update_is_explained() -> None:
    assert reason_for("sagemaker:UpdateTrainingJob", "arn:aws:sagemaker:eu-central-1:111122223333:training-job/*")


def test_a_function_is_given_updates_of_the_accounts_jobs_within_these_conditions(tmp_path: Path) -> None:
    stack = Stack(new_app(tmp_path), "Stack")
    function = Function(
        stack,
        "Function",
        name="job_intake",
        description="",
        environment=Environment(),
        runtime=Runtime(layer=Layer(stack, "Layer"), log_retention_days=1),
        timeout=Duration.seconds(1),
    )
    permit_updates(function, {})
    statement = {
        "Action": "sagemaker:UpdateTrainingJob",
        "Condition": update_conditions({}),
        "Effect": "Allow",
        "Resource": {"Fn::Join": ["", Match.array_with([":training-job/*"])]},
    }
    document = {"PolicyDocument": {"Statement": Match.array_with([statement])}}
    Template.from_stack(stack).has_resource_properties("AWS::IAM::Policy", document)
