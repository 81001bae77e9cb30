"""What must hold of an account whatever was asked of it: claims on described jobs, on events and on calls."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from local.limits import SAGEMAKER
from local.sagemaker.quota_admission import ALL_SPOT, ALL_TRAINING, LONGEST_RUN, SPOT, TRAINING, WARM_POOL
from local.sagemaker.usage import Usage, instances

Job = Mapping[str, Any]
Jobs = Sequence[Job]
ENDED = frozenset({"Completed", "Failed", "Stopped"})
TRAINING_EVENT = "SageMaker Training Job State Change"


def a_pool_is_taken_by_one_job_and_its_bill_is_not_negative(jobs: Jobs, created: Counter[str]) -> None:
    """`created` says how often each name was used; a tuning job uses the names of its training jobs once."""
    pools = [job["WarmPoolStatus"] for job in jobs if "WarmPoolStatus" in job]
    taken = Counter(pool["ReusedByJob"] for pool in pools if "ReusedByJob" in pool)
    assert all(count <= created.get(name, 1) for name, count in taken.items())
    for pool in pools:
        assert (pool["Status"] == "Reused") is ("ReusedByJob" in pool)
        assert pool.get("ResourceRetainedBillableTimeInSeconds", 0) >= 0
        assert ("ResourceRetainedBillableTimeInSeconds" in pool) is (pool["Status"] in {"Reused", "Terminated"})


def seconds_belong_to_ended_jobs_and_spot_bills_no_more_than_it_trained(jobs: Jobs) -> None:
    for job in jobs:
        billed, trained = job.get("BillableTimeInSeconds"), job.get("TrainingTimeInSeconds")
        assert (billed is None) is (trained is None)
        if billed is None or trained is None:
            continue
        assert job["TrainingJobStatus"] in ENDED
        assert billed <= trained if job["EnableManagedSpotTraining"] else billed == trained


def events_are_exactly_the_transitions_in_the_order_of_time(jobs: Jobs, events: Sequence[Mapping[str, Any]]) -> None:
    moments = [event["Time"] for event in events]
    assert moments == sorted(moments)
    told: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for event in events:
        if event["DetailType"] == TRAINING_EVENT:
            detail = event["Detail"]
            key = (detail["TrainingJobName"], detail["CreationTime"])
            told.setdefault(key, []).append((detail["SecondaryStatus"], event["Time"]))
    for job in jobs:
        happened = [(s["Status"], s["StartTime"].timestamp()) for s in job["SecondaryStatusTransitions"]]
        key = (job["TrainingJobName"], str(round(job["CreationTime"].timestamp() * 1000)))
        assert told[key] == happened


def held(jobs: Jobs) -> Counter[str]:
    """What jobs and pools use of each instance quota, by its name."""
    used: Counter[str] = Counter()
    for job in jobs:
        waits = job.get("WarmPoolStatus", {}).get("Status") == "Available"
        if job["TrainingJobStatus"] in ENDED and not waits:
            continue
        of_type, everywhere = (SPOT, ALL_SPOT) if job["EnableManagedSpotTraining"] else (TRAINING, ALL_TRAINING)
        for kind, count in instances(job).items():
            used[of_type.format(kind)] += count
            used[everywhere] += count
            used[WARM_POOL.format(kind)] += count * waits
    return used


def no_quota_is_exceeded(jobs: Jobs, quotas: Mapping[str, float]) -> None:
    over = {name: (count, quotas[name]) for name, count in held(jobs).items() if count > quotas[name]}
    assert not over
    assert all(job["StoppingCondition"]["MaxRuntimeInSeconds"] <= quotas[LONGEST_RUN] for job in jobs)


def the_count_is_that_of_the_jobs(usage: Usage, jobs: Jobs) -> None:
    """The simulator counts as jobs come and go; here they are counted anew."""
    counted = {ALL_TRAINING: usage.training.total(), ALL_SPOT: usage.spot.total()}
    counted |= {WARM_POOL.format(kind): count for kind, count in usage.pools.items()}
    used = held(jobs)
    assert counted == {name: used[name] for name in counted}


def a_quota_refused_it(request: Job, jobs: Jobs, quotas: Mapping[str, float]) -> None:
    """The request would not have fitted beside these jobs; it could take any pool, as all of them are alike here."""
    asked = {"TrainingJobStatus": "InProgress", "EnableManagedSpotTraining": False, **request}
    waiting = any(job.get("WarmPoolStatus", {}).get("Status") == "Available" for job in jobs)
    with_it = held([*jobs, *([] if waiting and not asked["EnableManagedSpotTraining"] else [asked])])
    too_long = request["StoppingCondition"]["MaxRuntimeInSeconds"] > quotas[LONGEST_RUN]
    assert too_long or any(count > quotas[name] for name, count in with_it.items())


def calls_keep_to_the_rates(admitted: Mapping[str, Sequence[float]]) -> None:
    """From whichever call on: no more than one second's worth at once, and the rate after that."""
    for operation, moments in admitted.items():
        rate = SAGEMAKER.per_second.get(operation)
        for number, moment in enumerate(moments if rate else ()):
            assert len(moments) - number <= (rate or 0) * (1 + moments[-1] - moment) + 1e-6, operation
