"""Warm pools of the deployed product: in its ledger, at SageMaker, and everything that can be done with them."""

from collections.abc import Callable, Mapping
from typing import Any

from local.waiting import until
from tests.local.product import Product


def keep_alive(seconds: int) -> dict[str, Any]:
    """A resource configuration that leaves a warm pool behind."""
    return {
        "InstanceType": "ml.g5.xlarge",
        "InstanceCount": 1,
        "VolumeSizeInGB": 30,
        "KeepAlivePeriodInSeconds": seconds,
    }


def pool(product: Product, name: str) -> dict[str, Any] | None:
    """The ledger's item of one job's warm pool, as far as there is one."""
    pages = product.laptop.client("dynamodb").get_paginator("scan").paginate(TableName=product.named("Ledger"))
    found = [item for page in pages for item in page["Items"] if item["pk"]["S"].startswith("POOL#")]
    return next((item["record"]["M"] for item in found if item["pk"]["S"].endswith(f"/{name}")), None)


def pool_state(product: Product, name: str) -> str | None:
    """What the ledger thinks of one job's warm pool."""
    found = pool(product, name)
    return str(found["state"]["S"]) if found else None


def pool_status(product: Product, name: str) -> dict[str, Any]:
    """WarmPoolStatus, as SageMaker shows it; empty when there is none."""
    answer = product.laptop.client("sagemaker").describe_training_job(TrainingJobName=name)
    return dict(answer.get("WarmPoolStatus") or {})


def exercise_pools(product: Product, waits: Callable[[], bool]) -> None:
    """A pool waits for settings that are gone, as `waits` can tell; then one is ended, and five at once."""
    ssm, name = product.laptop.client("ssm"), "/trainops/settings/warm-pools/default"
    chosen = ssm.get_parameter(Name=name)["Parameter"]["Value"]
    product.restart("WarmPoolsControlFunction")
    ssm.delete_parameter(Name=name)
    try:
        product.run_job("unset-1", ResourceConfig=keep_alive(600))
        product.advance(minutes=20)
        until(waits, "control to wait")
    finally:
        ssm.put_parameter(Name=name, Value=chosen, Type="String")
    teams = {"told-1": "eager", "observed-1": "vision", "observed-2": "watchful", "thrift-1": "thrifty"}
    _run(product, teams)
    until(lambda: pool_state(product, "told-1") == "ended", "the end of a pool", seconds=120)
    names = [f"pooled-{number}" for number in range(5)]
    _run(product, dict.fromkeys(names, "eager"))
    product.sweep()
    until(lambda: {pool_state(product, job) for job in names} == {"ended"}, "the end of every pool", seconds=180)


def _run(product: Product, teams: Mapping[str, str]) -> None:
    """Run jobs of these teams until each has a pool that the ledger knows, and no other team's job takes."""
    with product.laptop.control.users_unthrottled():
        for job, team in teams.items():
            resources = {**keep_alive(3600), "VolumeSizeInGB": 40 + len(team)}
            product.run_job(job, ResourceConfig=resources, Tags=[{"Key": "team", "Value": team}])
    product.advance(minutes=20)
    until(lambda: all(pool_state(product, job) for job in teams), "a record of every pool")
