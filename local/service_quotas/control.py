"""The `/_local/quotas/` routes: values of accounts, and the decisions that AWS would take about requests."""

from collections.abc import Callable
from typing import Any

from local.sagemaker.admission import Admission
from local.sagemaker.quota_admission import admission_by
from local.sagemaker.simulator import Scope, Simulator
from local.service_quotas.account import Change, Quotas
from local.service_quotas.shapes import change_shape

Json = dict[str, Any]


def routes(quotas: Quotas, simulator: Simulator) -> dict[tuple[str, str], Callable[..., Any]]:
    """GET requests, PUT requests/<id>, PUT values, GET and PUT enforcement: whether quotas bind training jobs."""

    def decide(body: Json, _query: object) -> Json:
        return _shown(quotas.decide(body["name"], body["body"]))

    def set_value(body: Json, _query: object) -> None:
        if unknown := set(body) - {"account", "region", "quota", "value"}:
            raise ValueError(f"unknown field(s) {sorted(unknown)}")
        value = body["value"]
        scope = Scope(body["account"], body["region"])
        quotas.set_value(scope, body["quota"], None if value is None else float(value))

    def enforce(body: Json, _query: object) -> None:
        if set(body) != {"on"} or not isinstance(body["on"], bool):
            raise ValueError('accepted is {"on": true} or {"on": false}')
        simulator.admission = admission_by(quotas.applied) if body["on"] else Admission()

    return {
        ("GET", "quotas/enforcement"): lambda _body, _query: {"on": simulator.admission != Admission()},
        ("PUT", "quotas/enforcement"): enforce,
        ("GET", "quotas/requests"): lambda _body, _query: [_shown(change) for change in quotas.everything()],
        ("PUT", "quotas/requests/"): decide,
        ("PUT", "quotas/values"): set_value,
    }


def _shown(change: Change) -> Json:
    shape = change_shape(change) | {"Account": change.scope.account, "Region": change.scope.region}
    return shape | {"Created": change.created.isoformat(), "LastUpdated": change.updated.isoformat()}
