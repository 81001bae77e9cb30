"""The synthetic job that goes through the whole path once a day, so that silence is noticed.

It is recognised by its name, and by SageMaker not knowing it: a real job of that name is a job like any other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from trainops.domain.state_changes import DETAIL_TYPE
from trainops.domain.training_jobs import TrainingJob

PREFIX = "trainops-self-check-"
TEAM = "trainops-self-check"
"""The tag by which its card finds the test channel."""
SOURCE = "trainops.self-check"
FRESH = timedelta(days=2)
"""A look is made every day; what an older one found may long be otherwise."""


@dataclass(frozen=True, slots=True)
class SubscriptionLook:
    """What a look at the topics found: how many of the subscriptions that the settings name are not confirmed, or gone,
    by the topic's name. Topics that miss none are not in it.
    """

    at: datetime
    missing: Mapping[str, int]


def still_missing(look: SubscriptionLook | None, now: datetime) -> Mapping[str, int]:
    """What is missing as far as is known now; nothing when nobody has looked of late."""
    return look.missing if look and now - look.at <= FRESH else {}


def self_check_event(account: str, region: str, tags: Mapping[str, str], at: datetime) -> dict[str, Any]:
    """The state change of a job that was never there, shaped as SageMaker's own; one name for each moment."""
    time = at.isoformat()
    detail = {
        "TrainingJobName": f"{PREFIX}{at:%Y-%m-%d-%H-%M}",
        "TrainingJobStatus": "Completed",
        "SecondaryStatus": "Completed",
        "CreationTime": time,
        "TrainingEndTime": time,
        "LastModifiedTime": time,
        "Tags": {**tags, "team": TEAM},
    }
    envelope = {"detail-type": DETAIL_TYPE, "source": SOURCE, "account": account, "region": region, "time": time}
    return {**envelope, "detail": detail}


def is_self_check(job: TrainingJob) -> bool:
    """Whether a job is the synthetic one, which is counted nowhere."""
    return job.key.lower_case_name.startswith(PREFIX) and not job.described
