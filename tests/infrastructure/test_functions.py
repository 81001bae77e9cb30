"""Functions as they are deployed: handler, environment, logs, runtime."""

import dataclasses
from pathlib import Path

import pytest
from aws_cdk.assertions import Annotations, Match

from stacks.building_blocks.layer import ROOT
from stacks.deployment import add_stacks
from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, for_cloudformation, new_app, synthesise
from trainops import chat_environment, environment, notification_environment
from trainops.environment_codec import Environment

CONTRACTS: dict[str, type[Environment]] = {
    "job_intake": environment.JobIntake,
    "job_reconcile": environment.JobReconcile,
    "job_notification": notification_environment.JobNotification,
    "warm_pool_control": environment.WarmPoolControl,
    "warm_pool_sweep": environment.WarmPoolSweep,
    "spot_savings": environment.SpotSavings,
    "metrics_recount": environment.MetricsRecount,
    "price_refresh": environment.PriceRefresh,
    "checkpoint_watch": environment.CheckpointWatch,
    "weekly_report": environment.WeeklyReport,
    "slack_delivery": notification_environment.SlackDelivery,
    "email_delivery": notification_environment.EmailDelivery,
    "mail_check": notification_environment.MailCheck,
    "topic_delivery": notification_environment.TopicDelivery,
    "team_publication": environment.TeamPublication,
    "quota_request": environment.QuotaRequest,
    "quota_tracker": environment.QuotaTracker,
    "quota_refusal": environment.QuotaRefusal,
    "self_check": chat_environment.SelfCheck,
    "chat_action": chat_environment.ChatAction,
    "chat_action_work": chat_environment.ChatActionWork,
}
SLACK = {"notifications": {"slack": {"secret_name": "trainops/slack"}}}
POWERTOOLS = {"POWERTOOLS_SERVICE_NAME", "POWERTOOLS_METRICS_NAMESPACE"}


def variables(deployment: Deployment, name: str) -> dict[str, str]:
    """As Lambda will see them: what only CloudFormation knows is replaced by the name of what it points at."""
    return {
        key: value if isinstance(value, str) else deployment.target(value)
        for key, value in deployment.function(name)["Environment"]["Variables"].items()
    }


def test_there_is_one_function_per_handler_file(full: Deployment) -> None:
    deployed = {item["Handler"] for item in full.functions()}
    files = {path.stem for path in (ROOT / "lambdas" / "handlers").glob("*.py")} - {"__init__"}
    assert deployed == {f"handlers.{name}.handler" for name in CONTRACTS}
    assert files == set(CONTRACTS)


@pytest.mark.parametrize("name", sorted(CONTRACTS))
def test_a_function_can_read_the_environment_it_is_deployed_with(full: Deployment, name: str) -> None:
    deployed = variables(full, name)
    contract = CONTRACTS[name].from_env(deployed)
    assert contract.to_env() == {key: value for key, value in deployed.items() if key not in POWERTOOLS}
    known = {field.name.upper() for field in dataclasses.fields(contract)}
    assert set(deployed) <= known | POWERTOOLS


def test_settings_reach_the_functions(full: Deployment) -> None:
    intake = environment.JobIntake.from_env(variables(full, "job_intake"))
    assert intake.price_overrides["ml.g5.2xlarge"] > 1
    assert intake.ledger_retention.days == 400
    assert environment.JobReconcile.from_env(variables(full, "job_reconcile")).overlap.total_seconds() == 6 * 3600
    told = notification_environment.JobNotification.from_env(variables(full, "job_notification"))
    pools = ("WarmPoolEnding", "WarmPoolEnded", "WarmPoolHeld", "WarmPoolSweep")
    quotas = ("QuotaChanged", "QuotaRefusal")
    jobs = ("StartWarning", "Interrupted", "Restarted", "CheckpointsOld", "Completed", "Failed", "Stopped")
    assert told.statuses == (*jobs, *pools, *quotas, "WeeklyReport")
    assert told.time_zone == "Europe/Berlin"
    mail = notification_environment.EmailDelivery.from_env(variables(full, "email_delivery"))
    assert (mail.sender, mail.recipients, mail.topic_arn) == ("trainops@example.com", ("ml-team@example.com",), None)


def test_the_weekly_report_follows_the_settings_and_is_not_made_when_nobody_would_read_it(
    full: Deployment, empty: Deployment, tmp_path: Path
) -> None:
    report = environment.WeeklyReport.from_env(variables(full, "weekly_report"))
    assert (report.day, report.hour, report.time_zone, report.read_logs) == (0, 8, "Europe/Berlin", True)
    assert report.waiting_usd_per_hour.keys() == {*report.teams, "default"}
    for chosen, made in (({}, True), ({"statuses": ["Failed"]}, False)):
        settings = {"notifications": {**SLACK["notifications"], **chosen}}
        found = synthesise(Settings.model_validate(settings), tmp_path / str(made))
        assert ("handlers.weekly_report.handler" in {item["Handler"] for item in found.functions()}) is made
    assert "WeeklyReportFunction" not in str(empty.operations), "an empty file names no channel"


def test_each_channel_hands_on_to_the_other(full: Deployment, empty: Deployment) -> None:
    slack, mail = variables(full, "slack_delivery"), variables(full, "email_delivery")
    assert slack["FALLBACK_QUEUE_URL"] == mail["QUEUE_URL"]
    assert mail["FALLBACK_QUEUE_URL"] == slack["QUEUE_URL"]
    assert "FALLBACK_QUEUE_URL" not in variables(empty, "email_delivery")
    assert "SLACK_QUEUE_URL" not in variables(empty, "job_notification")


def test_every_function_runs_python_313_on_arm64_under_its_own_name(full: Deployment) -> None:
    for function in full.functions():
        assert (function["Runtime"], function["Architectures"]) == ("python3.13", ["arm64"])
        deployed = function["Environment"]["Variables"]
        assert deployed["POWERTOOLS_SERVICE_NAME"] == function["Handler"].split(".")[1]
        assert deployed["POWERTOOLS_METRICS_NAMESPACE"] == "trainops"


@pytest.mark.case("CD-11")
def test_every_function_has_an_explicit_log_group_with_retention(full: Deployment, empty: Deployment) -> None:
    for deployment, days in ((full, 90), (empty, 90)):
        groups = deployment.resources("AWS::Logs::LogGroup")
        assert {item["Properties"]["RetentionInDays"] for item in groups.values()} == {days}
        used = [deployment.target(item["LoggingConfig"]) for item in deployment.properties("AWS::Lambda::Function")]
        assert sorted(used) == sorted(groups)


@pytest.mark.case("CD-10", "CD-11")
def test_nothing_runs_during_a_deployment_but_what_publishes_to_teams_and_asks_for_quotas(
    full: Deployment, empty: Deployment
) -> None:
    def run(deployment: Deployment) -> set[str]:
        kinds = {item["Type"] for item in deployment.resources().values()}
        return {kind for kind in kinds if kind.startswith(("Custom::", "AWS::CloudFormation::CustomResource"))}

    assert run(empty) == set()
    assert run(full) == {"Custom::TeamPublication", "Custom::QuotaRequest", "Custom::MailCheck"}
    ours = {f"handlers.{name}.handler" for name in CONTRACTS}
    every = {item["Handler"] for item in full.properties("AWS::Lambda::Function")}
    assert every == ours | {"framework.onEvent"}


@pytest.mark.case("NO-21")
def test_the_webhook_is_known_by_its_secrets_name_only(full: Deployment) -> None:
    deployed = variables(full, "slack_delivery")
    assert deployed["SECRET_NAME"] == "trainops/slack"
    assert "https" not in str(deployed).lower()
    assert "hooks.slack.com" not in str([full.foundation, full.operations])
    assert "resolve:secretsmanager" not in str([full.foundation, full.operations])


def test_without_a_secret_there_is_nothing_of_slack(empty: Deployment) -> None:
    assert "slack" not in str(empty.operations).lower()


def test_an_alarm_watches_every_function_for_errors_but_those_that_fail_a_deployment_or_leave_a_dead_letter(
    full: Deployment,
) -> None:
    watched = {
        full.target(alarm["Dimensions"])
        for alarm in full.properties("AWS::CloudWatch::Alarm")
        if alarm.get("MetricName") == "Errors"
    }
    failed_ticks = {
        full.target(item["FunctionName"])
        for item in full.properties("AWS::Lambda::EventInvokeConfig")
        if "OnFailure" in item.get("DestinationConfig", {})
    }
    assert len(failed_ticks) == 8
    assert watched == set(full.resources("AWS::Lambda::Function")) - for_cloudformation(full) - failed_ticks


def test_recipients_without_a_sender_subscribe_to_the_topic(tmp_path: Path) -> None:
    settings = Settings.model_validate({"notifications": {"email": {"recipients": ["a@b.example", "c@d.example"]}}})
    deployment = synthesise(settings, tmp_path)
    assert {item["Endpoint"] for item in deployment.properties("AWS::SNS::Subscription")} == {
        "a@b.example",
        "c@d.example",
    }
    mail = notification_environment.EmailDelivery.from_env(variables(deployment, "email_delivery"))
    assert (mail.sender, mail.recipients) == (None, ())
    assert mail.topic_arn


def test_a_topic_that_nobody_subscribes_to_is_no_fallback_for_slack(tmp_path: Path) -> None:
    deployment = synthesise(Settings.model_validate(SLACK), tmp_path)
    slack = notification_environment.SlackDelivery.from_env(variables(deployment, "slack_delivery"))
    assert slack.fallback_queue_url is None
    sends = [item for item in deployment.statements("slack_delivery") if item["Action"] == "sqs:SendMessage"]
    [target] = {deployment.target(item["Resource"]) for item in sends}
    assert target.startswith("SlackDeadLetters")


def test_people_are_warned_at_synthesis_when_nobody_will_hear_of_anything(tmp_path: Path) -> None:
    for settings, warned in ((Settings(), True), (Settings.model_validate(SLACK), False)):
        app = new_app(tmp_path / str(warned))
        operations = add_stacks(app, settings).operations
        found = Match.string_like_regexp("nobody hears of any job")
        assert bool(Annotations.from_stack(operations).find_warning("*", found)) is warned
