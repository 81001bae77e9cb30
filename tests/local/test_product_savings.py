"""Figures of finished jobs through the deployed functions: once, with the right numbers, at refreshed prices."""

import json
from typing import Any

import pytest

from local.waiting import until
from tests.local.product import Product
from tests.local.savings import figures, keep_checkpoints, metric_lines, report, tick

pytestmark = pytest.mark.local
SPOT: dict[str, Any] = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": 7200},
}


WEEK = "Week of team vision:"


def run_spot_job(product: Product, name: str, team: str) -> None:
    """500 seconds of training, 100 of them billed."""
    plan = {"training_seconds": 450, "downloading_seconds": 30, "uploading_seconds": 20, "billable_seconds": 100}
    product.run_job(name, plan=plan, Tags=[{"Key": "team", "Value": team}], **SPOT)
    product.advance(minutes=20)
    until(lambda: figures(product, name), f"the figures of {name}")


def say_again(product: Product, name: str) -> None:
    """The end's event once more on both buses, as a replay brings it."""
    for event in product.happened(name):
        product.deliver(event)
    key = product.record(name)["record"]["M"]["job"]["M"]["key"]["M"]
    job = {"arn": key["arn"]["S"], "created": key["created"]["S"]}
    detail = {"job": job, "announcement": "Finished/Completed"}
    entry = {"Source": "trainops", "DetailType": "Training Job Finished", "Detail": json.dumps(detail)}
    answer = product.laptop.client("events").put_events(Entries=[{**entry, "EventBusName": product.named("Bus")}] * 3)
    assert answer["FailedEntryCount"] == 0


@pytest.mark.case("MX-01")
def test_100_of_500_seconds_billed_are_one_line_of_figures_however_often_the_end_is_told(product: Product) -> None:
    run_spot_job(product, "saved-1", "vision")
    say_again(product, "saved-1")
    product.quiet()
    [line] = figures(product, "saved-1")
    assert (line["SpotTrainingInstanceSeconds"], line["SpotBillableInstanceSeconds"]) == ([500.0], [100.0])
    assert (line["SpotOnDemandUsd"], line["SpotBilledUsd"]) == ([0.1956], [0.0391])
    assert (line["savings_percent"], line["JobsCompleted"], line["team"]) == (80.0, [1.0], "vision")
    assert line["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["team"]]
    assert "unknown" not in line


@pytest.mark.case("MX-02")
def test_teams_that_the_settings_do_not_name_are_counted_as_one(product: Product) -> None:
    run_spot_job(product, "saved-2", "whatever-somebody-typed")
    [line] = figures(product, "saved-2")
    assert line["team"] == "default"


def test_prices_are_read_from_the_price_list_and_used_from_then_on(product: Product) -> None:
    tick(product, "PriceRefreshFunction")
    product.restart("JobIntakeFunction")
    product.run_job("priced-1")
    product.advance(minutes=20)
    product.told("priced-1")
    price = product.record("priced-1")["record"]["M"]["price"]["M"]
    today = product.laptop.control.now().date()
    assert (price["usd_per_hour"]["N"], price["source"]["S"]) == ("1.408", f"price list us-east-1, {today}")


def test_a_recount_finds_nothing_missing_until_something_is(product: Product) -> None:
    run_spot_job(product, "saved-3", "vision")
    product.quiet()
    product.advance(hours=13)
    product.quiet()
    tick(product, "MetricsRecountFunction")
    assert metric_lines(product, "MetricsRecountFunction")[-1]["RecountDrift"] == [0.0]
    key = product.record("saved-3")
    counted = {"pk": {"S": key["pk"]["S"].replace("JOB#", "COUNTED#")}, "sk": key["sk"]}
    product.laptop.client("dynamodb").delete_item(TableName=product.named("Ledger"), Key=counted)
    tick(product, "MetricsRecountFunction")
    assert metric_lines(product, "MetricsRecountFunction")[-1]["RecountDrift"] == [1.0]


def test_a_running_spot_job_without_a_checkpoint_for_hours_is_noticed(product: Product) -> None:
    keep_checkpoints(product, "careless-1")
    product.advance(minutes=3)
    until(lambda: product.records("careless-1"), "the record of its start")
    product.advance(hours=3)
    tick(product, "CheckpointWatchFunction")
    assert metric_lines(product, "CheckpointWatchFunction")[-1]["CheckpointsOld"][0] >= 1
    product.told("careless-1")
    assert "has not saved its work for long" in product.slack_about("careless-1")[-1]


def test_a_team_reads_once_on_monday_what_its_week_came_to(product: Product) -> None:
    product.advance(minutes=7 * 24 * 60)  # other tests may have had this week told
    mails, told = len(product.mails_about(WEEK)), len(product.slack_about(WEEK))
    run_spot_job(product, "reported-1", "vision")
    report(product)
    until(lambda: len(product.mails_about(WEEK)) > mails, "the mail")
    until(lambda: len(product.slack_about(WEEK)) > told, "the Slack message")
    assert "Managed spot saved, by instance type" in product.mails_about(WEEK)[-1]
    report(product)
    product.quiet()
    assert (len(product.mails_about(WEEK)), len(product.slack_about(WEEK))) == (mails + 1, told + 1)
