"""One message move task of SQS, started or found running, and followed to its end.

Source: SQS API, StartMessageMoveTask (one task a queue at a time, at most 500 messages a second), ListMessageMoveTasks,
CancelMessageMoveTask. A parked message has no source that SQS remembers, so the destination is always named.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from trainops_cli.deployed import Mistake
from trainops_cli.redrive.dead_letters import DeadLetters

UNFINISHED = frozenset({"RUNNING", "CANCELLING"})
POLL_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a task is; `of` is None until SQS has counted."""

    moved: int
    of: int | None


@dataclass(frozen=True, slots=True)
class Move:
    """A task out of one queue; `wait` takes seconds."""

    sqs: Any
    queue: DeadLetters
    wait: Callable[[float], None]

    def start(self, per_second: int) -> bool:
        """Start the task; False when one was running already, which is then the one to follow."""
        if self._latest().get("Status") in UNFINISHED:
            return False
        self.sqs.start_message_move_task(
            SourceArn=self.queue.arn, DestinationArn=self.queue.back_to, MaxNumberOfMessagesPerSecond=per_second
        )
        return True

    def follow(self) -> Iterator[Progress]:
        """How far it is, now and then, until its end. Raises Mistake when it did not come to it."""
        while True:
            task = self._latest()
            progress = Progress(int(task.get("ApproximateNumberOfMessagesMoved", 0)), _whole(task))
            yield progress
            if task.get("Status") not in UNFINISHED:
                break
            self.wait(POLL_SECONDS)
        if task.get("Status") != "COMPLETED":
            why = task.get("FailureReason") or "somebody cancelled it"
            raise Mistake(f"the task ended as {task.get('Status')} after {progress.moved} messages: {why}")

    def cancel(self) -> None:
        """Stop the task that runs; what it moved stays moved. Nothing when none runs."""
        task = self._latest()
        if task.get("Status") == "RUNNING":
            self.sqs.cancel_message_move_task(TaskHandle=task["TaskHandle"])

    def _latest(self) -> dict[str, Any]:
        results = self.sqs.list_message_move_tasks(SourceArn=self.queue.arn, MaxResults=1).get("Results", [])
        return results[0] if results else {}


def _whole(task: dict[str, Any]) -> int | None:
    found = task.get("ApproximateNumberOfMessagesToMove")
    return None if found is None else int(found)
