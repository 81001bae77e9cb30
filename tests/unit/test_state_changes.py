"""Reading the published event: whatever shape it comes in, and never raising for what is merely missing."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import CREATED, arn, at, event, millis
from trainops.domain.state_changes import parse_state_change, parse_tags, parse_time
from trainops.errors import PoisonMessage

SAMPLE: dict[str, Any] = {
    "version": "0",
    "id": "844e2571-85d4-695f-b930-0153b71dcb42",
    "detail-type": "SageMaker Training Job State Change",
    "source": "aws.sagemaker",
    "account": "123456789012",
    "time": "2018-10-06T12:26:13Z",
    "region": "us-east-1",
    "resources": ["arn:aws:sagemaker:us-east-1:123456789012:training-job/kmeans-1"],
    "detail": {
        "TrainingJobName": "89c96cc8-dded-4739-afcc-6f1dc936701d",
        "TrainingJobArn": "arn:aws:sagemaker:us-east-1:123456789012:training-job/kmeans-1",
        "TrainingJobStatus": "Completed",
        "SecondaryStatus": "Completed",
        "ResourceConfig": {"InstanceCount": 1, "InstanceType": "ml.c4.8xlarge", "VolumeSizeInGB": 50},
        "VpcConfig": {},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
        "CreationTime": "1583831889050",
        "TrainingStartTime": "1583831889050",
        "TrainingEndTime": "1583831889050",
        "LastModifiedTime": "1583831889050",
        "SecondaryStatusTransitions": [],
        "Tags": {},
    },
}
"""The documented sample, reduced to what is read: the name in the detail differs from the ARN's."""


@pytest.mark.case("NO-24")
def test_the_documented_sample_is_read() -> None:
    change = parse_state_change(SAMPLE)
    assert (change.arn, change.name) == (SAMPLE["resources"][0], "kmeans-1")
    assert change.job.key.created == datetime(2020, 3, 10, 9, 18, 9, tzinfo=UTC)
    assert change.at == datetime(2018, 10, 6, 12, 26, 13, tzinfo=UTC)
    assert change.tags is None, "whether real events fill in Tags is not documented: the API is asked"
    assert change.job.max_runtime == timedelta(hours=1)
    assert change.job.billable_time is None, "billing is always read from DescribeTrainingJob"
    assert change.job.spot is None


@pytest.mark.case("NO-24")
@pytest.mark.parametrize(
    "written",
    ["1583831889050", 1583831889050, 1583831889050.0, "1583831889.05", 1583831889.05, "2020-03-10T09:18:09.050Z"],
)
def test_a_time_may_be_text_or_number_in_milliseconds_or_seconds_or_iso(written: object) -> None:
    parsed = parse_time(written)
    assert parsed is not None
    assert abs(parsed - datetime(2020, 3, 10, 9, 18, 9, 50000, tzinfo=UTC)) < timedelta(milliseconds=1)


@pytest.mark.parametrize("written", [None, "", "soon", True, {}, [], "nan", "inf", 1e300])
def test_what_is_not_a_time_is_unknown(written: object) -> None:
    assert parse_time(written) is None


@pytest.mark.case("NO-24")
def test_tags_may_be_an_object_or_a_list() -> None:
    assert parse_tags({"owner": "researcher"}) == {"owner": "researcher"}
    assert parse_tags([{"Key": "owner", "Value": "researcher"}, {"Key": "bare"}, "junk"]) == {
        "owner": "researcher",
        "bare": "",
    }
    assert parse_tags(None) is None
    assert parse_tags({}) == {}


@pytest.mark.parametrize("missing", sorted(event()["detail"]))
def test_any_single_missing_field_is_survived(missing: str) -> None:
    raw = event()
    del raw["detail"][missing]
    change = parse_state_change(raw)
    assert change.arn == arn()


def test_an_event_with_nothing_but_its_arn_is_read() -> None:
    change = parse_state_change({"time": "2026-03-02T09:00:00Z", "resources": [arn()], "detail": {}})
    assert (change.status, change.created, change.tags) == ("Unknown", None, None)
    assert change.job.key.created == CREATED


def test_an_unknown_status_is_carried_not_refused() -> None:
    change = parse_state_change(event(status="Paused", secondary="Hibernating"))
    assert (change.status, change.secondary_status, change.job.terminal) == ("Paused", "Hibernating", False)


@pytest.mark.parametrize(
    ("region", "partition"), [("us-east-1", "aws"), ("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov")]
)
def test_an_arn_is_made_from_the_envelope_when_the_event_has_none(region: str, partition: str) -> None:
    raw = {"time": "2026-03-02T09:00:00Z", "region": region, "account": "111122223333"}
    change = parse_state_change({**raw, "detail": {"TrainingJobName": "a"}})
    assert change.arn == f"arn:{partition}:sagemaker:{region}:111122223333:training-job/a"


@pytest.mark.parametrize("broken", [{}, {"detail": None}, {"detail": "text"}, {"detail": {}, "time": "x"}])
def test_an_event_about_no_job_is_poison_and_says_why(broken: dict[str, object]) -> None:
    with pytest.raises(PoisonMessage, match="the event"):
        parse_state_change(broken)


def test_the_events_own_interruption_counts_when_it_lists_no_transitions() -> None:
    change = parse_state_change(event(status="InProgress", secondary="Interrupted", when=at(7)))
    assert change.job.interruptions == (at(7),)


def test_listed_interruptions_win_over_the_events_time() -> None:
    listed = [{"Status": "Interrupted", "StartTime": millis(at(5))}, {"Status": "Starting"}, None]
    change = parse_state_change(
        event(status="InProgress", secondary="Interrupted", when=at(7), SecondaryStatusTransitions=listed)
    )
    assert change.job.interruptions == (at(5),)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(detail=st.dictionaries(st.sampled_from(sorted(event()["detail"])), JSON))
def test_no_detail_of_any_shape_is_a_fault_of_ours(detail: dict[str, object]) -> None:
    raw = json.loads(json.dumps({**event(), "detail": detail}))
    assert parse_state_change(raw).arn.rpartition("/")[2]
