"""Plays a story in a world: lets time pass, carries out what is due, checks every expectation, fails at the end."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from local.sagemaker.timeline import primary_status
from local.stories import checking
from local.stories.actions import Actions
from local.stories.expectations import MESSAGES, Expectation
from local.stories.format import Account, Entry, Story
from local.stories.loading import Loaded
from local.stories.observing import Observer
from local.stories.source import Where
from local.stories.steps import Step
from local.stories.values import matching, shown
from local.stories.world import Refused, World

Watch = Callable[[datetime, str, str], None]
"""Told of everything that happens: the moment, the job's name or nothing, and what."""


class StoryFailed(AssertionError):
    """At least one expectation was not met; the text names each with its line, what was expected and found."""


def play(loaded: Loaded, world: World, watch: Watch = lambda *_: None) -> None:
    """Play a whole story. StoryError when this world cannot play it, StoryFailed when an expectation fails."""
    if world.product is None:
        loaded.source.refuse((where, "needs the deployed product: play it on a laptop") for where in needs(loaded))
    Performance(loaded, world, watch).run()


def needs(loaded: Loaded) -> Iterator[Where]:
    """The places of a story that only the deployed product can fulfil."""
    yield from _faults_of_product((), loaded.story)
    for step in loaded.steps:
        if isinstance(step.what, Expectation):
            yield from ((*step.where, name) for name in (*MESSAGES, "dead_letters") if name in step.what.given())
        else:
            yield from _faults_of_product(step.where, step.what)
            yield from [(*step.where, name) for name in ("run", "mode") if name in step.what.model_fields_set]


def _faults_of_product(where: Where, account: Account) -> Iterator[Where]:
    for name in ("slack", "kill_switch"):
        if account.faults is not None and name in account.faults.model_fields_set:
            yield (*where, "faults", name)


@dataclass
class Performance:
    """One run of a story, with what it has shown and found wrong so far."""

    loaded: Loaded
    world: World
    watch: Watch
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._story: Story = self.loaded.story
        self._start = self.world.now()
        self._actions = Actions(self._story, self.world, self._start)
        self._observer = Observer(self.world, self._start)
        self._told: dict[tuple[str, datetime], int] = {}

    def run(self) -> None:
        """From the first step to the end."""
        self._actions.set(self._story)
        for step in self.loaded.steps:
            self.world.pass_until(self._start + step.at, self._look)
            if isinstance(step.what, Expectation):
                self._check(step, step.what)
            else:
                self._act(step, step.what)
        if self.wrong:
            count = "1 expectation" if len(self.wrong) == 1 else f"{len(self.wrong)} expectations"
            raise StoryFailed("\n".join([f"{count} of {self.loaded.name} not met:", *self.wrong]))

    def _act(self, step: Step, entry: Entry) -> None:
        """Carry out one entry; whether SageMaker accepts it is an expectation too."""
        expected, found, done = entry.refused or "accepted", "accepted", ""
        try:
            done = self._actions(entry)
        except Refused as refusal:
            found, done = str(refusal), f"refused: {refusal.code}"
            if refusal.code == entry.refused:
                expected = found
        self.watch(self.world.now(), _job_of(entry), done)
        if expected != found:
            self._note(step, checking.Mismatch("refused", expected, found), _job_of(entry))
        self._look()

    def _check(self, step: Step, expected: Expectation) -> None:
        jobs = matching(expected.job, self._actions.created) if expected.job else []
        if self.world.product is not None:
            self.world.product.settle(lambda: self._observer.enough(expected, jobs))
        shapes = self._observer.jobs()
        for job in jobs:
            for mismatch in checking.about_job(expected, self._observer.about(job, shapes, expected)):
                self._note(step, mismatch, job)
        for mismatch in self._observer.account(expected):
            self._note(step, mismatch, "")

    def _note(self, step: Step, mismatch: checking.Mismatch, job: str) -> None:
        about = f"{job} at {shown(step.at)}".strip()
        self.wrong.append(self.loaded.source.at((*step.where, *mismatch.field.split(".")), f"{about}: {mismatch}"))

    def _look(self) -> None:
        """Tell what has become of the jobs since the last look, in the order of time."""
        news: list[tuple[datetime, str, str]] = []
        for name, shape in self._observer.jobs().items():
            steps = shape["SecondaryStatusTransitions"]
            seen = self._told.get((name, shape["CreationTime"]), 0)
            self._told[name, shape["CreationTime"]] = len(steps)
            statuses = [(one["StartTime"], one["Status"]) for one in steps[seen:]]
            news += [(moment, name, f"{primary_status(status)}/{status}") for moment, status in statuses]
        for one in sorted(news):
            self.watch(*one)


def _job_of(entry: Entry) -> str:
    """The job that an action is about."""
    about: Any = entry.create or entry.update or entry.tag
    return about.job if about else entry.stop or entry.delete or ""
