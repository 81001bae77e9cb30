"""All training jobs of all accounts and Regions: found by name, taken up when due, counted while they run."""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.scope import Scope
from local.sagemaker.usage import Usage


class Fleet:
    """Whoever adds a job or changes what it will do says so by `add` or `changed`.

    There is one heap of what is due for as long as the simulator lives. A job that was changed has entries there that
    hold no longer; they are known by another moment than the job's own and skipped when their time comes.
    """

    def __init__(self) -> None:
        self._jobs: defaultdict[Scope, dict[str, TrainingJob]] = defaultdict(dict)
        self._usage: defaultdict[Scope, Usage] = defaultdict(Usage)
        self._numbered: dict[int, TrainingJob] = {}
        self._due: list[tuple[datetime, int]] = []
        self._last = 0

    def of(self, scope: Scope) -> Mapping[str, TrainingJob]:
        """The jobs of an account and Region by name, in the order of their creation."""
        return self._jobs[scope]

    def usage(self, scope: Scope) -> Usage:
        """The instances that those jobs hold."""
        return self._usage[scope]

    def add(self, job: TrainingJob) -> None:
        """A job was created; of two that are due at the same moment the one created first is taken up first."""
        self._last += 1
        job.number = self._last
        self._jobs[job.scope][job.name] = self._numbered[job.number] = job
        self.changed(job)

    def changed(self, job: TrainingJob) -> None:
        """The job moved on, was stopped or updated, or its pool was taken."""
        self._usage[job.scope].note(job)
        if (at := job.next_at) is not None:
            heapq.heappush(self._due, (at, job.number))

    def remove(self, job: TrainingJob) -> None:
        """Forget a job that holds nothing."""
        del self._jobs[job.scope][job.name], self._numbered[job.number]

    def due(self, now: datetime) -> Iterator[tuple[datetime, TrainingJob]]:
        """Each job that time changes by `now`, with the moment, in the order of time.

        What the one who is told does about a job (advance it, start another) is taken into account for the next.
        """
        while self._due and self._due[0][0] <= now:
            at, number = heapq.heappop(self._due)
            job = self._numbered.get(number)
            if job is not None and job.next_at == at:
                yield at, job
