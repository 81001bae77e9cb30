"""The project itself on the local AWS, with its schedules and delayed messages on the simulated clock.

Queues keep their delays on the machine's clock, on which this day lasts minutes. What the product sent ahead to itself,
a look at a warm pool or at a storm of failures, is therefore sent once more when its time has come on the simulated
clock; the delayed copy comes later and finds nothing to do.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.comparison.arrivals import TEAMS
from bench.comparison.counting import Message
from bench.comparison.day import NAME
from bench.deployment import Arrivals, Deployment
from local.functions import run_scheduled
from local.laptop import Laptop
from local.reading import slack_text
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.storms import DynamoStorms
from trainops.domain.failure_classes import FailureClass
from trainops.domain.storm_cards import look_message
from trainops.domain.storms import Storm
from trainops.domain.warm_pool_looks import look_at_pool

CONFIG = Path(__file__).with_name("product.yaml")
RATE = re.compile(r"rate\((\d+) (minute|hour|day)s?\)")
POOLS, CARDS = "WarmPoolsControlLooksQueue", "JobNotificationsAnnouncedQueue"
END = re.compile(rf"({NAME.pattern}) (?:completed|failed|stopped|ended)\b")
STORM = re.compile(r"(?:failures alike of team (\w+)|Failures of team (\w+) have ended): ([a-z ]+)")


class Product(Deployment):
    """Deployed, and put on the day's clock."""

    def __init__(self, laptop: Laptop, slack: Arrivals, mail: Arrivals) -> None:
        laptop.deploy(config=CONFIG)
        super().__init__(laptop, slack, mail)
        functions, dynamodb = laptop.client("lambda"), laptop.client("dynamodb")
        [table] = [name for name in dynamodb.list_tables()["TableNames"] if "Ledger" in name]
        self._table, self._dynamodb = table, dynamodb
        ledger = LedgerTable(dynamodb, table)
        self._pools, self._storms = DynamoPoolLedger(ledger), DynamoStorms(ledger)
        self._lambda, self._sqs = functions, laptop.client("sqs")
        self._schedules = list(_schedules(laptop))
        self._next: dict[str, datetime] = {}
        self._asked: set[tuple[Any, ...]] = set()

    def begin(self, now: datetime) -> None:
        """Run everything that has a schedule once, as on the day of the deployment."""
        self._next = {name: now + every for name, every in self._schedules}
        for name, _ in self._schedules:
            run_scheduled(self._lambda, name, now)
        self.quiet()

    def settle(self, now: datetime) -> None:
        """Handle everything that is due by this simulated moment."""
        self.quiet()
        for name, every in self._schedules:
            if self._next[name] <= now:
                self._next[name] += every
                run_scheduled(self._lambda, name, now)
                self.quiet()
        while looks := [*self._pool_looks(now), *self._storm_looks(now)]:
            for queue, message in looks:
                self._sqs.send_message(QueueUrl=self._queue(queue), MessageBody=json.dumps(message))
            self.quiet()

    def messages(self, absorbed: Mapping[str, tuple[str, str]]) -> Sequence[Message]:
        """Everything that came, per channel; `absorbed` is what `Product.absorbed` gives."""
        slack = [("slack", at, slack_text(item.body)) for item, at in zip(self.slack, self.slack.times, strict=True)]
        mail = [
            ("email", at, f"{item.subject}\n{item.body()}") for item, at in zip(self.mail, self.mail.times, strict=True)
        ]
        return [message_of(channel, at, text, absorbed) for channel, at, text in (*slack, *mail)]

    def absorbed(self) -> Mapping[str, tuple[str, str]]:
        """Every job whose failure was told in a summary: its team and class, from the ledger."""
        pages = self._dynamodb.get_paginator("scan").paginate(TableName=self._table)
        items = [item for page in pages for item in page["Items"] if item["pk"]["S"].startswith("STORM#SEEN#")]
        folded = [item for item in items if "opened" in item["record"]["M"]]
        return {
            item["record"]["M"]["job"]["S"].rpartition("/")[2]: tuple(item["sk"]["S"].split("/")) for item in folded
        }

    def functions(self) -> Sequence[dict[str, Any]]:
        """Handler and memory size of every function of the project."""
        pages = self._lambda.get_paginator("list_functions").paginate()
        found = [entry for page in pages for entry in page["Functions"] if entry["Handler"].startswith("handlers.")]
        return [{"handler": entry["Handler"].split(".")[1], "memory_mb": entry["MemorySize"]} for entry in found]

    def _pool_looks(self, now: datetime) -> Iterator[tuple[str, dict[str, Any]]]:
        for pool in self._pools.pools(self._pools.open_pools(now)).values():
            look = look_at_pool(pool)
            if look and look.look_at <= now and self._first(POOLS, look.key, look.look_at):
                yield POOLS, look.sent(look.look_at)[0]

    def _storm_looks(self, now: datetime) -> Iterator[tuple[str, dict[str, Any]]]:
        for storm in self._open_storms():
            if storm.due and storm.due <= now and self._first(CARDS, storm.key, storm.due):
                yield CARDS, look_message(storm, storm.windows + 1)

    def _open_storms(self) -> Iterable[Storm]:
        found = [self._storms.storm(f"{team}/{kind}") for team in TEAMS for kind in CLASSES]
        return [storm for storm in found if storm and storm.opened and not storm.over]

    def _first(self, *look: Any) -> bool:
        """Whether this look has not been asked for yet."""
        fresh = look not in self._asked
        self._asked.add(look)
        return fresh

    def _queue(self, part: str) -> str:
        [found] = [url for url in self._queues if part in url]
        return str(found)


CLASSES = (FailureClass.SCRIPT_ERROR, FailureClass.GPU_OUT_OF_MEMORY, FailureClass.DATA_NOT_FOUND)
"""What the day's failures are (bench/comparison/arrivals.py)."""


def message_of(channel: str, at: float, text: str, absorbed: Mapping[str, tuple[str, str]]) -> Message:
    """A message's jobs by its headline; of a summary, all that the ledger lists for its team and class."""
    headline = text.partition("\n")[0]
    if found := STORM.search(headline):
        of = (found[1] or found[2], found[3].strip().replace(" ", "_"))
        return Message(channel, at, tuple(job for job, kind in absorbed.items() if kind == of), summary=True)
    return Message(channel, at, tuple(END.findall(headline))[:1])


def _schedules(laptop: Laptop) -> Iterator[tuple[str, timedelta]]:
    """Every deployed schedule's function and interval; its rule is turned off, since the day has a clock of its own."""
    events = laptop.client("events")
    for rule in events.list_rules()["Rules"]:
        if "ScheduleExpression" not in rule:
            continue
        events.disable_rule(Name=rule["Name"])
        found = RATE.fullmatch(rule["ScheduleExpression"])
        if found is None:
            raise ValueError(f"{rule['Name']}: {rule['ScheduleExpression']} is no rate")
        [target] = events.list_targets_by_rule(Rule=rule["Name"])["Targets"]
        yield target["Arn"].rpartition(":")[2], timedelta(**{f"{found[2]}s": int(found[1])})
