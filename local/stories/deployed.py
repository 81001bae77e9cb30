"""The deployed product on a laptop, as a story sees it: messages that came, queues, and what goes wrong around it."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from datetime import datetime, timedelta

from local.functions import find, restart, run_scheduled
from local.laptop import Laptop
from local.reading import slack_text
from local.waiting import until

QUEUES = "trainops-"
DEAD = "DeadLetters"
PATIENCE = 90
"""Seconds to wait for the product before its messages are counted."""
AT_WORK = 10
"""Seconds within which a function is done with a message that it has taken."""
KILL_SWITCH = "/trainops/kill-switch"
LISTENERS = ("JobNotificationsFunction", "JobNotificationsSlackFunction", "JobNotificationsEmailFunction")
"""Read the kill switch, and remember it for half a minute."""
POOL_SETTINGS = "/trainops/settings/warm-pools/{}"
QUOTA_TRACKER = "QuotasTrackerFunction"
POOL_KEEPERS = ("WarmPoolsControlFunction", "WarmPoolsSweepFunction")
"""Read these settings, and remember them for a minute."""


class DeployedProduct:
    """Counts from the moment it is made, so that stories can share one deployment.

    `undo` takes what puts things right afterwards; `running` is time that runs while the product works.
    """

    def __init__(self, laptop: Laptop, undo: ExitStack, running: Callable[[], AbstractContextManager[None]]) -> None:
        self._laptop, self._undo, self._running = laptop, undo, running
        self._queues = laptop.client("sqs").list_queues(QueueNamePrefix=QUEUES).get("QueueUrls", [])
        self._slack_before = len(laptop.slack.messages)
        self._mails_before = len(laptop.mailbox.mails)
        self._dead_before = self._waiting(dead=True)

    def settle(self, enough: Callable[[], bool] = lambda: True) -> None:
        """Wait for idle queues, and for functions to end: a schedule's has no queue, and were time to leap while it
        runs, its lease would be over and the schedule's next one would run beside it.
        """
        rest = Rest()
        with self._running(), suppress(TimeoutError):  # what is missing then is for the expectations to say
            until(lambda: rest(self._depths(dead=False), self._at_work()) and enough(), "rest", seconds=PATIENCE)

    def _at_work(self) -> int:
        return int(self._laptop.control.health()["functions_at_work"])

    def slack(self) -> Sequence[str]:
        return [slack_text(message.body) for message in self._laptop.slack.messages[self._slack_before :]]

    def mail(self) -> Sequence[str]:
        return [f"{mail.subject}\n{mail.body()}" for mail in self._laptop.mailbox.mails[self._mails_before :]]

    def dead_letters(self) -> int:
        return self._waiting(dead=True) - self._dead_before

    def fail_slack(self, status: int, times: int, retry_after: timedelta | None) -> None:
        seconds = None if retry_after is None else round(retry_after.total_seconds())
        self._undo.callback(self._laptop.slack.heal)
        self._laptop.slack.fail(status, times=times, retry_after=seconds)

    def kill_switch(self, *, on: bool) -> None:
        if on:
            self._undo.callback(self.kill_switch, on=False)
        self._laptop.client("ssm").put_parameter(Name=KILL_SWITCH, Value="on" if on else "off", Overwrite=True)
        self._restart(LISTENERS)

    def pool_mode(self, team: str, mode: str) -> None:
        name, ssm = POOL_SETTINGS.format(team), self._laptop.client("ssm")
        before = ssm.get_parameter(Name=name)["Parameter"]["Value"]
        self._undo.callback(self._put_pool_settings, name, before)
        self._put_pool_settings(name, json.dumps({**json.loads(before), "mode": mode}))

    def track_quotas(self, moment: datetime) -> None:
        """Have the quotas read that the deployment watches, as their schedule does every quarter of an hour."""
        functions = self._laptop.client("lambda")
        for page in functions.get_paginator("list_functions").paginate():
            for name in (entry["FunctionName"] for entry in page["Functions"]):
                if QUOTA_TRACKER in name:
                    run_scheduled(functions, name, moment)

    def _put_pool_settings(self, name: str, value: str) -> None:
        self._laptop.client("ssm").put_parameter(Name=name, Value=value, Overwrite=True)
        self._restart(POOL_KEEPERS)

    def _restart(self, names: Sequence[str]) -> None:
        functions = self._laptop.client("lambda")
        for name in names:
            restart(functions, find(functions, name))

    def reconcile(self) -> None:
        self._tick("JobReconcileFunction")

    def sweep(self) -> None:
        self._tick("WarmPoolsSweepFunction")

    def _tick(self, function: str) -> None:
        functions = self._laptop.client("lambda")
        run_scheduled(functions, find(functions, function), self._laptop.control.now())

    def _waiting(self, *, dead: bool) -> int:
        """Messages in the dead-letter queues or in all others, in flight or not."""
        return sum(map(sum, self._depths(dead=dead)))

    def _depths(self, *, dead: bool) -> list[tuple[int, int]]:
        """Visible and hidden messages of each queue; what is delayed is meant for later, and is in neither."""
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        sqs, depths = self._laptop.client("sqs"), []
        for url in self._queues:
            if (DEAD in url) is dead:
                counts = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
                depths.append((int(counts[names[0]]), int(counts[names[1]])))
        return depths


class Rest:
    """Tells when the product is at rest: no function at work, and queues empty or with nothing but messages that stay
    hidden.

    A function hides a message that it will try again for up to a quarter of an hour. That cannot be told from one that
    it is working on, but work is done within seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since, self._before = now(), list[tuple[int, int]]()

    def __call__(self, depths: list[tuple[int, int]], at_work: int = 0) -> bool:
        """Whether these depths, and those before, are at rest, with so many functions at work."""
        if depths != self._before:
            self._since, self._before = self._now(), depths
        if at_work or any(visible for visible, _ in depths):
            return False
        return not any(hidden for _, hidden in depths) or self._now() - self._since > AT_WORK
