"""A storm as it would be on a bad day: two thousand events, nearly a third of them repetitions, out of order."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from handlers import job_notification
from local.slack_rules import refusal
from tests.adapters.ledger_table import TABLE, table
from tests.builders import at
from tests.handlers.storm_world import TEAM, StormWorld
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.slack_blocks import blocks
from trainops.adapters.storms import DynamoStorms
from trainops.domain.cards import Card
from trainops.domain.storms import SINGLES, WINDOW
from trainops.errors import PoisonMessage
from trainops.notification_environment import JobNotification as Environment

EVENTS, MINUTES = 2000, 25
UNIQUE = 1400


def storm(dice: random.Random) -> list[tuple[float, str]]:
    """When which job fails; three in ten events are repetitions, some of them minutes late, and order is not kept."""
    first = [(dice.random() * MINUTES, f"job-{number:04}") for number in range(UNIQUE)]
    again = [(minute + dice.random() * 3, name) for minute, name in dice.choices(first, k=EVENTS - UNIQUE)]
    return sorted([*first, *again], key=lambda pair: pair[0] + dice.random() / 2)


@pytest.mark.case("NO-13")
def test_a_storm_of_two_thousand_events_is_a_handful_of_messages_and_nothing_is_lost() -> None:
    world = StormWorld()
    arriving = storm(random.Random(20260302))
    assert len(arriving) == EVENTS
    for minute, name in arriving:
        world.pass_time(minute)
        world.fails(name, minute, owner=f"owner-{int(name[-2:]) % 7}")
    world.settle()
    singles, told = world.channel.times(storms=False), world.channel.times(storms=True)
    assert len(singles) == SINGLES
    assert len(told) == 4, "a summary for each of three windows, and the end"
    for first in (*singles, *told):
        assert len([when for when in (*singles, *told) if first <= when < first + WINDOW]) <= SINGLES + 1
    [listed] = world.storms.lists.values()
    assert len(listed) + SINGLES == UNIQUE
    assert world.told_singly | {seen.job.rpartition("/")[2] for seen in listed.values()} == {n for _, n in arriving}
    _, ended = list(world.channel.cards.values())[-1]
    assert ended["summary"].startswith(f"No more for 10 min; {UNIQUE} in all.")


def test_the_messages_about_a_storm_keep_to_slacks_rules_and_rate() -> None:
    world = StormWorld()
    for number in range(60):
        world.fails(f"{'x' * 50}-{number}", number / 10, owner=f"owner-<&>-{'y' * 70}-{number}")
    world.settle()
    for _, card in world.channel.got:
        made = Card.from_message(card)
        assert refusal({"text": made.title, "blocks": blocks(made)}) is None
    times = sorted(when for when, _ in world.channel.got)
    seconds = (times[-1] - times[0]) / timedelta(seconds=1)
    assert len(times) / seconds <= 1, "messages a second, of which Slack takes one"


@pytest.fixture
def deployed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The function with its own wiring, in an account that has its table, queues and kill switch."""
    with table() as dynamodb:
        sqs: Any = boto3.client("sqs")
        urls = {name: sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("own", "dead", "email")}
        boto3.client("ssm").put_parameter(Name="/trainops/kill-switch", Value="off", Type="String")
        env = Environment(
            queue_url=urls["own"],
            dead_letter_queue_url=urls["dead"],
            ledger_table=TABLE,
            kill_switch_parameter="/trainops/kill-switch",
            statuses=("Completed", "Failed", "Stopped"),
            time_zone="UTC",
            log_lines={},
            children="folded",
            scope_tags={},
            slack_queue_url=None,
            email_queue_url=urls["email"],
            topic_queue_url=None,
            acting_teams=(),
            routes=(),
            default_channels=("email",),
            team_channels=None,
            allowed_email_domains=(),
            owners={},
        )
        for name, value in env.to_env().items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "job_notification")
        job_notification.wire.cache_clear()
        yield SimpleNamespace(ledger=LedgerTable(dynamodb, TABLE), sqs=sqs, urls=urls)
        job_notification.wire.cache_clear()


def batch(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """What SQS hands to the function."""
    return {
        "Records": [
            {
                "messageId": str(number),
                "receiptHandle": "r",
                "body": json.dumps(message),
                "attributes": {"ApproximateReceiveCount": "1"},
                "messageAttributes": {},
                "eventSource": "aws:sqs",
                "eventSourceARN": "arn:aws:sqs:us-east-1:111122223333:own",
                "awsRegion": "us-east-1",
            }
            for number, message in enumerate(messages)
        ]
    }


def test_the_function_itself_tells_three_and_lists_the_rest(deployed: Any) -> None:
    world, dice = StormWorld(), random.Random(7)
    events = [world.event(f"job-{number}", number / 5, "alpha", "CUDA out of memory") for number in range(20)]
    for record in world.jobs.items.values():
        DynamoLedger(deployed.ledger).put_job(replace(record, version=0))
    arriving = [*events, *dice.choices(events, k=9)]
    context: Any = SimpleNamespace(
        function_name="f", memory_limit_in_mb=1, invoked_function_arn="a", aws_request_id="r",
        get_remaining_time_in_millis=lambda: 30_000,
    )  # fmt: skip
    for start in range(0, len(arriving), 10):
        answer = job_notification.handler(batch(arriving[start : start + 10]), context)
        assert answer == {"batchItemFailures": []}
    absorbed = DynamoStorms(deployed.ledger).absorbed(f"{TEAM}/gpu_out_of_memory", at(0))
    assert len(absorbed) == 17
    cards = _drained(deployed.sqs, deployed.urls["email"])
    assert len({card["key"] for card in cards}) == SINGLES, "repetitions of a card are told once at its channel"
    attributes = deployed.sqs.get_queue_attributes(QueueUrl=deployed.urls["own"], AttributeNames=["All"])["Attributes"]
    assert int(attributes["ApproximateNumberOfMessagesDelayed"]) == 1, "the look at the window's end"


def _drained(sqs: Any, url: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while got := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        found += [json.loads(message["Body"]) for message in got]
        for message in got:
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return found


@pytest.mark.parametrize("broken", [{}, {"storm": "a", "opened": "soon", "window": 1}])
def test_a_look_of_another_form_is_poison(broken: dict[str, Any]) -> None:
    with pytest.raises(PoisonMessage, match="not a look at a storm"):
        StormWorld().gate.look({"detail": broken})
