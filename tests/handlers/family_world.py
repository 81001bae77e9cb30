"""Tuning jobs, pipelines and AutoML jobs with an intake and a notification around them, in memory."""

from datetime import UTC, datetime
from typing import Any

from tests.builders import ACCOUNT, CREATED, REGION, arn, at, description, event
from tests.desks import desk
from tests.handlers.intake_world import World
from tests.handlers.storm_world import Channel, Later
from tests.quiet_fakes import failure_storms, job_families
from trainops.domain.family_events import LOOK
from trainops.domain.job_families import PIPELINE_TAG
from trainops.domain.training_jobs import from_description
from trainops.outcomes import Outcome
from trainops.workflows.job_notification import JobNotification

TUNING = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:hyper-parameter-tuning-job/hpo-1"
AUTOML = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:automl-job/churn"
EXECUTION = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:pipeline/Churn/execution/p4jn9xou8a8s"
ALL = ("Started", "Interrupted", "Completed", "Failed", "Stopped")


class FamilyWorld(World):
    """An intake whose announcements are told; `single` turns folding off."""

    def __init__(self, *, single: bool = False, scope: dict[str, str] | None = None) -> None:
        super().__init__(scope=scope or {})
        self.looks = Later()
        self.channel = Channel(self.looks)
        handed = desk(ALL, self.channel)
        storms = failure_storms(handed, looks=self.looks)
        self.folding = job_families(storms, self.families, scope)
        self.notify = JobNotification(self.ledger, handed, UTC, storms, None if single else self.folding)
        self.outcomes: list[Outcome] = []

    def child(self, name: str, status: str = "Completed", minute: float = 30, **described: Any) -> None:
        """A job starts and ends, and its announcements are told; `tags` are those that the API has."""
        tags = described.pop("tags", {})
        for state, secondary, when in (("InProgress", "Starting", 0.0), (status, status, minute)):
            answer = description(name, state, **described) | {"LastModifiedTime": at(when)}
            if state != "InProgress":
                answer["TrainingEndTime"] = at(when)
            self.api.jobs[name] = from_description(answer, tags)
            self.api.tags[name] = tags
            self.intake(event(name, state, secondary, when=at(when)))
            self.heard()

    def heard(self) -> None:
        """Hand on what was announced since."""
        for said in self.bus.published:
            message = {"detail-type": said.detail_type, "time": said.time.isoformat(), "detail": dict(said.detail)}
            self.outcomes.append(self.notify(message))
        self.bus.published.clear()

    def tells(self, message: dict[str, Any]) -> None:
        """An event of SageMaker about what launches jobs, or a look."""
        self.outcomes.append(self.folding(message))

    def settle(self) -> None:
        """Let time pass until nothing is waited for."""
        while self.looks.waiting:
            for look in self.looks.due(max(when for when, _ in self.looks.waiting)):
                assert look["detail-type"] == LOOK
                self.tells(dict(look))

    @property
    def cards(self) -> list[dict[str, Any]]:
        """The messages, each once, in order."""
        return [dict(card) for _, card in self.channel.cards.values()]


def tuning_end(status: str = "Completed", minute: float = 40, **detail: Any) -> dict[str, Any]:
    """The published event of a tuning job that ended; its shape is that of DescribeHyperParameterTuningJob."""
    body: dict[str, Any] = {
        "HyperParameterTuningJobName": "hpo-1",
        "HyperParameterTuningJobArn": TUNING,
        "HyperParameterTuningJobStatus": status,
        "CreationTime": _millis(CREATED),
        "LastModifiedTime": _millis(at(minute)),
        "TrainingJobStatusCounters": {"Completed": 2, "InProgress": 0, "NonRetryableError": 1, "Stopped": 0},
        "Tags": {"owner": "alpha"},
    }
    return _event("SageMaker HyperParameter Tuning Job State Change", [TUNING], minute, body | detail)


def pipeline_end(status: str = "Failed", minute: float = 60, **detail: Any) -> dict[str, Any]:
    """The published event of a pipeline's execution that ended."""
    body = {
        "pipelineExecutionDisplayName": "nightly",
        "currentPipelineExecutionStatus": status,
        "previousPipelineExecutionStatus": "Executing",
        "executionStartTime": CREATED.isoformat(),
        "executionEndTime": at(minute).isoformat(),
        "pipelineArn": EXECUTION.partition("/execution/")[0],
        "pipelineExecutionArn": EXECUTION,
    }
    kind = "SageMaker Model Building Pipeline Execution Status Change"
    return _event(kind, [EXECUTION], minute, body | detail)


def step(
    name: str, status: str, minute: float, kind: str = "Processing", job: str = "", **detail: Any
) -> dict[str, Any]:
    """The published event of a pipeline's step."""
    body = {
        "metadata": {f"{kind.lower()}Job": {"arn": job or f"arn:aws:sagemaker:::processing-job/{name}"}},
        "stepStartTime": CREATED.isoformat(),
        **({} if status == "Executing" else {"stepEndTime": at(minute).isoformat()}),
        "stepName": name,
        "stepType": kind,
        "currentStepStatus": status,
        "pipelineExecutionArn": EXECUTION,
    }
    kind = "SageMaker Model Building Pipeline Execution Step Status Change"
    return _event(kind, [EXECUTION], minute, body | detail)


def of_pipeline(**more: str) -> dict[str, str]:
    """The tags of a job that a step of the pipeline created."""
    return {PIPELINE_TAG: EXECUTION, **more}


def _event(kind: str, resources: list[str], minute: float, detail: dict[str, Any]) -> dict[str, Any]:
    envelope = {"source": "aws.sagemaker", "account": ACCOUNT, "region": REGION, "resources": resources}
    return {"detail-type": kind, "time": at(minute).isoformat(), "detail": detail, **envelope}


def _millis(when: datetime) -> str:
    return str(int(when.timestamp() * 1000))


OUT_OF_MEMORY = "AlgorithmError: CUDA out of memory. Tried to allocate 2.00 GiB"


def run_pipeline(world: FamilyWorld) -> list[dict[str, Any]]:
    """Six steps of processing and training, the fourth of which fails; the events of SageMaker about them."""
    for number, status in ((2, "Completed"), (4, "Failed")):
        reason = {"FailureReason": OUT_OF_MEMORY} if status == "Failed" else {}
        tags = of_pipeline(team="vision", owner="alpha")
        world.child(f"pipelines-p4jn9xou8a8s-train-{number}", status, number * 10, tags=tags, **reason)
    told = []
    for number in range(1, 7):
        kind = "Training" if number in {2, 4} else "Processing"
        job = arn(f"pipelines-p4jn9xou8a8s-train-{number}") if kind == "Training" else ""
        status = "Failed" if number == 4 else "Stopped" if number > 4 else "Succeeded"
        told += [step(f"step-{number}", said, number * 10, kind, job) for said in ("Executing", status)]
    return [*told, pipeline_end()]


def run_tuning(world: FamilyWorld, **described: Any) -> None:
    """Two trials that complete and one that runs out of memory."""
    for number in range(2):
        world.child(f"hpo-1-00{number}", minute=20 + number, TuningJobArn=TUNING, **described)
    world.child("hpo-1-002", "Failed", 25, TuningJobArn=TUNING, FailureReason=OUT_OF_MEMORY, **described)
