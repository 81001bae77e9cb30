"""The control routes script jobs, move time and refuse what they do not understand."""

from datetime import timedelta
from typing import Any

import pytest

from local.authorisations import Authorisations
from local.control_routes import ControlRoutes
from local.sagemaker.simulator import Scope
from tests.local.simulator.bench import START, Bench, create_request


class Routes:
    """Control routes on a bench, with what they injected."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.injected: list[tuple[Scope, dict[str, Any]]] = []
        self._routes = ControlRoutes(self.bench.simulator, Authorisations(), lambda *event: self.injected.append(event))

    def answer(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        return self._routes.answer(method, f"/_local/{path}", {}, body or {})


def test_a_plan_given_before_the_job_decides_its_end() -> None:
    routes = Routes()
    plan = {"outcome": "Failed", "failure_reason": "AlgorithmError: boom"}
    assert routes.answer("PUT", "sagemaker/plans/job-1", plan)[0] == 200
    routes.bench.call("CreateTrainingJob", **create_request())
    routes.answer("PUT", "clock", {"advance_seconds": 7200})
    assert routes.bench.describe()["FailureReason"] == "AlgorithmError: boom"


def test_the_clock_answers_where_it_is() -> None:
    status, answer = Routes().answer("PUT", "clock", {"advance_seconds": 60})
    assert (status, answer) == (200, {"now": (START + timedelta(minutes=1)).isoformat(), "rate": 0.0})


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PUT", "sagemaker/plans/job-1", {"outcome": "Maybe"}, 400),
        ("PUT", "sagemaker/plans/job-1", {"colour": "red"}, 400),
        ("PUT", "sagemaker/plans/job-1", {"training_seconds": -1}, 400),
        ("PUT", "clock", {"advance_seconds": -1}, 400),
        ("PUT", "clock", {"speed": 2}, 400),
        ("POST", "events", {"source": "aws.sagemaker"}, 400),
        ("GET", "nowhere", {}, 404),
    ],
)
def test_what_is_not_understood_is_refused(method: str, path: str, body: dict[str, Any], status: int) -> None:
    assert Routes().answer(method, path, body)[0] == status


def test_a_raw_event_may_have_any_source_and_a_broken_detail() -> None:
    routes = Routes()
    event = {"source": "aws.sagemaker", "detail-type": "x", "detail": "not json", "account": "1", "region": "r"}
    assert routes.answer("POST", "events", event)[0] == 200
    [(scope, entry)] = routes.injected
    assert (scope, entry["Source"], entry["Detail"]) == (Scope("1", "r"), "aws.sagemaker", "not json")


def test_switches_are_turned_while_the_server_runs() -> None:
    routes = Routes()
    assert routes.answer("PUT", "sagemaker/switches", {"arn_case": "given"})[1]["arn_case"] == "given"
    assert routes.answer("GET", "sagemaker/switches")[1]["pool_pick"] == "lifo"
    assert routes.bench.simulator.switches.arn_case == "given"
    assert routes.answer("PUT", "sagemaker/switches", {"arn_case": "upper"})[0] == 400
