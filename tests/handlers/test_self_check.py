"""The synthetic job: through intake, ledger, notification and delivery in memory; in no figure, and not lost."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Any

import boto3
import pytest
from moto import mock_aws

from stacks import self_check_settings
from stacks.self_check_settings import SelfCheckSettings
from tests.adapters.ledger_table import TABLE, table
from tests.builders import ACCOUNT, CREATED, REGION, description, job, record
from tests.desks import desk
from tests.fakes import FakeBus, FakeChannel, FakeLedger, FakePrices, FakeQueue, FakeQuotas, FakeTrainingJobs
from tests.pool_fakes import FakePoolLedger
from tests.quiet_fakes import FakeFamilies, failure_storms
from tests.run_fakes import FakeRunNotes
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.sns_subscriptions import SnsSubscriptions
from trainops.domain import self_checks
from trainops.domain.job_events import BusEvent
from trainops.domain.routes import Route
from trainops.domain.self_checks import PREFIX, TEAM, SubscriptionLook, is_self_check, self_check_event
from trainops.domain.training_jobs import from_description
from trainops.errors import Refused
from trainops.outcomes import Outcome
from trainops.telemetry import Metric
from trainops.workflows.delivery import Delivery
from trainops.workflows.job_intake import JobIntake
from trainops.workflows.job_notification import JobNotification
from trainops.workflows.ownership import Ownership
from trainops.workflows.pool_misses import PoolAnswers, PoolMisses
from trainops.workflows.run_history import RunHistory
from trainops.workflows.self_check import SelfCheck
from trainops.workflows.spot_savings import SpotSavings

NAME = f"{PREFIX}2026-03-02-09-00"
TICK: dict[str, Any] = {"time": CREATED.isoformat(), "account": ACCOUNT, "region": REGION}


class Heard:
    """Confirmed subscriptions by topic."""

    def __init__(self, **confirmed: int) -> None:
        self.counts = confirmed

    def confirmed(self, topic_arn: str) -> int:
        return self.counts[topic_arn]


class Looks:
    """The last look, in memory."""

    def __init__(self) -> None:
        self.last: SubscriptionLook | None = None

    def last_look(self) -> SubscriptionLook | None:
        return self.last

    def put_look(self, look: SubscriptionLook) -> None:
        self.last = look


def ticked(
    queue: FakeQueue | None = None, heard: Heard | None = None, looks: Looks | None = None, **expected: int
) -> Outcome:
    return SelfCheck(queue, heard or Heard(), looks or Looks(), expected, {"stage": "prod"})(TICK, lambda: True)


def taken_in(ledger: Any) -> FakeBus:
    """The tick's event, as the intake leaves it."""
    queue, bus = FakeQueue(), FakeBus()
    ticked(queue)
    jobs = FakeTrainingJobs()
    misses, notes = PoolMisses(PoolAnswers(FakePoolLedger(), FakeQuotas()), jobs), FakeRunNotes()
    history = RunHistory(notes, FakeQuotas())
    scope = {"stage": "prod"}
    parts = (misses, Ownership(notes, {}), history, FakeFamilies())
    JobIntake(ledger, jobs, bus, FakePrices(), *parts, scope)(queue.sent[0])
    assert jobs.described == [NAME], "SageMaker is asked once, and knows no such job"
    return bus


def told(ledger: FakeLedger, announced: BusEvent) -> Mapping[str, Any]:
    """The one card that comes of it, by the route that the settings make; no status is told otherwise."""
    cards, mails = FakeQueue(), FakeQueue()
    [route] = SelfCheckSettings(to="#trainops-check").routes
    own = Route.of(json.loads(json.dumps(route)))
    event = {"detail-type": announced.detail_type, "time": CREATED.isoformat(), "detail": dict(announced.detail)}
    handed = desk((), cards, mails, own)
    JobNotification(ledger, handed, UTC, failure_storms(handed))(event)
    [message] = cards.sent
    assert mails.sent == []
    return message


@pytest.mark.case("IA-06")
def test_the_synthetic_job_goes_the_whole_path_to_the_test_channel_and_its_arrival_is_counted() -> None:
    ledger, channel = FakeLedger(), FakeChannel()
    [announced] = taken_in(ledger).published
    message = told(ledger, announced)
    assert (message["team"], message["word"], message["to"]) == (TEAM, "Completed", "#trainops-check")
    outcome = Delivery("Slack", channel, None)(message)
    assert [card.job_name for card in channel.delivered] == [NAME]
    assert outcome.counts == {Metric.SELF_CHECKED: 1}, "and not among the delivered"


@pytest.mark.case("IA-06")
def test_a_channel_that_refuses_it_counts_no_arrival_of_its_own() -> None:
    ledger, other = FakeLedger(), FakeQueue()
    [announced] = taken_in(ledger).published
    outcome = Delivery("Slack", FakeChannel(Refused("channel_is_archived")), other)(told(ledger, announced))
    assert outcome.counts == {Metric.DELIVERY_FAILED: 1}
    assert len(other.sent) == 1


def test_it_is_in_no_figure_and_no_recount_misses_it() -> None:
    ledger = FakeLedger()
    [announced] = taken_in(ledger).published
    event = {"detail-type": announced.detail_type, "time": CREATED.isoformat(), "detail": dict(announced.detail)}
    with table() as client:
        real = LedgerTable(client, TABLE)
        counts = DynamoJobCounts(real)
        outcome = SpotSavings(ledger, counts, ("vision",))(event)
        assert (outcome.figures, outcome.counts) == ({}, {})
        [written] = ledger.items.values()
        DynamoLedger(real).put_job(replace(written, version=0))
        real_job = record(job(), "Finished/Completed", version=0)
        DynamoLedger(real).put_job(real_job)
        found = counts.finished(CREATED - timedelta(hours=1), CREATED + timedelta(hours=1))
    assert found == [real_job.job.key]


def test_a_real_job_of_that_name_is_a_job_like_any_other() -> None:
    real = from_description(description(NAME), {"team": TEAM})
    assert not is_self_check(real)
    assert is_self_check(replace(real, described=False))
    assert not is_self_check(replace(job(), described=False))


def test_the_event_names_the_account_and_region_that_the_schedule_runs_in() -> None:
    event = self_check_event("210987654321", "eu-west-1", {"stage": "prod"}, CREATED)
    assert (event["account"], event["region"]) == ("210987654321", "eu-west-1")
    assert event["detail"]["Tags"] == {"stage": "prod", "team": TEAM}
    assert event["source"] != "aws.sagemaker", "nobody takes it for SageMaker's"
    assert self_check_settings.TEAM == self_checks.TEAM


def test_without_a_test_channel_nothing_is_sent() -> None:
    assert "no test channel is named" in ticked(None).reason


@pytest.mark.case("NO-18")
@pytest.mark.parametrize(("confirmed", "missing"), [(0, 2), (1, 1), (2, 0), (3, 0)])
def test_subscriptions_that_are_not_confirmed_or_have_gone_are_counted(confirmed: int, missing: int) -> None:
    looks = Looks()
    outcome = ticked(None, Heard(cards=confirmed, alarms=1), looks, cards=2, alarms=1, nobody=0)
    assert looks.last == SubscriptionLook(CREATED, {"cards": missing} if missing else {}), "for the weekly report"
    assert outcome.counts == {Metric.SUBSCRIPTIONS_MISSING: missing}
    assert f"subscriptions missing: {f'{missing} of cards' if missing else 'none'}" in outcome.reason


@pytest.mark.case("NO-18")
def test_a_subscription_that_waits_for_its_click_is_none() -> None:
    class Sns:
        """SNS's answer, in its own words."""

        def get_paginator(self, name: str) -> "Sns":
            assert name == "list_subscriptions_by_topic"
            return self

        def paginate(self, TopicArn: str) -> Any:  # noqa: N803
            assert TopicArn == "arn:topic"
            waiting = [{"SubscriptionArn": "PendingConfirmation"}, {"SubscriptionArn": "Deleted"}]
            return [{"Subscriptions": waiting}, {"Subscriptions": [{"SubscriptionArn": "arn:aws:sns:x:1:topic:id"}]}]

    assert SnsSubscriptions(Sns()).confirmed("arn:topic") == 1


def test_a_subscription_that_was_confirmed_is_found() -> None:
    with mock_aws():
        sns = boto3.client("sns", REGION, aws_access_key_id="a", aws_secret_access_key="b")
        topic = sns.create_topic(Name="cards")["TopicArn"]
        queue = f"arn:aws:sqs:{REGION}:{ACCOUNT}:queue"
        sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=queue)
        assert SnsSubscriptions(sns).confirmed(topic) == 1


@pytest.mark.parametrize("tick", [{}, {"time": "soon"}])
def test_a_tick_without_a_time_is_an_error(tick: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no ISO-8601 time"):
        SelfCheck(None, Heard(), Looks(), {}, {})(tick, lambda: True)
