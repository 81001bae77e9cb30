"""Whose job it is, and why it failed, through the deployed functions."""

import pytest

from local.waiting import until
from tests.local.people import failed_with_log, started_by
from tests.local.product import Product

pytestmark = pytest.mark.local


@pytest.mark.case("NO-05")
def test_who_started_a_job_without_an_owner_tag_is_named_from_the_trail(product: Product) -> None:
    started_by(product, "jane@corp", "untagged-1")
    product.advance(minutes=30)
    product.told("untagged-1")
    [text] = product.slack_about("untagged-1")
    assert "jane@corp (session name of the caller)" in text


@pytest.mark.case("NO-12")
def test_a_failure_shows_the_end_of_its_log_and_that_it_is_the_one_of_the_run_before(product: Product) -> None:
    token = "hf_" + "a1B2" * 8
    failed_with_log(product, "crashing-1", "epoch 1", f"using {token}", "Segmentation fault")
    failed_with_log(product, "crashing-2", "epoch 1", "Segmentation fault")
    first, second = product.slack_about("crashing-1")  # the second names it
    assert product.slack_about("crashing-2") == [second]
    assert "using [masked]\nSegmentation fault" in first
    assert token not in first
    assert "The same failure as of crashing-1 (today" in second
    assert not [mail for mail in product.mails_about("crashing-1") if token in mail]
    assert "Segmentation fault" not in str(product.record("crashing-1"))


@pytest.mark.case("SP-08")
def test_a_start_that_can_lose_work_is_told_at_once_and_another_is_not(product: Product) -> None:
    limits = {"MaxRuntimeInSeconds": 7200, "MaxWaitTimeInSeconds": 7200}
    product.run_job("forgetful-1", EnableManagedSpotTraining=True, StoppingCondition=limits)
    until(lambda: product.slack_about("forgetful-1"), "the warning", seconds=60)
    [text] = product.slack_about("forgetful-1")
    assert "forgetful-1 started on spot without checkpoints" in text
    assert "up to 2 h of work starts from zero" in text
    product.run_job("careful-1")
    product.quiet()
    assert product.slack_about("careful-1") == []
    product.advance(minutes=20)
    product.told("careful-1")
