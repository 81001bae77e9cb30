"""`trainops redrive`: what it finds (moto), and the move task it starts and follows (SQS's answers, scripted).

Neither moto nor the local AWS knows message move tasks.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.builders import REGION
from tests.cli.operated import operated
from trainops_cli.deployed import Foundation, Mistake
from trainops_cli.main import app
from trainops_cli.redrive.dead_letters import DeadLetters, chosen, dead_letters
from trainops_cli.redrive.moving import Move, Progress

DEAD = f"arn:aws:sqs:{REGION}:123456789012:slack-dead"
BACK = f"arn:aws:sqs:{REGION}:123456789012:slack-cards"
QUEUE = DeadLetters("slack", DEAD, 3, BACK)


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with operated(monkeypatch) as session:
        yield session


def found(account: Any, sent: int = 0) -> list[DeadLetters]:
    sqs = account.client("sqs")
    url = sqs.get_queue_url(QueueName="slack-dead")["QueueUrl"]
    for number in range(sent):
        sqs.send_message(QueueUrl=url, MessageBody=str(number))
    return dead_letters(Foundation.found("trainops", REGION), sqs)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["redrive", *arguments, "--region", REGION])
    return result.exit_code, result.stdout, result.stderr


def test_every_dead_letter_queue_is_found_with_its_count_and_where_it_came_from(account: Any) -> None:
    by_purpose = {item.purpose: item for item in found(account, sent=3)}
    assert sorted(by_purpose) == ["job_events_rule", "job_reconcile", "slack"]
    assert by_purpose["slack"] == QUEUE
    assert by_purpose["job_reconcile"].back_to is None


def test_the_list_changes_nothing_and_says_what_can_be_moved(account: Any) -> None:
    found(account, sent=2)
    code, said, _ = run("--list")
    assert code == 0
    assert "slack-cards" in said
    assert "runbook" in said


def test_an_empty_queue_starts_no_task(account: Any) -> None:
    assert "slack is empty; nothing was moved" in run("slack", "--yes")[1]


def test_a_no_moves_nothing(account: Any) -> None:
    found(account, sent=1)
    result = CliRunner().invoke(app, ["redrive", "slack", "--region", REGION], input="n\n")
    assert result.exit_code == 2
    assert "Move about 1 message of slack back to slack-cards, 10 a second?" in result.stdout
    assert "nothing was moved" in result.stderr


@pytest.mark.parametrize(
    ("purpose", "error"),
    [
        ("nonsense", "no dead-letter queue 'nonsense'; accepted: job_events_rule, job_reconcile, slack"),
        ("job-events-rule", "SQS moves nothing that EventBridge put there"),
        ("job_reconcile", "failed ticks, which the next tick makes good"),
    ],
)
def test_what_cannot_be_redriven_is_refused_in_words(account: Any, purpose: str, error: str) -> None:
    with pytest.raises(Mistake, match=error):
        chosen(found(account), purpose)
    code, _, said = run(purpose, "--yes")
    assert code == 2
    assert error in said


def test_the_name_is_the_alarms_with_hyphens_or_underscores(account: Any) -> None:
    every = found(account)
    assert chosen(every, "slack") == chosen(every, "Slack-dead-letters") == chosen(every, "slack_dead_letters")


class Sqs:
    """SQS's answers about a task, one after the other; the last one stays."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = list(answers)
        self.started: list[dict[str, Any]] = []
        self.cancelled: list[dict[str, Any]] = []

    def list_message_move_tasks(self, **request: Any) -> dict[str, Any]:
        assert request == {"SourceArn": DEAD, "MaxResults": 1}
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return {"Results": [answer] if answer else []}

    def start_message_move_task(self, **request: Any) -> None:
        self.started.append(request)

    def cancel_message_move_task(self, **request: Any) -> None:
        self.cancelled.append(request)


def task(status: str, moved: int, **more: Any) -> dict[str, Any]:
    counts = {"ApproximateNumberOfMessagesMoved": moved, "ApproximateNumberOfMessagesToMove": 3}
    return {"Status": status, **counts, **more}


def test_a_move_names_source_destination_and_rate_and_is_followed_to_its_end() -> None:
    waits: list[float] = []
    sqs = Sqs({}, task("RUNNING", 1), task("COMPLETED", 3))
    move = Move(sqs, QUEUE, waits.append)
    assert move.start(25)
    assert sqs.started == [{"SourceArn": DEAD, "DestinationArn": BACK, "MaxNumberOfMessagesPerSecond": 25}]
    assert list(move.follow()) == [Progress(1, 3), Progress(3, 3)]
    assert waits == [2.0]


def test_a_move_that_runs_already_is_followed_and_no_second_one_started() -> None:
    sqs = Sqs(task("RUNNING", 1))
    assert not Move(sqs, QUEUE, lambda _seconds: None).start(10)
    assert sqs.started == []


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (task("FAILED", 1, FailureReason="AccessDenied"), "ended as FAILED after 1 messages: AccessDenied"),
        (task("CANCELLED", 2), "ended as CANCELLED after 2 messages: somebody cancelled it"),
    ],
)
def test_a_move_that_does_not_come_to_its_end_says_why(ended: dict[str, Any], said: str) -> None:
    with pytest.raises(Mistake, match=said):
        list(Move(Sqs(ended), QUEUE, lambda _seconds: None).follow())


def test_ctrl_c_cancels_the_task_that_runs() -> None:
    sqs = Sqs(task("RUNNING", 1, TaskHandle="handle"))
    Move(sqs, QUEUE, lambda _seconds: None).cancel()
    assert sqs.cancelled == [{"TaskHandle": "handle"}]
