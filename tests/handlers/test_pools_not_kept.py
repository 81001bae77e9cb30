"""Why a job that asked for a warm pool left none, through intake and control against the simulator."""

import pytest

from local.sagemaker.admission import Admission
from tests.fakes import FakeQuotas
from tests.handlers.pool_answers import RESOURCES, card, said
from tests.handlers.pool_world import PoolWorld
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.warm_pool_settings import Mode


def without_quota(**quotas: int) -> PoolWorld:
    """A world whose account has no warm-pool quota, as far as SageMaker goes."""
    w = PoolWorld(FakeSettings(settings(mode=Mode.OBSERVE)), quotas=FakeQuotas({**quotas}))
    w.bench.simulator.admission = Admission(may_retain=lambda *_: False)
    w.run(ResourceConfig={**RESOURCES, "KeepAlivePeriodInSeconds": 600})
    w.pass_time(minutes=20)
    assert w.status() is None
    return w


@pytest.mark.case("WP-01")
def test_without_quota_the_end_names_it_with_its_value_and_the_needed_one() -> None:
    w = without_quota(**{"ml.g5.xlarge": 0})
    [told] = said(w, "job-1", "Finished/Completed")
    assert told["kind"] == "quota"
    assert told["reason"].endswith('the quota "ml.g5.xlarge for training warm pool usage" is short (value 0, needed 2)')
    assert "Should a warm pool still appear" in card(w, "job-1", "Finished/Completed")
    assert "Warm pool expected" not in card(w, "job-1", "Finished/Completed")


@pytest.mark.case("WP-01")
def test_while_the_quota_is_not_read_its_value_is_unknown_and_the_next_cold_start_knows_the_cause() -> None:
    w = without_quota()
    [told] = said(w, "job-1", "Finished/Completed")
    assert "most likely" in told["reason"]
    assert "value not known here, default 0, needed 2" in told["reason"]
    w.run("job-2", ResourceConfig=RESOURCES)
    w.settle()
    [told] = said(w, "job-2", "Started")
    assert told["kind"] == "never-kept"


def test_what_other_teams_keep_of_the_type_counts_towards_what_is_needed() -> None:
    w = PoolWorld(FakeSettings(settings(mode=Mode.OBSERVE)), quotas=FakeQuotas({"ml.g5.xlarge": 3}))
    theirs = {**RESOURCES, "KeepAlivePeriodInSeconds": 3600, "VolumeSizeInGB": 99}
    w.run("theirs", ResourceConfig=theirs, Tags=[{"Key": "team", "Value": "speech"}])
    w.pass_time(minutes=15)
    w.bench.simulator.admission = Admission(may_retain=lambda *_: False)
    w.run(ResourceConfig={**RESOURCES, "KeepAlivePeriodInSeconds": 600})
    w.pass_time(minutes=20)
    [told] = said(w, "job-1", "Finished/Completed")
    assert told["reason"].endswith("is short (value 3, needed 4)")
