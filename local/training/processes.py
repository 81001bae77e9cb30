"""The training processes of all jobs: started, interrupted and stopped as the simulator's jobs move on."""

import queue
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.scope import Scope
from local.sagemaker.simulator import Simulator
from local.training.attempt import Attempt
from local.training.container import Container, trains_here

Credentials = Callable[[str, str], Mapping[str, str]]
"""From a role's ARN and a session name to environment variables."""


def endpoint_client(endpoint_url: str) -> Callable[[str, Mapping[str, str], str], Any]:
    """Makes boto3 clients that speak to this address with given credentials."""

    def client(service: str, environ: Mapping[str, str], region: str) -> Any:
        keys = (environ["AWS_ACCESS_KEY_ID"], environ["AWS_SECRET_ACCESS_KEY"], environ["AWS_SESSION_TOKEN"])
        session: Any = boto3.session.Session(*keys, region)
        return session.client(service, endpoint_url=endpoint_url)

    return client


@dataclass
class Processes:
    """Follows the jobs of a simulator. `python` runs the scripts, `folder` holds what they write, `client` makes a
    boto3 client of a service, with such environment variables, in a Region.
    """

    simulator: Simulator
    credentials: Credentials
    client: Callable[[str, Mapping[str, str], str], Any]
    python: Path
    folder: Path
    _attempts: dict[str, Attempt] = field(default_factory=dict)
    _trained: dict[str, int] = field(default_factory=dict)
    _clusters: dict[str, Path] = field(default_factory=dict)
    _ended: "queue.SimpleQueue[tuple[TrainingJob, Attempt, str | None]]" = field(default_factory=queue.SimpleQueue)

    def attach(self) -> None:
        """Have the simulator tell of its jobs, and leave to us when they end."""
        self.simulator.trains_here = trains_here
        self.simulator.followers.append(self)

    def __call__(self, _scope: Scope, job: TrainingJob) -> None:
        """A job moved on."""
        if not job.plan.until_exit:
            return
        attempt = self._attempts.get(job.arn)
        if job.secondary == "Training":
            self._start(job)
        elif job.secondary == "Stopping" and attempt:
            attempt.stop(job.modified)
        elif attempt:
            attempt.interrupt()  # Interrupted, or over: what still runs has no instance any more

    def poll(self) -> None:
        """Let the jobs whose process has ended by itself go on to their end."""
        while not self._ended.empty():
            job, attempt, failure = self._ended.get()
            if self._attempts.get(job.arn) is attempt and job.ended is None:
                self.simulator.exited(job, failure)

    def _start(self, job: TrainingJob) -> None:
        number = sum(step.status == "Training" for step in job.transitions)
        if self._trained.get(job.arn) == number:
            return
        self._trained[job.arn] = number
        environ = dict(self.credentials(job.request["RoleArn"], "SageMaker"))
        region = job.scope.region
        root = self.folder / job.name / f"{number}" / "opt/ml"
        container = Container(job.request, job.arn, root, self._cluster(job))
        attempt = Attempt(
            container,
            self.python,
            lambda service: self.client(service, environ, region),
            {**container.environment(region, self.python), **environ},
            self.simulator.clock.now,
            lambda failure: self._ended.put((job, attempt, failure)),
            before=self._attempts.get(job.arn),
        )
        self._attempts[job.arn] = attempt
        attempt.start()

    def _cluster(self, job: TrainingJob) -> Path:
        """What its instances keep from job to job: that of the pool it took, else a new one."""
        fresh = self.folder / job.name / "warmpoolcache"
        return self._clusters.setdefault(job.arn, self._clusters.get(job.took or "", fresh))
