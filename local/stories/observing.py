"""Looks at a world for a story: its jobs by Search, which has no request rate that the product could miss, and more."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from local.stories import checking
from local.stories.expectations import OF_THE_ACCOUNT, Expectation
from local.stories.world import World

Shapes = Mapping[str, dict[str, Any]]


@dataclass(frozen=True)
class Observer:
    """What can be seen of a story that began at a moment."""

    world: World
    since: datetime

    def jobs(self) -> Shapes:
        """The TrainingJob shape of every job since the start, oldest first."""
        condition = {"Name": "CreationTime", "Operator": "GreaterThanOrEqualTo", "Value": self.since.isoformat()}
        request: dict[str, Any] = {"Resource": "TrainingJob", "SearchExpression": {"Filters": [condition]}}
        request |= {"SortBy": "CreationTime", "SortOrder": "Ascending", "MaxResults": 100}
        found: list[dict[str, Any]] = []
        while True:
            page = self.world.call("Search", **request)
            found += [result["TrainingJob"] for result in page["Results"]]
            if "NextToken" not in page:
                return {shape["TrainingJobName"]: shape for shape in found}
            request["NextToken"] = page["NextToken"]

    def about(self, job: str, shapes: Shapes, expected: Expectation) -> checking.AboutJob:
        """What is known of one job; events are counted only when their number is expected."""
        product = self.world.product
        slack, mail = (product.slack(), product.mail()) if product else ((), ())
        events = 0 if expected.events is None else self._events(job)
        return checking.AboutJob(job, shapes.get(job), events, naming(job, slack), naming(job, mail))

    def _events(self, job: str) -> int:
        own = [event for event in self.world.events() if event["Detail"].get("TrainingJobName") == job]
        return len([event for event in own if event["Time"] >= self.since.timestamp()])

    def enough(self, expected: Expectation, jobs: Sequence[str]) -> bool:
        """Whether there are as many messages as are expected at least."""
        product = self.world.product
        if product is None:
            return True
        for channel, texts in (("slack", product.slack()), ("mail", product.mail())):
            for messages in (expected.messages, getattr(expected, channel)):
                wanted = messages.times.at_least if messages and messages.times else None
                if any(len(naming(job, texts)) < (wanted or 0) for job in jobs):
                    return False
        return True

    def account(self, expected: Expectation) -> Iterator[checking.Mismatch]:
        """The differences of the account, which is asked only when something is expected of it."""
        if not expected.given() & set(OF_THE_ACCOUNT):
            return
        dead = self.world.product.dead_letters() if self.world.product else None
        yield from checking.about_account(expected, self.world.rates(), self.world.delivery(), dead)


def naming(job: str, texts: Sequence[str]) -> list[str]:
    """The texts whose headline names a job, and not one whose name only begins or ends so. Further down a message may
    name others: the run before that failed the same way, the job that left a pool.
    """
    name = re.compile(rf"(?<![\w-]){re.escape(job)}(?![\w-])")
    return [text for text in texts if name.search(text.partition("\n")[0])]
