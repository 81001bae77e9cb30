"""`trainops cards`: every sample on the queue of the channel that was named, as the delivery takes it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.builders import REGION
from tests.cli.operated import operated
from tests.fakes import FakeChannel
from trainops.workflows.delivery import Delivery
from trainops_cli.main import app


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with operated(monkeypatch) as session:
        yield session


def run(*arguments: str, command: str = "cards") -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [command, *arguments, "--region", REGION])
    return result.exit_code, result.stdout, result.stderr


def waiting(account: Any, queue: str) -> list[dict[str, Any]]:
    sqs = account.client("sqs")
    url, found = sqs.get_queue_url(QueueName=queue)["QueueUrl"], []
    while messages := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        found += [json.loads(message["Body"]) for message in messages]
    return found


@pytest.mark.parametrize(
    ("channel", "queue", "to"),
    [
        ("slack", "slack-cards", None),
        ("#trainops-check", "slack-cards", "#trainops-check"),
        ("email", "email-cards", None),
        ("ml-team@example.com", "email-cards", "ml-team@example.com"),
    ],
)
def test_every_sample_is_queued_once_for_the_channel(account: Any, channel: str, queue: str, to: str | None) -> None:
    code, said, error = run(channel)
    assert (code, error) == (0, "")
    found = waiting(account, queue)
    assert said == f"{len(found)} cards on the way to {channel}\n"
    assert len(found) > 30
    assert len({message["key"] for message in found}) == len(found)
    assert {message.get("to") for message in found} == {to}
    taken = FakeChannel()
    for message in found:
        Delivery("Slack", taken, None)(message)
    assert len(taken.delivered) == len(found)


def test_a_dry_run_prints_and_sends_nothing(account: Any) -> None:
    code, said, _ = run("slack", "--dry-run", "--only", "Failed")
    assert code == 0
    assert said
    assert all(line.startswith("Failed: ") for line in said.splitlines())
    assert waiting(account, "slack-cards") == []


def test_what_would_not_arrive_is_not_sent(account: Any) -> None:
    run("--reason", "storm", command="pause")
    code, _, error = run("slack")
    assert code == 2
    assert "is paused, so nothing would arrive" in error
    assert waiting(account, "slack-cards") == []


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--only", "Nonsense"), "--only Nonsense; accepted: CheckpointsOld, Completed"),
        (("--time-zone", "Mars/Base"), "accepted: an IANA name such as Europe/Berlin"),
    ],
)
def test_a_wrong_choice_is_an_error_with_the_accepted_form(
    account: Any, arguments: tuple[str, ...], error: str
) -> None:
    code, _, said = run("slack", *arguments)
    assert code == 2
    assert error in said
