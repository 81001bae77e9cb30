"""Once a day: a synthetic job's end put where SageMaker's events arrive, and a look at who is subscribed.

Nothing is awaited here. What the look found is told by the next weekly report too. That the card arrives is counted by
the delivery, and an alarm rings when nothing was.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from trainops.counting_ports import SubscriptionLooks
from trainops.domain.self_checks import SubscriptionLook, self_check_event
from trainops.domain.state_changes import needed_time
from trainops.outcomes import Outcome
from trainops.ports import Queue
from trainops.telemetry import Metric


class Subscriptions(Protocol):
    """Who hears a topic."""

    def confirmed(self, topic_arn: str) -> int:
        """How many subscriptions are confirmed; one that waits for its click, or was given up, is not."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """Handles one tick. `job_events` is the intake's queue, or None when no test channel is named; `expected` says how
    many subscribers the settings give a topic.
    """

    job_events: Queue | None
    subscriptions: Subscriptions
    looks: SubscriptionLooks
    expected: Mapping[str, int]
    tags: Mapping[str, str]

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Send, look, tell. Raises ValueError when the event has no time."""
        del has_time  # four calls
        now = needed_time(event, "time")
        if self.job_events:
            self.job_events.send([self_check_event(event["account"], event["region"], self.tags, now)])
        named = {topic: count for topic, count in self.expected.items() if count}
        missing = {topic: count - self.subscriptions.confirmed(topic) for topic, count in named.items()}
        deaf = {topic.rpartition(":")[2]: count for topic, count in missing.items() if count > 0}
        if named:
            self.looks.put_look(SubscriptionLook(now, deaf))
        heard = "; ".join(f"{count} of {topic}" for topic, count in deaf.items()) or "none"
        sent = "the synthetic event is on its way" if self.job_events else "no test channel is named"
        return Outcome(f"{sent}; subscriptions missing: {heard}", {Metric.SUBSCRIPTIONS_MISSING: sum(deaf.values())})
