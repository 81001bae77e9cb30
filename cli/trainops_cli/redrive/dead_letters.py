"""The dead-letter queues of a deployment: how full they are, and where their messages came from.

Calls: ListStackResources, GetQueueAttributes and ListDeadLetterSourceQueues.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trainops_cli.deployed import Foundation, Mistake

LOGICAL = "DeadLetters"
RULE = "_rule"
RUNBOOK = "docs/runbook.md#dead-letters"


@dataclass(frozen=True, slots=True)
class DeadLetters:
    """One queue. `purpose` is its name as in its alarm; `messages` is SQS's own approximate count; `back_to` is the
    ARN of the queue that gives up into it, None when there is none: then SQS moves nothing out of it.
    """

    purpose: str
    arn: str
    messages: int
    back_to: str | None

    @property
    def where(self) -> str:
        """Where its messages can go, in words."""
        if self.back_to:
            return f"back to {self.back_to.rpartition(':')[2]}"
        if self.purpose.endswith(RULE):
            return f"by hand: SQS moves nothing that EventBridge put there ({RUNBOOK})"
        return f"nowhere: failed ticks, which the next tick makes good; read the log and purge ({RUNBOOK})"


def dead_letters(foundation: Foundation, sqs: Any) -> list[DeadLetters]:
    """All of the deployment's, by purpose."""
    queues = foundation.queues("foundation")
    return [_looked_at(sqs, _purpose(name), url) for name, url in sorted(queues.items()) if name.endswith(LOGICAL)]


def chosen(every: Sequence[DeadLetters], purpose: str) -> DeadLetters:
    """The one that a person named, with hyphens or underscores. Raises Mistake, naming those that there are, and when
    its messages have no queue to go back to.
    """
    wanted = purpose.lower().replace("-", "_").removesuffix("_dead_letters")
    found = next((item for item in every if item.purpose == wanted), None)
    if found is None:
        raise Mistake(f"no dead-letter queue {purpose!r}; accepted: {', '.join(item.purpose for item in every)}")
    if found.back_to is None:
        raise Mistake(f"{found.purpose} cannot be redriven: its messages go {found.where}")
    return found


def _looked_at(sqs: Any, purpose: str, url: str) -> DeadLetters:
    names = ["QueueArn", "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    found = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    sources = sqs.list_dead_letter_source_queues(QueueUrl=url).get("queueUrls", [])
    back_to = None
    if sources:
        source = sqs.get_queue_attributes(QueueUrl=sources[0], AttributeNames=["QueueArn"])
        back_to = str(source["Attributes"]["QueueArn"])
    return DeadLetters(purpose, found["QueueArn"], sum(int(found[name]) for name in names[1:]), back_to)


def _purpose(logical: str) -> str:
    """`JobEventsDeadLetters` is `job_events`, as its alarm is called."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", logical.removesuffix(LOGICAL)).lower()
