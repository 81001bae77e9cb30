"""Requests for hyperparameter tuning jobs that the tests share."""

from typing import Any

from tests.local.simulator.bench import Bench, create_request

NAME = "tune"
ARN = "arn:aws:sagemaker:eu-central-1:123456789012:hyper-parameter-tuning-job/tune"


def definition(**changes: Any) -> dict[str, Any]:
    """HyperParameterTrainingJobDefinition; None removes a member."""
    base = create_request()
    members = {
        "RoleArn": base["RoleArn"],
        "AlgorithmSpecification": base["AlgorithmSpecification"],
        "OutputDataConfig": base["OutputDataConfig"],
        "HyperParameterTuningResourceConfig": base["ResourceConfig"],
        "StoppingCondition": base["StoppingCondition"],
        "StaticHyperParameters": {"epochs": "3"},
        **changes,
    }
    return {key: value for key, value in members.items() if value is not None}


def tuning_request(name: str = NAME, *, number: int = 5, parallel: int = 2, **changes: Any) -> dict[str, Any]:
    """CreateHyperParameterTuningJob for `number` training jobs, `parallel` of them at once."""
    ranges = {
        "ContinuousParameterRanges": [{"Name": "lr", "MinValue": "0.001", "MaxValue": "0.1"}],
        "IntegerParameterRanges": [{"Name": "layers", "MinValue": "2", "MaxValue": "4"}],
        "CategoricalParameterRanges": [{"Name": "opt", "Values": ["adam", "sgd"]}],
    }
    request = {
        "HyperParameterTuningJobName": name,
        "HyperParameterTuningJobConfig": {
            "Strategy": "Random",
            "HyperParameterTuningJobObjective": {"Type": "Maximize", "MetricName": "accuracy"},
            "ResourceLimits": {"MaxNumberOfTrainingJobs": number, "MaxParallelTrainingJobs": parallel},
            "ParameterRanges": ranges,
        },
        "TrainingJobDefinition": definition(),
        **changes,
    }
    return {key: value for key, value in request.items() if value is not None}


def describe(bench: Bench, name: str = NAME) -> dict[str, Any]:
    """DescribeHyperParameterTuningJob."""
    return bench.call("DescribeHyperParameterTuningJob", HyperParameterTuningJobName=name)


def children(bench: Bench, **request: Any) -> list[dict[str, Any]]:
    """The training jobs of `tune`, all pages."""
    found: list[dict[str, Any]] = []
    asked: dict[str, Any] = {"HyperParameterTuningJobName": NAME, **request}
    while True:
        answer = bench.call("ListTrainingJobsForHyperParameterTuningJob", **asked)
        found += answer["TrainingJobSummaries"]
        if "NextToken" not in answer:
            return found
        asked["NextToken"] = answer["NextToken"]
