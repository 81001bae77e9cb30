"""The synthetic job that goes through the whole path once a day, so that silence is noticed.

It is recognised by its name, and by SageMaker not knowing it: a real job of that name is a job like any other.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from trainops.domain.state_changes import DETAIL_TYPE
from trainops.domain.training_jobs import TrainingJob

PREFIX = "trainops-self-check-"
TEAM = "trainops-self-check"
"""The tag by which its card finds the test channel."""
SOURCE = "trainops.self-check"


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
