"""Warm pools as they are deployed: shares of the limits, permission to change, the sweep's heartbeat, warnings."""

import json

from tests.infrastructure.conftest import Deployment


def test_warm_pools_take_at_most_two_fifths_of_the_update_limit_and_half_of_the_list_limit_with_the_reconciler(
    full: Deployment,
) -> None:
    control = full.function("warm_pool_control")["Environment"]["Variables"]
    assert 2 / float(control["UPDATE_SPACING"]) <= 0.4 * 1
    spacings = [
        float(full.function(name)["Environment"]["Variables"]["LIST_SPACING"])
        for name in ("job_reconcile", "warm_pool_sweep")
    ]
    assert sum(1 / spacing for spacing in spacings) <= 0.5 * 2


def test_only_where_a_team_enforces_may_keep_alive_periods_be_changed_and_nothing_else(
    full: Deployment, empty: Deployment
) -> None:
    [changing] = [item for item in full.statements("warm_pool_control") if "UpdateTrainingJob" in str(item["Action"])]
    assert changing["Condition"] == {
        "NumericLessThanEquals": {"sagemaker:KeepAlivePeriod": "3600"},
        "BoolIfExists": {"sagemaker:EnableRemoteDebug": "false"},
    }
    assert "UpdateTrainingJob" not in json.dumps(empty.operations), "observing touches nothing"
