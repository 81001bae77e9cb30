"""Runs of training jobs as SageMaker and the event bus would show them, and the ledger's items that come of them."""

from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any

from trainops.domain.announcements import AnnouncementType
from trainops.domain.cards import Card
from trainops.domain.job_cards import card_for
from trainops.domain.job_records import JobRecord, Price, decide
from trainops.domain.spot_savings import price_for
from trainops.domain.state_changes import DETAIL_TYPE, parse_state_change
from trainops.domain.training_jobs import from_description
from trainops.workflows.job_notification import spoken_status

ACCOUNT, REGION = "111122223333", "us-east-1"
BUCKET = "s3://vision-artifacts"
TAGS = {"team": "vision", "owner": "vision-oncall", "project": "detector"}
PRICES = {"ml.g5.2xlarge": "1.515", "ml.g5.12xlarge": "7.09", "ml.m5.4xlarge": "0.922"}

Answer = dict[str, Any]


def arn(name: str) -> str:
    """A training job's."""
    return f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-job/{name}"


def running(name: str, now: datetime, *, since: timedelta, **fields: Any) -> Answer:
    """A DescribeTrainingJobResponse of a job that was created so long ago; `fields` are put over it."""
    answer: Answer = {
        "TrainingJobName": name,
        "TrainingJobArn": arn(name),
        "TrainingJobStatus": "InProgress",
        "SecondaryStatus": "Training",
        "CreationTime": now - since,
        "LastModifiedTime": now,
        "ResourceConfig": {"InstanceType": "ml.g5.2xlarge", "InstanceCount": 1, "VolumeSizeInGB": 100},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
        "EnableManagedSpotTraining": False,
    }
    return {**answer, **fields}


def ended(name: str, now: datetime, *, took: timedelta, status: str = "Completed", **fields: Any) -> Answer:
    """The same of one that has just ended; it began to train after six minutes, and each of its seconds is billed."""
    trained = max(took - timedelta(minutes=6), timedelta(0))
    answer: Answer = {
        "TrainingJobStatus": status,
        "SecondaryStatus": status,
        "TrainingStartTime": now - trained,
        "TrainingEndTime": now,
        "TrainingTimeInSeconds": round(trained.total_seconds()),
        "BillableTimeInSeconds": round(trained.total_seconds()),
    }
    if status == "Completed":
        answer["ModelArtifacts"] = {"S3ModelArtifacts": f"{BUCKET}/{name}/output/model.tar.gz"}
    return running(name, now, since=took, **{**answer, **fields})


def record_of(answer: Answer, now: datetime, *, tags: dict[str, str] | None = None, gone: bool = False) -> JobRecord:
    """The ledger's item after the job's event and SageMaker's answer, or without one when the job is `gone` by then."""
    tags = TAGS if tags is None else tags
    job = from_description(answer, tags)
    prices = {kind: Price(Decimal(usd), f"price list {REGION}, {now:%Y-%m-01}") for kind, usd in PRICES.items()}
    price = price_for(job, lambda kind: prices.get(kind or ""))
    decided = decide(None, parse_state_change(_event(answer, now, tags)), None if gone else job, price, now).record
    if decided is None:
        raise ValueError(f"nothing is new of {answer['TrainingJobName']}")
    return decided


def told(record: JobRecord, now: datetime, zone: tzinfo, kind: AnnouncementType | None = None) -> Card:
    """The card for what is announced last of that kind, by default for the latest of all; with its word."""
    found = [(key, item) for key, item in record.announcements.items() if kind is None or item.type is kind]
    key, item = found[-1]
    item = replace(item, at=now)
    return replace(card_for(record, key, item, now, zone), word=spoken_status(record, item))


def _event(answer: Answer, now: datetime, tags: dict[str, str]) -> dict[str, Any]:
    """The "SageMaker Training Job State Change" event that goes with an answer."""
    times = ("CreationTime", "LastModifiedTime", "TrainingStartTime", "TrainingEndTime")
    detail = {name: value for name, value in answer.items() if not name.startswith(("Billable", "EnableManaged"))}
    detail |= {name: round(answer[name].timestamp() * 1000) for name in times if name in answer}
    return {
        "detail-type": DETAIL_TYPE,
        "time": now.isoformat(),
        "resources": [answer["TrainingJobArn"]],
        "detail": {**detail, "SecondaryStatusTransitions": [], "Tags": tags},
    }
