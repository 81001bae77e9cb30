"""Why a warm pool was not reused or not kept, as the deployed functions tell it and `trainops why` explains it."""

import json
import subprocess
import sys
from typing import Any

import pytest

from local.cdk import ROOT
from local.waiting import until
from tests.local.pools import keep_alive, pool_state, pool_status
from tests.local.product import Product

pytestmark = pytest.mark.local


def run(product: Product, name: str, team: str, **resources: Any) -> None:
    """A job of a team of its own, so that no other test's pool is around."""
    asked = {**keep_alive(3600), **resources}
    product.run_job(name, ResourceConfig=asked, Tags=[{"Key": "team", "Value": team}])
    until(lambda: product.records(name), f"the record of {name}'s start")


def leaves_pool(product: Product, name: str, team: str, **resources: Any) -> None:
    """Run a job to its end, until its pool is in the ledger."""
    run(product, name, team, **resources)
    product.advance(minutes=15)
    until(lambda: pool_state(product, name) == "kept", f"the record of {name}'s pool")
    assert pool_status(product, name)["Status"] == "Available"


def told(product: Product, name: str, words: str) -> None:
    """Wait until both channels have a message about a job with these words."""
    until(lambda: any(words in text for text in product.slack_about(name)), f"Slack to say: {words}")
    until(lambda: any(words in text for text in product.mails_about(name)), f"a mail to say: {words}")


def why(product: Product, name: str, *more: str) -> str:
    """What the command prints, in a process of its own."""
    command = [sys.executable, "-m", "trainops_cli.main", "why", name, *more]
    path = {"PYTHONPATH": f"{ROOT / 'lambdas'}:{ROOT / 'cli'}"}
    done = subprocess.run(
        command, env=product.laptop.environ | path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.case("WP-04")
def test_a_changed_volume_is_named_in_the_message_and_by_the_command(product: Product) -> None:
    leaves_pool(product, "volume-1", "volume", VolumeSizeInGB=250)
    run(product, "volume-2", "volume", VolumeSizeInGB=200)
    product.advance(minutes=15)
    told(product, "volume-2", "ResourceConfig.VolumeSizeInGB: 250 \N{RIGHTWARDS ARROW} 200")
    [miss] = json.loads(why(product, "volume-2", "--json"))["warm_pool_misses"]
    assert (miss["kind"], miss["pool"]) == ("fields-differ", "volume-1")
    assert miss["differences"] == [{"field": "ResourceConfig.VolumeSizeInGB", "old": "250", "new": "200"}]
    assert "Cold start: the pool of volume-1 does not match" in why(product, "volume-2")


@pytest.mark.case("WP-01")
def test_a_pool_that_no_quota_allows_is_told_with_the_quotas_name_and_what_is_needed(product: Product) -> None:
    laptop = product.laptop
    laptop.control.set_quota("ml.m5.xlarge for training job usage", 4, account=laptop.account, region=laptop.region)
    run(product, "unkept-1", "unkept", InstanceType="ml.m5.xlarge", KeepAlivePeriodInSeconds=600)
    product.advance(minutes=15)
    told(product, "unkept-1", "ml.m5.xlarge for training warm pool usage")
    assert pool_status(product, "unkept-1") == {}
    assert "value not known here, default 0, needed 1" in why(product, "unkept-1")


def test_a_pool_that_another_job_took_and_one_that_expired_are_told_as_such(product: Product) -> None:
    leaves_pool(product, "taken-1", "taken", VolumeSizeInGB=81)
    run(product, "taken-2", "taken", VolumeSizeInGB=81)
    until(lambda: pool_state(product, "taken-1") == "reused", "the reuse")
    run(product, "taken-3", "taken", VolumeSizeInGB=81)
    product.advance(minutes=15)
    told(product, "taken-3", "Cold start: the pool of taken-1 had been taken by taken-2")
    assert "Warm start: it took the pool of taken-1." in why(product, "taken-2")

    leaves_pool(product, "late-1", "late", VolumeSizeInGB=82, KeepAlivePeriodInSeconds=1200)
    product.advance(minutes=20)
    run(product, "late-2", "late", VolumeSizeInGB=82)
    product.advance(minutes=15)
    told(product, "late-2", "Cold start: the pool of late-1 had expired")
