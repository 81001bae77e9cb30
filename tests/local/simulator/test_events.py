"""Every transition is published once, in the shape of the published sample, at the simulated time."""

from datetime import timedelta

from local.sagemaker.plans import Plan
from tests.local.simulator.bench import START, Bench, create_request, pool_request, spot_request


def test_every_transition_is_an_event_at_its_own_time() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(10_000)
    statuses = [event["Detail"]["SecondaryStatus"] for event in bench.events]
    assert statuses == ["Starting", "Downloading", "Training", "Uploading", "Completed"]
    moments = [event["Time"] for event in bench.events]
    offsets = (0, 120, 150, 750, 770)
    assert moments == [(START + timedelta(seconds=offset)).timestamp() for offset in offsets]


def test_times_are_epoch_milliseconds_as_strings_and_tags_are_an_object() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **create_request(Tags=[{"Key": "team", "Value": "vision"}]))
    bench.pass_time(10_000)
    detail = bench.events[-1]["Detail"]
    milliseconds = round(START.timestamp() * 1000)
    assert detail["CreationTime"] == str(milliseconds)
    assert detail["TrainingEndTime"] == str(milliseconds + 770_000)
    assert (detail["Tags"], detail["VpcConfig"]) == ({"team": "vision"}, {})


def test_the_event_lacks_what_the_published_sample_lacks() -> None:
    bench = Bench(job_2=Plan())
    bench.call("CreateTrainingJob", **spot_request("job-1", Environment={"A": "b"}))
    bench.call("CreateTrainingJob", **pool_request("job-2"))
    bench.pass_time(10_000)
    absent = {
        "BillableTimeInSeconds",
        "TrainingTimeInSeconds",
        "EnableManagedSpotTraining",
        "WarmPoolStatus",
        "Environment",
        "CheckpointConfig",
    }
    assert all(absent.isdisjoint(event["Detail"]) for event in bench.events)


def test_transitions_in_an_event_are_those_of_describe_in_the_shape_of_the_schema() -> None:
    bench = Bench(job_1=Plan(outcome="Failed", failure_reason="AlgorithmError: boom"))
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(10_000)
    told = bench.events[-1]["Detail"]["SecondaryStatusTransitions"]
    described = bench.describe()["SecondaryStatusTransitions"]
    expected = [
        {
            "Status": step["Status"],
            "StartTime": str(round(step["StartTime"].timestamp() * 1000)),
            "StatusMessage": step["StatusMessage"],
        }
        for step in described
    ]
    assert told == expected
    assert (told[-1]["Status"], told[-1]["StatusMessage"]) == ("Failed", "AlgorithmError: boom")


def test_only_a_failed_job_has_a_failure_reason() -> None:
    bench = Bench(job_1=Plan(outcome="Failed", failure_reason="AlgorithmError"))
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(10_000)
    assert ["FailureReason" in event["Detail"] for event in bench.events] == [False, False, False, True]


def test_a_warm_pool_that_ends_publishes_nothing() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(770)
    count = len(bench.events)
    bench.pass_time(10_000)
    assert bench.describe()["WarmPoolStatus"]["Status"] == "Terminated"
    assert len(bench.events) == count


def test_a_suppressed_event_is_kept_in_the_history_only() -> None:
    bench = Bench()
    bench.simulator.emit = False
    bench.call("CreateTrainingJob", **create_request())
    assert bench.events == []
    assert [event["Delivered"] for event in bench.simulator.history] == [False]


def test_events_of_several_jobs_come_in_the_order_of_their_time() -> None:
    bench = Bench(job_1=Plan(starting_seconds=500), job_2=Plan(starting_seconds=50))
    bench.call("CreateTrainingJob", **create_request("job-1"))
    bench.call("CreateTrainingJob", **create_request("job-2"))
    bench.pass_time(10_000)
    moments = [event["Time"] for event in bench.events]
    assert moments == sorted(moments)
