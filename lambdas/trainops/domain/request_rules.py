"""What every CreateTrainingJob request has to keep to, whoever's it is; the API says it in words, not in its model.

Sources: StoppingCondition, ResourceConfig, CheckpointConfig and InstancePreferences of the API reference; the guide's
pages on managed spot training and on warm pools. Each rule gives a finding or None.
"""

import re
from datetime import timedelta

from trainops.domain.builtin_algorithms import without_checkpoints
from trainops.domain.checkpoints import DEFAULT_DIRECTORY, taken_along
from trainops.domain.findings import Finding
from trainops.domain.job_warnings import LONG_ENOUGH_TO_LOSE
from trainops.domain.training_requests import DEFAULT_RUN, TrainingRequest
from trainops.domain.wording import duration_text

SPOT = "EnableManagedSpotTraining"
RUN = "StoppingCondition.MaxRuntimeInSeconds"
WAIT = "StoppingCondition.MaxWaitTimeInSeconds"
CHECKPOINTS = "CheckpointConfig.S3Uri"
IMAGE = "AlgorithmSpecification.TrainingImage"
JOB_NAME = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")

SDK_V3_RUN = 3600
LONGEST_RUN = 28 * 86_400
ACCOUNT_RUN = 432_000
"""The default of the quota "Longest run time for a training job" (L-33A961FD)."""
WITHOUT_CHECKPOINTS_WAIT = 3600


def job_name(request: TrainingRequest) -> Finding | None:
    """TrainingJobName has a pattern of its own; underscores and dots are the usual mistakes."""
    name = request.text("TrainingJobName")
    if name is None or JOB_NAME.fullmatch(name):
        return None
    return request.error(
        "job-name",
        "TrainingJobName",
        "a name has at most 63 letters, digits and hyphens, with no hyphen at either end.",
        f"Use {re.sub('[^a-zA-Z0-9]+', '-', name)[:63].strip('-') or 'letters and digits'!r}.",
    )


def spot_without_wait(request: TrainingRequest) -> Finding | None:
    """Managed spot has to be told how long it may wait and run in all."""
    if not request.flag(SPOT) or request.get(WAIT) is not None:
        return None
    return request.error(
        "spot-without-max-wait",
        WAIT,
        "managed spot training needs to know how long it may take with the waiting.",
        f"Set it to at least {_run(request)} (MaxRuntimeInSeconds) and what you are ready to wait for capacity.",
    )


def wait_without_spot(request: TrainingRequest) -> Finding | None:
    """Only managed spot training waits."""
    if request.flag(SPOT) or request.get(WAIT) is None:
        return None
    return request.error(
        "max-wait-without-spot",
        WAIT,
        "only managed spot training waits for capacity; SageMaker refuses a maximum wait without it.",
        "Set EnableManagedSpotTraining to true (use_spot_instances=True in the SDK v2), or remove the maximum wait.",
    )


def wait_below_run(request: TrainingRequest) -> Finding | None:
    """The wait includes the run."""
    wait = request.number(WAIT)
    if wait is None or not request.flag(SPOT) or wait >= _run(request):
        return None
    return request.error(
        "max-wait-below-max-run",
        WAIT,
        f"the maximum wait includes the run, which may take {_run(request)} s.",
        f"Set it to {_run(request)} or more, or lower MaxRuntimeInSeconds.",
    )


def wait_without_checkpoints(request: TrainingRequest) -> Finding | None:
    """Algorithms that cannot resume may wait for an hour at most."""
    wait, algorithm = request.number(WAIT), without_checkpoints(request.text(IMAGE) or "")
    if not request.flag(SPOT) or wait is None or algorithm is None or wait <= WITHOUT_CHECKPOINTS_WAIT:
        return None
    return request.error(
        "max-wait-of-algorithm-without-checkpoints",
        WAIT,
        f"the built-in algorithm {algorithm} writes no checkpoints, and may wait {WITHOUT_CHECKPOINTS_WAIT} s at most.",
        f"Set it to {WITHOUT_CHECKPOINTS_WAIT} or less, or train on demand.",
    )


def run_unsaid(request: TrainingRequest) -> Finding | None:
    """Without a word the API gives a day."""
    if request.get(RUN) is not None or request.get("ServerlessJobConfig") is not None:
        return None
    return request.warning(
        "max-run-not-stated",
        RUN,
        "SageMaker stops the job after 1 day when nothing is said.",
        "State how long this job may run.",
    )


def run_of_sdk_v3(request: TrainingRequest) -> Finding | None:
    """An hour is what SDK v3 sends by itself; a spot job whose wait is an hour too was told so by a person."""
    if request.number(RUN) != SDK_V3_RUN or request.number(WAIT) == SDK_V3_RUN:
        return None
    return request.warning(
        "max-run-of-sdk-v3",
        RUN,
        "1 h is what ModelTrainer of the SDK v3 sends when nothing is said (the SDK v2: 24 h); then the job ends.",
        "Pass StoppingCondition(max_runtime_in_seconds=…) if the job may need longer.",
    )


def run_too_long(request: TrainingRequest) -> Finding | None:
    """The API's ceiling, and below it the account's quota."""
    run = request.number(RUN) or 0
    if run > LONGEST_RUN:
        problem = f"a training job runs for {LONGEST_RUN} s (28 days) at most."
        return request.error("max-run-over-api", RUN, problem, f"Set it to {LONGEST_RUN} or less.")
    if run > ACCOUNT_RUN:
        problem = f"an account's jobs run for {ACCOUNT_RUN} s (5 days) unless its quota L-33A961FD was raised."
        return request.warning("max-run-over-quota", RUN, problem, "Ask your platform team, or lower it.")
    return None


def spot_without_checkpoints(request: TrainingRequest) -> Finding | None:
    """A long spot job that starts again from nothing after each interruption may never end."""
    longest = timedelta(seconds=_run(request))
    if not request.flag(SPOT) or request.get(CHECKPOINTS) is not None or longest <= LONG_ENOUGH_TO_LOSE:
        return None
    return request.warning(
        "spot-without-checkpoints",
        CHECKPOINTS,
        f"each interruption would start this job, of up to {duration_text(longest)}, from nothing.",
        f"Give CheckpointConfig.S3Uri, and write and read checkpoints at {DEFAULT_DIRECTORY}.",
    )


def checkpoint_slash(request: TrainingRequest) -> Finding | None:
    """S3 knows no folders: `exp-1` also restores the checkpoints of `exp-10`."""
    place = request.text(CHECKPOINTS)
    others = taken_along(place) if place else None
    return request.warning("checkpoint-without-slash", CHECKPOINTS, others, f"Use '{place}/'.") if others else None


def _run(request: TrainingRequest) -> int:
    return request.number(RUN) or DEFAULT_RUN


RULES = (
    job_name,
    spot_without_wait,
    wait_without_spot,
    wait_below_run,
    wait_without_checkpoints,
    run_unsaid,
    run_of_sdk_v3,
    run_too_long,
    spot_without_checkpoints,
    checkpoint_slash,
)
