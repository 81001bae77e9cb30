"""The day as a line of steps: actions and expectations in the order of their time."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from local.stories.expectations import Expectation
from local.stories.format import Entry, Story
from local.stories.source import Where


@dataclass(frozen=True)
class Step:
    """What happens, or is expected, so long after the start; `where` is its place in the file."""

    at: timedelta
    where: Where
    what: Entry | Expectation


def in_order(story: Story) -> tuple[Step, ...]:
    """Every step; at one moment actions come before expectations, and what is at the end comes last."""
    steps = [step for number, entry in enumerate(story.day) for step in _each(("day", number), entry)]
    steps += [Step(moment.at, ("expect", number), moment) for number, moment in enumerate(story.expect)]
    steps.sort(key=lambda step: (step.at, isinstance(step.what, Expectation)))
    ends = steps[-1].at if story.ends is None else story.ends
    return (*steps, *(Step(ends, ("finally", number), one) for number, one in enumerate(story.at_the_end)))


def _each(where: Where, entry: Entry) -> Iterator[Step]:
    """The entry itself; of many jobs a step for every job."""
    if entry.create_many is None:
        yield Step(entry.at, where, entry)
        return
    for later, job in entry.create_many.each():
        at = entry.at + later
        refusal = {} if entry.refused is None else {"refused": entry.refused}
        yield Step(at, where, Entry.model_validate({"at": at, "create": job, **refusal}))
