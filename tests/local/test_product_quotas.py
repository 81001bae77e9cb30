"""Quotas through the deployed functions: asked for by `cdk deploy`, followed, told; and refused jobs told to owners."""

import pytest

from local.reading import slack_text
from local.waiting import until
from tests.local.product import Product
from tests.local.quotas import quota, refused_job, state

pytestmark = pytest.mark.local
WARM, TRAINING = (f"ml.g5.2xlarge for training {use} usage" for use in ("warm pool", "job"))


def about(product: Product, name: str) -> list[str]:
    """The messages in the channel about a quota."""
    return [text for message in product.laptop.slack.messages if name in (text := slack_text(message.body))]


def test_a_deployment_asks_once_and_its_end_is_told_when_the_value_is_visible(product: Product) -> None:
    control = product.laptop.control
    [request] = [item for item in control.quota_requests() if item["QuotaName"] == WARM]
    assert (request["DesiredValue"], state(product, WARM)) == (2, "PENDING")
    control.decide_quota(request["Id"], "APPROVED", value_after_seconds=600)
    product.track()
    product.track()
    until(lambda: any("approved, not yet visible" in text for text in about(product, WARM)), "the approval")
    until(lambda: any("Quotas: 2 changes" in text for text in about(product, WARM)), "what the deployment asked for")
    product.advance(minutes=11)
    product.track()
    until(lambda: any("2 is granted" in text for text in about(product, WARM)), "the granted quota")
    record = quota(product, WARM)
    assert record is not None
    assert record["seen"]["M"]["value"]["N"] == "2"
    product.quiet()
    assert sum("not yet visible" in text for text in about(product, WARM)) == 1


def test_a_denied_request_is_told_once_and_not_repeated(product: Product) -> None:
    control = product.laptop.control
    [request] = [item for item in control.quota_requests() if item["QuotaName"] == TRAINING]
    control.decide_quota(request["Id"], "DENIED")
    product.track()
    product.track()
    until(lambda: any("was denied" in text for text in about(product, TRAINING)), "the denial")
    product.quiet()
    assert sum("was denied" in text for text in about(product, TRAINING)) == 1
    assert len([item for item in control.quota_requests() if item["QuotaName"] == TRAINING]) == 1


@pytest.mark.case("QU-17")
def test_a_refused_jobs_owner_is_told_once_an_hour_which_quota_it_takes(product: Product) -> None:
    tags = [{"Key": "owner", "Value": "ann"}]
    refused_job(product, "too-big-1", Tags=tags)
    until(lambda: product.slack_about("too-big-1"), "the message")
    [text] = product.slack_about("too-big-1")
    assert "too-big-1 was not started: quota too low" in text
    assert "ml.g5.4xlarge for training job usage" in text
    assert "ann (tag owner)" in text
    refused_job(product, "too-big-2", Tags=tags)
    product.quiet()
    assert product.slack_about("too-big-2") == []
