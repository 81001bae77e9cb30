"""Few messages from the deployed product: forty failures alike, a tuning job, and a pipeline of six steps."""

from typing import Any

import pytest

from local.reading import slack_text
from local.waiting import until
from tests.local.families import OUT_OF_MEMORY, PREFIX, look, pipeline_event, run_tuning, send, step_job
from tests.local.product import Product
from trainops.adapters.ledger_table import deserialized
from trainops.adapters.record_codec import from_map
from trainops.domain.storm_cards import look_message
from trainops.domain.storms import SINGLES, Storm

pytestmark = pytest.mark.local
JOBS = 40
KIND = "vision/disk_full"
REASON = "AlgorithmError: OSError: [Errno 28] No space left on device"


def storm(product: Product) -> Storm | None:
    """The ledger's item of the failures."""
    key = {"pk": {"S": f"STORM#{KIND}"}, "sk": {"S": "STORM"}}
    item = product.laptop.client("dynamodb").get_item(TableName=product.named("Ledger"), Key=key).get("Item")
    return from_map(Storm, deserialized(item)["record"]) if item else None


def listed(product: Product, found: Storm) -> list[dict[str, Any]]:
    """What the storm absorbed; nothing while failures are few."""
    if found.opened is None:
        return []
    partition = f"STORM#{KIND}#{found.opened:%Y-%m-%dT%H:%M:%SZ}"
    pages = product.laptop.client("dynamodb").get_paginator("query").paginate(
        TableName=product.named("Ledger"),
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": partition}},
    )  # fmt: skip
    return [item for page in pages for item in page["Items"]]


def texts(product: Product, words: str) -> list[str]:
    """The texts in the channel that have these words."""
    return [text for message in product.laptop.slack.messages if words in (text := slack_text(message.body))]


def headlines(product: Product, name: str) -> list[str]:
    """The headlines that name a job; further down a message may name the run before it."""
    return [line for text in product.slack_about(name) if name in (line := text.partition("\n")[0])]


@pytest.mark.case("NO-13")
def test_forty_failures_alike_are_three_messages_a_summary_and_an_end(product: Product) -> None:
    names = [f"full-{number:02}" for number in range(JOBS)]
    with product.laptop.control.users_unthrottled():
        for name in names:
            tags = [{"Key": "team", "Value": "vision"}, {"Key": "owner", "Value": "alpha"}]
            product.run_job(name, plan={"outcome": "Failed", "failure_reason": REASON}, Tags=tags)
    until(lambda: len(product.records("full-")) == JOBS, "a record of every job", seconds=120)
    product.advance(minutes=20)
    until(lambda: (found := storm(product)) and len(listed(product, found)) == JOBS - SINGLES, "the rest", seconds=120)
    for event in product.happened("full-")[-10:]:
        product.deliver(event)
    product.quiet()
    found = storm(product)
    assert found
    singly = {name for name in names if headlines(product, name)}
    assert len(singly) == SINGLES
    assert {item["sk"]["S"].partition("|")[0].rpartition("/")[2] for item in listed(product, found)} | singly == {
        *names
    }
    for window, words in ((1, f"{JOBS} failures alike of team vision"), (2, "Failures of team vision have ended")):
        now = storm(product)
        assert now
        send(product, look_message(now, window))
        until(lambda words=words: texts(product, words), words)  # type: ignore[misc]
    product.quiet()
    assert len([text for text in texts(product, "of team vision") if "Week of team vision" not in text]) == 2
    assert [len(headlines(product, name)) for name in sorted(singly)] == [1] * SINGLES


def test_a_tuning_job_is_told_once_with_its_failing_trial(product: Product) -> None:
    arn = run_tuning(product, "hpo-told", 4)
    until(lambda: len(product.records("hpo-told")) == 4, "the records of its trials")
    product.advance(minutes=30)
    look(product, arn)
    product.told("hpo-told")
    product.quiet()
    [text] = texts(product, "hpo-told")
    assert "Tuning job hpo-told completed" in text
    assert "4 training jobs: 3 completed, 1 failed." in text
    assert "GPU out of memory" in text


@pytest.mark.case("NO-16")
def test_a_pipeline_of_six_steps_is_told_once_with_its_failing_step(product: Product) -> None:
    execution = f"{PREFIX}:pipeline/churn/execution/p4jn9xou8a8s"
    step_job(product, execution, "pipelines-p4jn9xou8a8s-train")
    step_job(product, execution, "pipelines-p4jn9xou8a8s-tune", outcome="Failed", failure_reason=OUT_OF_MEMORY)
    until(lambda: len(product.records("pipelines-p4jn9xou8a8s")) == 2, "the records of its jobs")
    now = product.advance(minutes=20)
    for number, status in enumerate(("Succeeded", "Succeeded", "Succeeded", "Failed", "Stopped", "Stopped"), start=1):
        pipeline_event(
            product, execution, now, stepName=f"step-{number}", stepType="Training", currentStepStatus=status
        )
    for _ in range(2):
        pipeline_event(product, execution, now, currentPipelineExecutionStatus="Failed", executionEndTime=str(now))
    look(product, execution)
    until(lambda: texts(product, "Pipeline churn"), "the message about the pipeline")
    product.quiet()
    [text] = texts(product, "p4jn9xou8a8s")
    assert "failed at step step-4" in text
    assert "2 training jobs: 1 completed, 1 failed." in text
