"""The two passes: this project and the bare rule in one account at once; Custodian alone in accounts of its own."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

from bench.comparison.arrivals import Arrival
from bench.comparison.counting import Message, Step, counted, delays, spread
from bench.comparison.custodian import CHANNEL as NOTICES
from bench.comparison.custodian import EVERY, Custodian
from bench.comparison.day import MINUTE, Day
from bench.comparison.product import Product
from bench.comparison.rule import CHANNEL as TOPIC
from bench.comparison.rule import deployed_rule
from bench.deployment import Arrivals
from local.account import furnish
from local.laptop import Laptop
from local.price_list.products import prices

Tell = Callable[[str], None]
AFTERWARDS = timedelta(minutes=75)
"""Until every pool is gone: the longest keep-alive, and a quarter of an hour for what goes by a schedule."""
HERE = Path(__file__).parent


def events_pass(jobs: Sequence[Arrival], tell: Tell) -> dict[str, Any]:
    """One account with this project and the bare rule, which get the same events."""
    slack, mail = Arrivals(), Arrivals()
    laptop = Laptop(clock_rate=0)
    laptop.slack.messages, laptop.mailbox.mails = slack, mail
    with ExitStack() as stack:
        stack.enter_context(laptop)
        tell("deploying to the local AWS")
        furnish(laptop)
        laptop.bootstrap()
        product, day = Product(laptop, slack, mail), Day(laptop, jobs)
        reader = stack.enter_context(deployed_rule(laptop))
        stack.enter_context(laptop.control.users_unthrottled())
        product.begin(laptop.control.now())
        day.begin()

        def move() -> None:
            day.move()
            product.settle(day.now)
            tell(_progress("this project and the bare rule", day, jobs))

        _whole_day(day, move)
        reader.stop()
        ends = {name: end for name, (_, end) in day.ends().items()}
        ours = product.messages(product.absorbed())
        pools, faults = day.pools(prices()), laptop.control.event_faults()
        return {
            "statuses": _statuses(day),
            "events": {name: faults[name] for name in ("genuine", "lost", "duplicated")},
            "product": {
                **_told(ends, ours, ("slack", "email"), day.steps),
                "calls": day.calls(),
                "pools": pools,
                "functions": product.functions(),
            },
            "rule": {**_told(ends, reader.messages, (TOPIC,), day.steps), "calls": {}},
        }


def custodian_pass(policy: str, jobs: Sequence[Arrival], tell: Tell, *, throttled: bool) -> dict[str, Any]:
    """One policy of Custodian in an account of its own. Not `throttled`, SageMaker's rates are off, and one more run at
    the end meets them.
    """
    with Laptop(clock_rate=0) as laptop, laptop.control.users_unthrottled():
        custodian, day = Custodian(laptop, HERE / f"{policy}.yaml"), Day(laptop, jobs)
        day.begin()
        laptop.control.set_limits(on=throttled)
        custodian.tick(day.now)

        def move() -> None:
            day.move()
            if (day.now - day.began) % EVERY < MINUTE:
                custodian.tick(day.now)
            tell(_progress(f"Custodian, {policy}", day, jobs))

        _whole_day(day, move, afterwards=EVERY)
        found = _noticed(day, custodian)
        if not throttled:
            tell(f"Custodian, {policy}: a run at SageMaker's rates")
            laptop.control.clear_limits()
            laptop.control.set_limits(on=True)
            run = custodian.tick(day.now)
            found["at_the_rates"] = {**asdict(run), "calls": day.calls()}
        until = day.finished + AFTERWARDS
        while day.now < until:
            day.move(EVERY)
        return {**found, "pools": day.pools(prices())}


def _whole_day(day: Day, move: Callable[[], None], afterwards: timedelta = AFTERWARDS) -> None:
    """Until every job has ended, and a while longer."""
    while not day.over():
        move()
    until = day.finished + afterwards
    while day.now < until:
        move()


def _told(
    ends: dict[str, float], messages: Sequence[Message], channels: tuple[str, ...], steps: Sequence[Step]
) -> dict[str, Any]:
    found = delays(ends, messages, steps)
    return {
        **counted(ends, messages, channels),
        "prompt_seconds": spread(found.prompt),
        "late_minutes": spread([seconds / 60 for seconds in found.late]),
    }


def _noticed(day: Day, custodian: Custodian) -> dict[str, Any]:
    """A message of Custodian's is dated by the simulated clock, so its delay is a difference."""
    ends = {name: end for name, (_, end) in day.ends().items()}
    first: dict[str, float] = {}
    for message in custodian.messages:
        for job in message.jobs:
            first.setdefault(job, message.at)
    runs = custodian.runs
    problems = [run.problem for run in runs if run.problem]
    return {
        **counted(ends, custodian.messages, (NOTICES,)),
        "late_minutes": spread([(at - ends[job]) / 60 for job, at in first.items() if job in ends]),
        "calls": day.calls(),
        "runs": len(runs),
        "start_seconds": round(runs[0].seconds, 2),
        "run_seconds": {"median": round(median(run.seconds for run in runs), 2),
                        "longest": round(max(run.seconds for run in runs), 2)},
        "peak_mb": round(max(run.peak_mb for run in runs)),
        "failed_runs": len(problems),
        "problems": sorted(set(problems))[:5],
    }  # fmt: skip


def _statuses(day: Day) -> dict[str, int]:
    found: dict[str, int] = {}
    for status, _ in day.ends().values():
        found[status] = found.get(status, 0) + 1
    return dict(sorted(found.items()))


def _progress(who: str, day: Day, jobs: Sequence[Arrival]) -> str:
    return f"{who}: {(day.now - day.began)} into the day, {day.created} of {len(jobs)} jobs created"
