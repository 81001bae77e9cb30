"""What the deployed product publishes about jobs and money: metric lines in logs, the price table, the recount."""

import json
from datetime import timedelta
from typing import Any

from local.functions import log_events, run_scheduled
from local.waiting import until
from tests.local.product import Product


def metric_lines(product: Product, function: str) -> list[dict[str, Any]]:
    """The lines in embedded metric format that a function has written, in their order."""
    name = product.named(function)
    group = product.laptop.client("lambda").get_function_configuration(FunctionName=name)["LoggingConfig"]["LogGroup"]
    events = sorted(log_events(product.laptop.client("logs"), group), key=lambda event: event["timestamp"])
    return [json.loads(text) for event in events if (text := event["message"]).startswith('{"_aws"')]


def figures(product: Product, job: str) -> list[dict[str, Any]]:
    """The metric lines about one job; each is one count."""
    return [line for line in metric_lines(product, "SpotSavingsFunction") if line.get("job") == job]


def tick(product: Product, function: str) -> None:
    """Run a scheduled function at the simulated moment."""
    run_scheduled(product.laptop.client("lambda"), product.named(function), product.laptop.control.now())


def keep_checkpoints(product: Product, name: str) -> str:
    """Start a spot job of six hours that keeps checkpoints in the deployment's bucket; their bucket comes back."""
    bucket = product.named("Checkpoints")
    product.run_job(
        name,
        plan={"training_seconds": 21600},
        EnableManagedSpotTraining=True,
        StoppingCondition={"MaxRuntimeInSeconds": 36000, "MaxWaitTimeInSeconds": 72000},
        CheckpointConfig={"S3Uri": f"s3://{bucket}/vision/{name}/"},
    )
    return bucket


def exercise_counting(product: Product) -> None:
    """Prices are read, a job of long ago is counted, and counted again."""
    tick(product, "PriceRefreshFunction")
    product.run_job("recounted-1")
    product.advance(minutes=20)
    until(lambda: figures(product, "recounted-1"), "its figures")
    product.advance(hours=13)
    tick(product, "MetricsRecountFunction")
    keep_checkpoints(product, "watched-1")
    product.advance(minutes=3)
    until(lambda: product.records("watched-1"), "the record of its start")
    product.advance(hours=3)
    tick(product, "CheckpointWatchFunction")
    report(product)


def report(product: Product) -> None:
    """Run the weekly report as its schedule does on the Monday morning after the simulated moment."""
    now = product.laptop.control.now()
    monday = (now + timedelta(days=7 - now.weekday())).replace(hour=8, minute=0, second=0, microsecond=0)
    run_scheduled(product.laptop.client("lambda"), product.named("WeeklyReportFunction"), monday)
