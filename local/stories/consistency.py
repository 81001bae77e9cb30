"""What no single field shows to be wrong: people and jobs that nobody knows, times that run backwards."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from local.stories.expectations import Expectation
from local.stories.format import Entry, Story
from local.stories.jobs import Create
from local.stories.source import Where
from local.stories.steps import Step
from local.stories.values import matching, shown

Fault = tuple[Where, str]


def faults(story: Story, steps: Sequence[Step]) -> Iterator[Fault]:
    """Every contradiction with its place."""
    yield from _backwards(story)
    yield from _late(story, steps)
    yield from _unknown_people(story)
    yield from _unknown_jobs(steps)


def _backwards(story: Story) -> Iterator[Fault]:
    moments = {"day": [entry.at for entry in story.day], "expect": [moment.at for moment in story.expect]}
    for name, every in moments.items():
        for number, (above, at) in enumerate(pairwise(every), start=1):
            if at < above:
                yield (name, number, "at"), f"{shown(at)} is before the entry above, which is at {shown(above)}"


def _late(story: Story, steps: Sequence[Step]) -> Iterator[Fault]:
    latest = max(step.at for step in steps if step.where[0] != "finally")
    if story.ends is not None and story.ends < latest:
        yield ("ends",), f"{shown(story.ends)} is before the last entry, which is at {shown(latest)}"


def _unknown_people(story: Story) -> Iterator[Fault]:
    for number, entry in enumerate(story.day):
        asked = entry.create or entry.create_many
        if asked is not None and asked.by not in story.people:
            action = "create" if entry.create else "create_many"
            yield ("day", number, action, "by"), f"nobody is called {asked.by}; people: {', '.join(story.people)}"


def _unknown_jobs(steps: Sequence[Step]) -> Iterator[Fault]:
    """Follow the day: which jobs there are at each step, and which there ever were."""
    present: dict[str, None] = {}
    ever: dict[str, None] = {}
    for step in steps:
        if isinstance(step.what, Expectation):
            yield from _expected(step, step.what, ever)
        elif (create := step.what.create) is not None:
            yield from _created(step, create, present)
            ever[create.job] = None
            if step.what.refused is None:
                present[create.job] = None
        else:
            yield from _named(step, step.what, present)


def _created(step: Step, create: Create, present: dict[str, None]) -> Iterator[Fault]:
    if isinstance(step.what, Entry) and step.what.refused is None and create.job in present:
        yield (*step.where, "create", "job"), f"there is a job {create.job} already; delete it first, or name another"


def _named(step: Step, entry: Entry, present: dict[str, None]) -> Iterator[Fault]:
    named = {"stop": entry.stop, "delete": entry.delete}
    named |= {"update": entry.update.job if entry.update else None, "tag": entry.tag.job if entry.tag else None}
    for action, job in named.items():
        if job is not None and job not in present and entry.refused is None:
            yield (*step.where, action, "job"), f"there is no job {job} at {shown(step.at)}"
    if entry.delete is not None and entry.refused is None:
        present.pop(entry.delete, None)


def _expected(step: Step, expectation: Expectation, ever: dict[str, None]) -> Iterator[Fault]:
    if expectation.job is not None and not matching(expectation.job, ever):
        yield (*step.where, "job"), f"no job {expectation.job} was created before {shown(step.at)}"
