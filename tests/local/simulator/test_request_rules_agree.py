"""The rules that explain and the simulator that refuses were written apart; they agree on what is refused."""

from itertools import product
from typing import Any

import pytest

from local.sagemaker import builtin_algorithms as simulated
from local.sagemaker.errors import ServiceError
from tests.local.simulator.bench import Bench, create_request
from trainops.domain import builtin_algorithms
from trainops.domain.findings import errors
from trainops.domain.request_checks import check_request

KMEANS = "438346466558.dkr.ecr.eu-central-1.amazonaws.com/kmeans:1"


def refused(request: dict[str, Any]) -> bool:
    """Whether the simulator refuses it."""
    try:
        Bench().call("CreateTrainingJob", **request)
    except ServiceError:
        return True
    return False


@pytest.mark.parametrize("spot", [True, False])
@pytest.mark.parametrize("image", ["image", KMEANS])
def test_what_is_called_an_error_is_refused_and_nothing_else(spot: bool, image: str) -> None:
    answers = set()
    for run, wait, keep_alive, name in product(
        (None, 60, 3600, 28 * 86_400 + 1), (None, 59, 60, 3600, 3601, 86_400), (None, 0, 600, 21_601), ("job", "a_b")
    ):
        stopping = {"MaxRuntimeInSeconds": run, "MaxWaitTimeInSeconds": wait}
        resources = create_request()["ResourceConfig"] | {"KeepAlivePeriodInSeconds": keep_alive}
        request = create_request(
            name,
            AlgorithmSpecification={"TrainingImage": image, "TrainingInputMode": "File"},
            EnableManagedSpotTraining=spot,
            StoppingCondition={key: value for key, value in stopping.items() if value is not None},
            ResourceConfig={key: value for key, value in resources.items() if value is not None},
        )
        explained = bool(errors(check_request(request)))
        assert explained is refused(request), request
        answers.add(explained)
    assert answers == {True, False}


def test_both_know_the_same_algorithms_without_checkpoints() -> None:
    assert builtin_algorithms.WITHOUT_CHECKPOINTS == simulated.WITHOUT_CHECKPOINTS
