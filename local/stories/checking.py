"""Compares what a story expects with what is found; pure, every difference is reported."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from local.stories.expectations import OF_A_JOB, Expectation, Messages, Pool
from local.stories.values import shown

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Mismatch:
    """One difference: the field of the expectation, what it says, and what was found."""

    field: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"expected {self.expected}, found {self.found}"


@dataclass(frozen=True)
class AboutJob:
    """What is known of one job: its TrainingJob shape (None when there is none), events and messages."""

    name: str
    shape: Json | None
    events: int = 0
    slack: Sequence[str] = ()
    mail: Sequence[str] = ()


def startup(job: Json) -> timedelta | None:
    """From the creation to the first Training."""
    began = [step["StartTime"] for step in job["SecondaryStatusTransitions"] if step["Status"] == "Training"]
    return began[0] - job["CreationTime"] if began else None


def _seconds(field: str) -> Callable[[Json], timedelta | None]:
    return lambda job: timedelta(seconds=job[field]) if field in job else None


def _interruptions(job: Json) -> int:
    return [step["Status"] for step in job["SecondaryStatusTransitions"]].count("Interrupted")


TEXTS: Mapping[str, Callable[[Json], str]] = {
    "status": lambda job: str(job["TrainingJobStatus"]),
    "secondary": lambda job: str(job["SecondaryStatus"]),
}
AMOUNTS: Mapping[str, Callable[[Json], Any]] = {
    "startup": startup,
    "training": _seconds("TrainingTimeInSeconds"),
    "billable": _seconds("BillableTimeInSeconds"),
    "interruptions": _interruptions,
}


def about_job(expected: Expectation, found: AboutJob) -> Iterator[Mismatch]:
    """The differences of one job."""
    if found.shape is None:
        if expected.given() & set(OF_A_JOB) - {"status", "events"} or expected.status not in {None, "none"}:
            yield Mismatch("job", f"a training job {found.name}", "none")
    else:
        yield from _of_shape(expected, found.shape)
    if expected.events is not None and not expected.events.holds(found.events):
        yield Mismatch("events", str(expected.events), str(found.events))
    for channel, texts in (("slack", found.slack), ("mail", found.mail)):
        for field in ("messages", channel):
            yield from _of_messages(field, channel, getattr(expected, field), texts)


def _of_shape(expected: Expectation, job: Json) -> Iterator[Mismatch]:
    for field, look in TEXTS.items():
        wanted, text = getattr(expected, field), look(job)
        if wanted is not None and wanted != text:
            yield Mismatch(field, wanted, text)
    for field, measure in AMOUNTS.items():
        wanted, amount = getattr(expected, field), measure(job)
        if wanted is not None and not wanted.holds(amount):
            yield Mismatch(field, str(wanted), shown(amount))
    reason = job.get("FailureReason", "no FailureReason")
    if expected.failure is not None and expected.failure not in reason:
        yield Mismatch("failure", f"a reason with {expected.failure!r}", repr(reason))
    if expected.pool is not None:
        yield from _of_pool(expected.pool, job.get("WarmPoolStatus", {"Status": "none"}))


def _of_pool(expected: Pool, found: Json) -> Iterator[Mismatch]:
    if expected.status != found["Status"]:
        yield Mismatch("pool", expected.status, found["Status"])
    if expected.reused_by not in {None, found.get("ReusedByJob")}:
        yield Mismatch("pool.reused_by", str(expected.reused_by), found.get("ReusedByJob", "nobody"))
    retained = _seconds("ResourceRetainedBillableTimeInSeconds")(found)
    if expected.retained is not None and not expected.retained.holds(retained):
        yield Mismatch("pool.retained", str(expected.retained), shown(retained))


def _of_messages(field: str, channel: str, expected: Messages | None, texts: Sequence[str]) -> Iterator[Mismatch]:
    if expected is None:
        return
    if expected.times is not None and not expected.times.holds(len(texts)):
        yield Mismatch(f"{field}.times", f"{expected.times} in {channel}", str(len(texts)))
    folded = [text.lower() for text in texts]
    for words in expected.says:
        if not any(words.lower() in text for text in folded):
            yield Mismatch(f"{field}.says", f"{words!r} in {channel}", _quoted(texts))
    for words in expected.never_says:
        if any(words.lower() in text for text in folded):
            yield Mismatch(f"{field}.never_says", f"no {words!r} in {channel}", _quoted(texts))


def _quoted(texts: Sequence[str]) -> str:
    return " / ".join(repr(text[:300]) for text in texts) or "no message"


def about_account(
    expected: Expectation, rates: Mapping[str, Mapping[str, int]], delivery: Mapping[str, int], dead: int | None
) -> Iterator[Mismatch]:
    """The differences of the account: counters of calls and events, messages that were given up."""
    for operation, rate in expected.rates.items():
        counted = rates.get(operation, {"peak": 0, "allowed": 0, "throttled": 0})
        for name in rate.model_fields_set:
            if not (wanted := getattr(rate, name)).holds(counted[name]):
                yield Mismatch(f"rates.{operation}.{name}", str(wanted), str(counted[name]))
    for fate, count in expected.delivery.items():
        if not count.holds(delivery[fate]):
            yield Mismatch(f"delivery.{fate}", str(count), str(delivery[fate]))
    if expected.dead_letters is not None and not expected.dead_letters.holds(dead):
        yield Mismatch("dead_letters", str(expected.dead_letters), shown(dead))
