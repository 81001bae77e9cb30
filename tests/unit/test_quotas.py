"""Names, counts and words of quotas."""

import json
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.adapters.test_quota_ledger import RECORD, REFUSAL
from tests.builders import at
from trainops.domain.cards import Tone
from trainops.domain.owners import Owner
from trainops.domain.quota_cards import WORDS, change_card, refusal_card
from trainops.domain.quota_digests import QuotaChange
from trainops.domain.quota_events import changes_event, refusal_event
from trainops.domain.quota_records import QuotaNews, QuotaRecord, QuotaState, SeenQuota
from trainops.domain.quota_usage import HeldInstances, held, instances, usage
from trainops.domain.quotas import QuotaKind, kind_of, quota_name, wishes

SCHEMA = Draft202012Validator(json.loads(Path("docs/events/quota.v1.schema.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("kind", list(QuotaKind))
def test_each_use_of_a_type_has_a_name_of_its_own_that_reads_back(kind: QuotaKind) -> None:
    assert kind_of(quota_name(kind, "ml.g5.xlarge")) == (kind, "ml.g5.xlarge")
    assert kind_of(quota_name(kind, "ml.G5.xlarge").upper()) == (kind, "ml.g5.xlarge")


@pytest.mark.parametrize(
    "name", ["ml.g5.xlarge for endpoint usage", "Longest run time for a training job", "", "training"]
)
def test_other_quotas_are_of_no_such_kind(name: str) -> None:
    assert kind_of(name) is None


@pytest.mark.parametrize(
    ("used", "value", "percent"), [(None, 8, None), (0, 8, 0), (1, 8, 13), (8, 8, 100), (9, 8, 113), (1, 0, None)]
)
def test_what_is_used_is_a_share_of_the_value_or_unknown(used: int | None, value: int, percent: int | None) -> None:
    seen = SeenQuota(name="x", code="L-1", arn="a", value=value, adjustable=True)
    assert QuotaRecord(name="x", seen=seen, used=used).used_percent == percent


@pytest.mark.case("QU-19")
def test_running_stopping_and_pooled_instances_are_used_and_a_pool_counts_towards_both() -> None:
    found = usage(
        [
            HeldInstances({"ml.g5.xlarge": 5}, "InProgress"),
            HeldInstances({"ml.g5.xlarge": 3}, "Stopping"),
            HeldInstances({"ml.g5.xlarge": 2}, "Completed", idle=True),
            HeldInstances({"ml.g5.xlarge": 7}, "InProgress", spot=True),
        ]
    )
    names = {kind: quota_name(kind, "ml.g5.xlarge") for kind in QuotaKind}
    assert {kind: found.of(name) for kind, name in names.items()} == {
        QuotaKind.TRAINING: 10,
        QuotaKind.SPOT: 7,
        QuotaKind.WARM_POOL: 2,
        QuotaKind.PROCESSING: None,
    }
    assert found.stopping["ml.g5.xlarge for training job usage"] == 3
    assert found.of("Number of instances across all training jobs") == 10
    assert found.of("Number of instances across all spot training jobs") == 7
    assert found.of("Longest run time for a training job") is None


@pytest.mark.parametrize(
    ("job", "holds"),
    [
        ({"TrainingJobStatus": "InProgress"}, True),
        ({"TrainingJobStatus": "Stopping"}, True),
        ({"TrainingJobStatus": "Completed"}, False),
        ({"TrainingJobStatus": "Completed", "WarmPoolStatus": {"Status": "Available"}}, True),
        ({"TrainingJobStatus": "Completed", "WarmPoolStatus": {"Status": "Reused"}}, False),
    ],
)
def test_a_job_holds_instances_until_it_and_its_pool_are_over(job: dict[str, Any], holds: bool) -> None:
    assert (held({**job, "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2}}) is not None) is holds


def test_instance_groups_are_added_up_in_both_spellings() -> None:
    groups = [{"InstanceType": "a", "InstanceCount": 2}, {"InstanceType": "a", "InstanceCount": 1}]
    assert instances({"ResourceConfig": {"InstanceGroups": groups}}) == {"a": 3}
    assert instances({"resourceConfig": {"instanceType": "a", "instanceCount": 2}}) == {"a": 2}
    assert instances({}) == {}


def test_a_custom_resources_text_is_read_as_numbers() -> None:
    properties = {"InstanceTypes": {"ml.g5.xlarge": {"spot": "4"}}, "Account": {"volume_gb": "2048"}}
    found = {wish.quota.name: (wish.quota.code, wish.value) for wish in wishes(properties)}
    assert found == {
        "ml.g5.xlarge for spot training job usage": (None, 4),
        "Size of EBS volume for a training job instance": ("L-C5A266EB", 2048),
    }
    with pytest.raises(KeyError):
        list(wishes({"Account": {"volumes": "1"}}))


@pytest.mark.parametrize("state", list(QuotaState))
def test_every_state_has_words_and_an_event_of_the_documented_shape(state: QuotaState) -> None:
    item = QuotaNews(state=state, at=at(0), reason="the quota is 0", wanted=8)
    record = QuotaRecord(name="x", news={"key": item})
    card = change_card(record, "key", item, at(0), UTC)
    assert card.title == f"Quota x: 8 {WORDS[state]}"
    good, waiting = {"enough"}, {"PENDING", "CASE_OPENED", "APPROVED", "deferred"}
    assert card.tone is (Tone.GOOD if state in good else Tone.NEUTRAL if state in waiting else Tone.BAD)
    SCHEMA.validate(changes_event([QuotaChange(record, "key")], at(0)).detail)


def test_events_of_requests_and_refusals_have_the_documented_shape() -> None:
    changes = [QuotaChange(RECORD, key) for key in RECORD.news]
    SCHEMA.validate(changes_event(changes, at(3)).detail)
    SCHEMA.validate(changes_event(changes * 2, at(3)).detail)
    SCHEMA.validate(refusal_event(REFUSAL).detail)
    assert "ann" in refusal_card(REFUSAL, at(1), UTC).facts[0][1]


def test_an_owners_address_is_not_in_the_event() -> None:
    refusal = replace(REFUSAL, owner=Owner("ann@example.com", "tag owner"))
    assert refusal_event(refusal).detail["owner"]["name"] == "ann"
