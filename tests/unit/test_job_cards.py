"""The message about a job, as people read it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.builders import at, description, event, job, price, record
from tests.unit.told import card, everything, facts, finished
from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.cards import Card, Tone
from trainops.domain.job_cards import card_for
from trainops.domain.owners import Owner
from trainops.domain.pool_misses import Missed, MissKind, PoolMiss
from trainops.domain.state_changes import parse_state_change
from trainops.domain.training_jobs import TrainingJob, from_description

TIMES = "\N{MULTIPLICATION SIGN}"


def test_a_completed_job_says_how_long_for_whom_and_how_much() -> None:
    said = finished(instance_count=2)
    assert (said.title, said.tone) == ("resnet-1 completed", Tone.GOOD)
    assert said.summary == "Done in 30 min, about $1.31."
    assert facts(said) == {
        "Owner": "vision-oncall (tag owner)",
        "Instances": f"2 {TIMES} ml.g5.xlarge",
        "Duration": "30 min",
        "Billable time": f"28 min {TIMES} 2 = 56 min",
        "Cost estimate": "$1.31",
    }


def test_the_key_names_the_run_and_the_announcement() -> None:
    assert finished().key == (
        "arn:aws:sagemaker:us-east-1:111122223333:training-job/resnet-1|2026-03-02T09:00:00Z|Finished/Completed"
    )


@pytest.mark.case("NO-08")
def test_an_event_with_forty_hyperparameters_becomes_a_short_card() -> None:
    raw = event(
        HyperParameters={f"parameter-{n}": f"value-{n}" for n in range(40)},
        InputDataConfig=[{"ChannelName": f"channel-{n}"} for n in range(10)],
    )
    said = card(record(parse_state_change(raw).job, price=price()))
    assert "parameter-1" not in everything(said)
    assert "channel-1" not in everything(said)
    assert "{" not in everything(said)
    assert len(said.facts) <= 6
    assert [link.label for link in said.links] == ["Job", "Logs"]


@pytest.mark.case("SP-16")
def test_a_type_without_a_price_costs_an_unknown_amount() -> None:
    said = card(record(job(instance_type="ml.newfamily.xlarge"), price=None))
    assert facts(said)["Cost estimate"] == "unknown (no price for ml.newfamily.xlarge)"
    assert "$" not in everything(said)


@pytest.mark.case("WP-07")
def test_a_job_of_several_instance_types_is_told_without_an_error() -> None:
    answer = description(
        ResourceConfig={"InstanceGroups": [{"InstanceType": "ml.g5.xlarge"}], "KeepAlivePeriodInSeconds": 1800}
    )
    said = card(record(from_description(answer, {})))
    assert facts(said)["Instances"] == "unknown"
    assert facts(said)["Cost estimate"] == "unknown (no instance type)"


def test_a_job_known_from_its_event_alone_says_so_and_claims_nothing() -> None:
    said = card(record(parse_state_change(event(status="Failed", FailureReason="x")).job, price=price()))
    assert any("event alone" in line for line in said.context)
    assert facts(said)["Billable time"] == "unknown (not reported)"
    assert "never started" not in everything(said)


@pytest.mark.case("NO-07")
def test_an_owner_given_as_an_address_is_shown_in_clear() -> None:
    said = card(record(owner=Owner("vision@corp.com", "tag owner")))
    assert facts(said)["Owner"] == "vision@corp.com (tag owner)"
    assert facts(card(record(owner=Owner(None, "no owner tag"))))["Owner"] == "unknown (no owner tag)"


@pytest.mark.case("NO-26")
def test_a_project_tag_labels_the_message() -> None:
    said = finished(tags={"Project": "fraud"}, output_uri="s3://b/o/model.tar.gz", checkpoint_uri="s3://b/c/")
    assert facts(said)["Project"] == "fraud"
    assert "Experiment" not in facts(said)
    assert [link.label for link in said.links] == ["Job", "Logs", "Output", "Checkpoints"]


@pytest.mark.case("NO-26")
def test_the_experiment_that_a_job_is_a_trial_of_labels_the_message_beside_its_project() -> None:
    answer = description(ExperimentConfig={"ExperimentName": "ablation", "RunName": "lr-3"})
    said = card(record(from_description(answer, {"Project": "fraud"})))
    assert (facts(said)["Project"], facts(said)["Experiment"]) == ("fraud", "ablation / lr-3")
    tagged = card(record(from_description(answer, {"experiment": "by tag"})))
    assert facts(tagged)["Experiment"] == "by tag"


@pytest.mark.case("SP-08", "CK-02")
def test_a_long_spot_job_without_checkpoints_is_warned_about_at_its_start() -> None:
    def start(**fields: Any) -> Card:
        return card(record(job(status="InProgress", **{"spot": True, **fields})), "Started", at(0))

    assert start().tone is Tone.WARNING
    assert "without checkpoints" in start().title
    assert start().lines[0].endswith("s3://bucket/resnet-1/.")
    for harmless in (
        start(spot=False),
        start(checkpoint_uri="s3://b/c/"),
        start(max_runtime=timedelta(hours=1)),
        start(max_runtime=None),
        start(described=False, spot=None),
    ):
        assert (harmless.tone, harmless.title) == (Tone.NEUTRAL, "resnet-1 started")


@pytest.mark.case("CK-02")
def test_an_interruption_says_which_it_is_and_where_the_job_goes_on() -> None:
    running: TrainingJob = job(status="InProgress", spot=True, interruptions=(at(40), at(65)))
    scratch = card(record(running), "Interrupted", at(65))
    assert scratch.title == "resnet-1 was interrupted for the 2nd time"
    assert scratch.lines == ("It restarts from scratch: no checkpoint location is set.",)
    assert card(record(running), "Interrupted", at(40)).title == "resnet-1 was interrupted"
    resumes = card(record(replace(running, checkpoint_uri="s3://b/c/")), "Interrupted", at(40))
    assert resumes.lines[0].startswith("It resumes from s3://b/c/")
    unknown = card(record(replace(running, described=False)), "Interrupted", at(40))
    assert unknown.lines == ("Whether it has a checkpoint location is unknown.",)


def test_times_are_told_in_the_readers_zone() -> None:
    told = Announcement(AnnouncementType.FINISHED, AnnouncementState.PUBLISHED, at(30), "built")
    said = card_for(record(), "Finished/Completed", told, at(30), ZoneInfo("Asia/Tokyo"))
    assert said.context[0].startswith("Ended today 18:30 JST")


def test_a_card_calls_the_job_as_its_creator_did() -> None:
    said = card(record(job("ResNet-50")))
    assert (said.job_name, said.title) == ("ResNet-50", "ResNet-50 completed")
    assert "|" in said.key
    assert "resnet-50" in said.key, "the key does not depend on how an ARN is written"


@pytest.mark.case("WP-01")
def test_a_pool_that_was_not_kept_is_told_once_with_the_way_to_its_quota_and_what_it_would_cost() -> None:
    told_in = AnnouncementType.FINISHED
    short = PoolMiss(missed=Missed.POOL, kind=MissKind.QUOTA, reason="its quota is short", told_in=told_in)
    ended = job(keep_alive=timedelta(minutes=10))
    said = card(record(ended, price=price(), pool_misses=(short,)))
    assert said.lines == (
        "No warm pool: its quota is short.",
        f"Should a warm pool still appear: 1 {TIMES} ml.g5.xlarge stays warm until 09:40 UTC, costs up to $0.23.",
    )
    assert said.links[-1].label == "Quotas"
    barred = PoolMiss(missed=Missed.POOL, kind=MissKind.SPOT, reason="managed spot jobs leave none", told_in=told_in)
    said = card(record(ended, price=price(), pool_misses=(barred,)))
    assert said.lines == ("No warm pool: managed spot jobs leave none.",)
    assert "Quotas" not in [link.label for link in said.links]


def test_a_cold_start_is_told_with_the_first_announcement_that_knew_it_and_at_the_end() -> None:
    early = PoolMiss(missed=Missed.REUSE, kind=MissKind.FIELDS, reason="it differs", told_in=AnnouncementType.STARTED)
    silent = replace(early, kind=MissKind.TUNING, reason="silent", told_in=None)
    known = record(job(), pool_misses=(early, silent))
    assert card(known, "Started").lines == card(known).lines == ("Cold start: it differs.",)
    late = record(job(), pool_misses=(replace(early, told_in=AnnouncementType.FINISHED),))
    assert card(late, "Started").lines == ()
    assert "Cold start" not in everything(card(known, "Interrupted"))


def test_a_restart_says_how_long_capacity_was_missing_and_stays_in_the_jobs_thread() -> None:
    running = job("resnet-1", "InProgress", spot=True, interruptions=(at(10), at(40)), checkpoint_uri="s3://b/exp-1/")
    said = card(record(running), "Restarted", at(55))
    assert said.title == "resnet-1 starts again after its interruption"
    assert said.summary == "After 15 min without capacity SageMaker is starting it again."
    assert said.lines == ("It resumes from s3://b/exp-1/, if it wrote checkpoints there.",)
    assert said.thread == card(record(running), "Interrupted", at(40)).thread == running.key.text
