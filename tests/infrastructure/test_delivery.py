"""Nothing vanishes: rules, queues, retries, dead-letter queues and their alarms."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from stacks.capabilities.job_notifications import detail_types
from stacks.settings_file import load_settings
from tests.infrastructure.conftest import Deployment, for_cloudformation, synthesise


def dead_letter_queues(deployment: Deployment) -> set[str]:
    return {name for name in deployment.resources("AWS::SQS::Queue") if "DeadLetters" in name}


def alarmed(deployment: Deployment, metric: str) -> set[str]:
    return {
        deployment.target(alarm["Dimensions"])
        for alarm in deployment.properties("AWS::CloudWatch::Alarm")
        if alarm.get("MetricName") == metric
        and alarm["Threshold"] == 1
        and alarm["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"
        and alarm["AlarmActions"]
    }


def consumers(deployment: Deployment) -> list[tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]]]:
    """Queue, function and event source of each queue that is worked through."""
    resources = deployment.resources()
    return [
        (
            resources[deployment.target(source["EventSourceArn"])]["Properties"],
            resources[deployment.target(source["FunctionName"])]["Properties"],
            source,
        )
        for source in deployment.properties("AWS::Lambda::EventSourceMapping")
    ]


@pytest.mark.case("NO-20")
def test_every_rule_target_has_a_dead_letter_queue_that_lets_the_rule_in(full: Deployment) -> None:
    allowed = {
        full.target(policy["Queues"])
        for policy in full.properties("AWS::SQS::QueuePolicy")
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Allow" and statement["Principal"] == {"Service": "events.amazonaws.com"}
    }
    targets = [target for rule in full.properties("AWS::Events::Rule") for target in rule["Targets"]]
    assert len(targets) == 15
    for target in targets:
        assert full.target(target["DeadLetterConfig"]) in allowed & dead_letter_queues(full)
        assert target["RetryPolicy"]["MaximumRetryAttempts"] == 185


@pytest.mark.case("NO-20")
def test_every_queue_gives_up_into_a_dead_letter_queue_after_hours_of_back_off(full: Deployment) -> None:
    queues = [item for name, item in full.resources("AWS::SQS::Queue").items() if name not in dead_letter_queues(full)]
    assert len(queues) == 9
    for queue in queues:
        redrive = queue["Properties"]["RedrivePolicy"]
        assert redrive["maxReceiveCount"] >= 40
        assert full.target(redrive["deadLetterTargetArn"]) in dead_letter_queues(full)


@pytest.mark.case("NO-20")
def test_every_function_that_is_invoked_asynchronously_keeps_what_failed(full: Deployment) -> None:
    from_queues = {full.target(item["FunctionName"]) for item in full.properties("AWS::Lambda::EventSourceMapping")}
    urls = full.properties("AWS::Lambda::Url")
    kept = {
        full.target(item["FunctionName"]): full.target(item["DestinationConfig"]["OnFailure"]["Destination"])
        for item in full.properties("AWS::Lambda::EventInvokeConfig")
    }
    waited_for = for_cloudformation(full) | {full.target(item["TargetFunctionArn"]) for item in urls}
    assert set(kept) == set(full.resources("AWS::Lambda::Function")) - from_queues - waited_for
    assert set(kept.values()) <= dead_letter_queues(full)


@pytest.mark.case("NO-20")
def test_every_dead_letter_queue_in_use_raises_an_alarm_at_the_first_message(
    full: Deployment, empty: Deployment
) -> None:
    assert alarmed(full, "ApproximateNumberOfMessagesVisible") == dead_letter_queues(full)
    unused = {
        name
        for name in dead_letter_queues(empty)
        if name.startswith(("Slack", "Topic", "ChatAction", "SelfCheck", "WeeklyReport"))
    }
    assert alarmed(empty, "ApproximateNumberOfMessagesVisible") == dead_letter_queues(empty) - unused


def test_a_message_outlives_the_queue_it_was_given_up_by(full: Deployment) -> None:
    for name, queue in full.resources("AWS::SQS::Queue").items():
        days = queue["Properties"]["MessageRetentionPeriod"] / 86400
        assert days == (14 if name in dead_letter_queues(full) else 4)


def test_a_message_stays_invisible_for_six_times_the_functions_time_out(full: Deployment) -> None:
    assert len(consumers(full)) == 9
    for queue, function, source in consumers(full):
        assert queue["VisibilityTimeout"] >= 6 * function["Timeout"]
        assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_all_functions_at_full_load_are_not_much_more_than_the_ten_executions_of_a_new_account(
    full: Deployment,
) -> None:
    at_once = sum(source["ScalingConfig"]["MaximumConcurrency"] for _, _, source in consumers(full))
    schedules = sum("ScheduleExpression" in rule for rule in full.properties("AWS::Events::Rule"))
    assert at_once + schedules <= 26
    assert not [item for item in full.functions() if "ReservedConcurrentExecutions" in item]


@pytest.mark.case("OP-02")
def test_all_functions_together_never_take_more_than_two_fifths_of_the_describe_limit(empty: Deployment) -> None:
    rate = 0.0
    for _, function, source in consumers(empty):
        if "DESCRIBE_SPACING" in (variables := function["Environment"]["Variables"]):
            rate += source["ScalingConfig"]["MaximumConcurrency"] / float(variables["DESCRIBE_SPACING"])
    assert rate == pytest.approx(0.4 * 5, abs=1e-4), "spacings are written with six digits"


def test_the_reconciler_takes_at_most_a_quarter_of_the_list_limit(full: Deployment) -> None:
    assert 1 / float(full.function("job_reconcile")["Environment"]["Variables"]["LIST_SPACING"]) <= 0.25 * 2


def patterns_of_sagemaker(deployment: Deployment, detail_type: str) -> list[Mapping[str, Any]]:
    """The patterns of the rules for one kind of SageMaker's events."""
    rules = [rule.get("EventPattern", {}) for rule in deployment.properties("AWS::Events::Rule")]
    return [
        item for item in rules if item.get("source") == ["aws.sagemaker"] and detail_type in item.get("detail-type", [])
    ]


@pytest.mark.case("NO-16")
def test_families_are_heard_of_unless_people_opt_in_to_each_job(full: Deployment, tmp_path: Path) -> None:
    kind = "SageMaker Model Building Pipeline Execution Step Status Change"
    [pattern] = patterns_of_sagemaker(full, kind)
    assert {"currentStepStatus": ["Executing", "Succeeded", "Failed", "Stopped"]} in pattern["detail"]["$or"]
    assert full.function("job_notification")["Environment"]["Variables"]["CHILDREN"] == "folded"
    file = tmp_path / "settings.yaml"
    file.write_text("notifications: {children: single}", encoding="utf-8")
    single = synthesise(load_settings(file), tmp_path / "out")
    assert patterns_of_sagemaker(single, kind) == []
    assert single.function("job_notification")["Environment"]["Variables"]["CHILDREN"] == "single"


def test_the_intake_hears_exactly_the_changes_it_records(full: Deployment) -> None:
    trail = patterns_of_sagemaker(full, "AWS API Call via CloudTrail")
    called = [item["detail"]["eventName"] for item in trail if item["detail"]["errorCode"] == [{"exists": False}]]
    assert called == [["CreateTrainingJob", "StartPipelineExecution"]]
    [pattern] = patterns_of_sagemaker(full, "SageMaker Training Job State Change")
    assert pattern == {
        "source": ["aws.sagemaker"],
        "detail-type": ["SageMaker Training Job State Change"],
        "detail": {
            "$or": [
                {"TrainingJobStatus": ["Completed", "Failed", "Stopped"]},
                {"TrainingJobStatus": ["InProgress"], "SecondaryStatus": ["Starting", "Interrupted"]},
            ]
        },
    }


@pytest.mark.parametrize(
    ("statuses", "announcements"),
    [
        (["Failed"], ["Training Job Finished"]),
        (["Completed", "Failed", "Stopped"], ["Training Job Finished"]),
        (["Started"], ["Training Job Started"]),
        (["Stopped", "Interrupted"], ["Training Job Finished", "Training Job Interrupted"]),
    ],
)
def test_only_announcements_that_people_chose_reach_the_notification_function(
    statuses: list[str], announcements: list[str]
) -> None:
    assert detail_types(statuses) == announcements


def test_the_notification_rule_hears_our_bus_and_no_other(full: Deployment) -> None:
    rules = [item for item in full.properties("AWS::Events::Rule") if "EventBusName" in item]
    for rule in rules:
        assert full.target(rule["EventBusName"]) == next(iter(full.resources("AWS::Events::EventBus")))
    patterns = {full.target(rule["Targets"][0]["Arn"])[:10]: rule["EventPattern"] for rule in rules}
    quotas = ["Quota Changed", "Quota Digest", "Quota Refusal"]
    jobs = ("CheckpointsOld", "Finished", "Interrupted", "Restarted", "Started")
    pools = ["Warm Pool Ended", "Warm Pool Ending", "Warm Pool Held", "Warm Pool Sweep"]
    assert patterns == {
        "JobNotific": {
            "source": ["trainops"],
            "detail-type": [*quotas, *(f"Training Job {word}" for word in jobs), *pools, "Weekly Report"],
        },
        "SpotSaving": {"source": ["trainops"], "detail-type": ["Training Job Finished"]},
        "WarmPoolsC": {"source": ["trainops"], "detail-type": ["Training Job Finished", "Training Job Started"]},
    }
