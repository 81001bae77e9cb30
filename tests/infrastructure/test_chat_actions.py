"""What buttons bring into a deployment, what they may, and that without a workspace there is nothing of them."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, synthesise
from trainops.notification_environment import JobNotification

ACTIONS: dict[str, Any] = {
    "teams": {"vision": {"owners": ["a@example.com"], "members": ["b@example.com"]}, "speech": {}},
    "notifications": {"slack": {"secret_name": "trainops/slack"}},
    "actions": {"slack_workspace": "T0123ABCD"},
}


@pytest.fixture(scope="module")
def observing(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    """Buttons where no team enforces anything."""
    return synthesise(Settings.model_validate(ACTIONS), tmp_path_factory.mktemp("actions"))


def allowing(deployment: Deployment, function: str, action: str) -> dict[str, Any]:
    [found] = [item for item in deployment.statements(function) if action in item["Action"]]
    return dict(found)


def test_one_function_has_an_address_and_anybody_may_call_it_and_no_other(full: Deployment, empty: Deployment) -> None:
    [url] = full.properties("AWS::Lambda::Url")
    assert url["AuthType"] == "NONE"
    assert full.target(url["TargetFunctionArn"]).startswith("WarmPoolsChatUrlFunction")
    anybody = [item for item in full.properties("AWS::Lambda::Permission") if item["Principal"] == "*"]
    assert {full.target(item["FunctionName"]) for item in anybody} == {full.target(url["TargetFunctionArn"])}
    assert all("FunctionUrlAuthType" in item or item.get("InvokedViaFunctionUrl") for item in anybody)
    assert not empty.resources("AWS::Lambda::Url")
    assert "ChatAction" not in str(empty.operations)


def test_in_an_observing_deployment_only_teams_pools_can_be_changed_and_only_by_the_hold_tagged(
    observing: Deployment,
) -> None:
    teams = {"aws:ResourceTag/team": ["speech", "vision"]}
    update = allowing(observing, "warm_pool_control", "sagemaker:UpdateTrainingJob")
    assert update["Condition"]["StringEquals"] == teams
    assert update["Condition"]["NumericLessThanEquals"] == {"sagemaker:KeepAlivePeriod": "3600"}
    tag = allowing(observing, "warm_pool_control", "sagemaker:AddTags")
    assert tag["Condition"] == {
        "StringEquals": teams,
        "ForAllValues:StringEquals": {"aws:TagKeys": "trainops:hold-until"},
        "Null": {"aws:TagKeys": "false"},
    }


def test_who_talks_to_slack_writes_presses_only_and_asks_sagemaker_nothing(observing: Deployment) -> None:
    write = allowing(observing, "chat_action_work", "dynamodb:PutItem")
    assert write["Condition"] == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["PRESS#*"]}}
    for function in ("chat_action", "chat_action_work"):
        assert "sagemaker:" not in str(observing.statements(function))


def test_owners_and_members_are_who_may_act_and_messages_of_their_teams_have_buttons(observing: Deployment) -> None:
    parameters = {
        item["Name"]: item["Value"]
        for item in observing.properties("AWS::SSM::Parameter")
        if "/settings/warm-pools/" in str(item["Name"])
    }
    assert '"people": ["a@example.com", "b@example.com"]' in parameters["/trainops/settings/warm-pools/vision"]
    assert '"people": []' in parameters["/trainops/settings/warm-pools/speech"]
    assert "people" not in parameters["/trainops/settings/warm-pools/default"]
    told = observing.function("job_notification")["Environment"]["Variables"]["ACTING_TEAMS"]
    assert told == '["speech","vision"]'
    assert "acting_teams" in JobNotification.__dataclass_fields__


@pytest.mark.parametrize(
    ("changes", "accepted"),
    [
        ({"notifications": {}}, "actions together with notifications.slack.secret_name"),
        ({"teams": {}}, "actions together with teams"),
        ({"actions": {"slack_workspace": "example"}}, "a Slack workspace's ID such as T0123ABCD"),
        ({"actions": {"workspace": "T0123ABCD"}}, "Extra inputs"),
        ({"self_check": {"to": "email"}}, "self_check.to with email only together with notifications.email.recipients"),
        ({"self_check": {"to": "#x"}}, "only together with notifications.slack.channel"),
        ({"self_check": {"to": "slack"}, "scope": {"tags": {"team": "vision"}}}, "without the tag team in scope.tags"),
        ({"self_check": {"to": "owner"}}, "slack, email, a Slack channel's ID"),
    ],
)
def test_a_choice_that_cannot_work_is_refused_with_the_accepted_form(changes: dict[str, Any], accepted: str) -> None:
    with pytest.raises(ValidationError, match=accepted):
        Settings.model_validate({**ACTIONS, **changes})


@pytest.mark.case("IA-06")
def test_a_synthetic_message_that_does_not_arrive_for_two_days_is_an_alarm(full: Deployment, empty: Deployment) -> None:
    [alarm] = [item for item in full.properties("AWS::CloudWatch::Alarm") if item.get("MetricName") == "SelfChecked"]
    assert alarm["Dimensions"] == [{"Name": "service", "Value": "slack_delivery"}]
    assert (alarm["Period"], alarm["EvaluationPeriods"], alarm["Threshold"]) == (86400, 2, 1)
    assert (alarm["ComparisonOperator"], alarm["TreatMissingData"]) == ("LessThanThreshold", "breaching")
    assert "rate(1 day)" in [rule.get("ScheduleExpression") for rule in full.properties("AWS::Events::Rule")]
    told = full.function("job_notification")["Environment"]["Variables"]["ROUTES"]
    assert told.startswith('[{"statuses":["Completed"],"teams":["trainops-self-check"],"to":["#trainops-check"]}')
    assert "SelfCheckFunction" not in str(empty.operations)


@pytest.mark.case("NO-18")
def test_a_topic_with_subscribers_is_looked_at_every_day_and_one_missing_is_an_alarm(tmp_path: Path) -> None:
    mail = {"notifications": {"email": {"recipients": ["a@b.example", "c@d.example"]}}}
    deployment = synthesise(Settings.model_validate(mail), tmp_path)
    variables = deployment.function("self_check")["Environment"]["Variables"]
    assert (variables["SUBSCRIBERS"], variables["ALARM_SUBSCRIBERS"]) == ("2", "0")
    looked = allowing(deployment, "self_check", "sns:ListSubscriptionsByTopic")
    assert "JobNotificationsEmailTopic" in str(looked["Resource"])
    noted = allowing(deployment, "self_check", "dynamodb:PutItem")
    assert noted["Condition"]["ForAllValues:StringLike"] == {"dynamodb:LeadingKeys": ["SELF-CHECK"]}
    every = deployment.properties("AWS::CloudWatch::Alarm")
    [alarm] = [item for item in every if item.get("MetricName") == "SubscriptionsMissing"]
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (1, "GreaterThanOrEqualToThreshold")
