"""Training jobs, events and API answers as AWS shapes them, with everything a test does not care about filled in."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.job_records import JobRecord, Price
from trainops.domain.owners import Owner
from trainops.domain.training_jobs import JobKey, TrainingJob

ACCOUNT, REGION = "111122223333", "us-east-1"
CREATED = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def at(minutes: float) -> datetime:
    """So many minutes after the job was created."""
    return CREATED + timedelta(minutes=minutes)


def arn(name: str = "resnet-1") -> str:
    """The ARN of a training job."""
    return f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-job/{name}"


def millis(when: datetime) -> str:
    """Epoch milliseconds as text, as the published training event writes times."""
    return str(int(when.timestamp() * 1000))


def event(
    name: str = "resnet-1",
    status: str = "Completed",
    secondary: str | None = None,
    *,
    when: datetime | None = None,
    created: datetime = CREATED,
    tags: dict[str, str] | None = None,
    **detail: Any,
) -> dict[str, Any]:
    """The published "SageMaker Training Job State Change" event (developer guide, EventBridge page)."""
    when = when or at(30)
    ended = {"TrainingEndTime": millis(when)} if status in {"Completed", "Failed", "Stopped"} else {}
    body: dict[str, Any] = {
        "TrainingJobName": name,
        "TrainingJobArn": arn(name),
        "TrainingJobStatus": status,
        "SecondaryStatus": secondary or status,
        "HyperParameters": {"epochs": "3"},
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/training",
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
        "VpcConfig": {},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
        "CreationTime": millis(created),
        "LastModifiedTime": millis(when),
        "SecondaryStatusTransitions": [],
        "Tags": tags or {},
        **ended,
    }
    return {
        "version": "0",
        "id": f"{name}-{status}-{when:%H%M%S}",
        "detail-type": "SageMaker Training Job State Change",
        "source": "aws.sagemaker",
        "account": ACCOUNT,
        "region": REGION,
        "time": when.isoformat().replace("+00:00", "Z"),
        "resources": [arn(name)],
        "detail": {key: value for key, value in {**body, **detail}.items() if value is not None},
    }


def description(
    name: str = "resnet-1", status: str = "Completed", *, created: datetime = CREATED, **fields: Any
) -> dict[str, Any]:
    """A DescribeTrainingJobResponse as botocore parses it; only what the API would have for the status."""
    answer: dict[str, Any] = {
        "TrainingJobName": name,
        "TrainingJobArn": arn(name),
        "TrainingJobStatus": status,
        "SecondaryStatus": "Training" if status == "InProgress" else status,
        "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/training",
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
        "CreationTime": created,
        "LastModifiedTime": created + timedelta(minutes=30),
        "SecondaryStatusTransitions": [{"Status": "Starting", "StartTime": created}],
        "EnableManagedSpotTraining": False,
    }
    if status != "InProgress":
        answer |= {
            "TrainingStartTime": created + timedelta(minutes=2),
            "TrainingEndTime": created + timedelta(minutes=30),
            "TrainingTimeInSeconds": 1680,
            "BillableTimeInSeconds": 1680,
        }
    return {key: value for key, value in {**answer, **fields}.items() if value is not None}


def job(name: str = "resnet-1", status: str = "Completed", **fields: Any) -> TrainingJob:
    """A described job that ran from minute 2 to minute 30 on one ml.g5.xlarge."""
    known: dict[str, Any] = {
        "key": JobKey.of(arn(name), CREATED),
        "given_name": name,
        "status": status,
        "secondary_status": status,
        "started": at(2),
        "ended": None if status == "InProgress" else at(30),
        "instance_type": "ml.g5.xlarge",
        "instance_count": 1,
        "spot": False,
        "max_runtime": timedelta(days=1),
        "training_time": None if status == "InProgress" else timedelta(minutes=28),
        "billable_time": None if status == "InProgress" else timedelta(minutes=28),
        "described": True,
    }
    return TrainingJob(**{**known, **fields})


def record(a_job: TrainingJob | None = None, *announced: str, **fields: Any) -> JobRecord:
    """A ledger item that was written once; `announced` are published keys such as "Started" or "Finished/Completed"."""
    announcements = {
        key: Announcement(AnnouncementType(key.split("/")[0]), AnnouncementState.PUBLISHED, at(30), "built")
        for key in announced
    }
    known: dict[str, Any] = {
        "job": a_job or job(),
        "team": "default",
        "owner": Owner("researcher", "tag owner"),
        "announcements": announcements,
        "version": 1,
    }
    return JobRecord(**{**known, **fields})


def price(usd: str = "1.408") -> Price:
    """A price of one ml.g5.xlarge hour."""
    return Price(Decimal(usd), "test")
