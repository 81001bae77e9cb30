"""Rules of CreateHyperParameterTuningJob that its model cannot say; most stand in the model's texts."""

from collections.abc import Mapping
from typing import Any

from local.sagemaker.errors import validation
from local.sagemaker.rules import check_create, check_tags
from local.sagemaker.tuning_values import autotuned, definitions, how_many, ranges_of, training_request

Json = dict[str, Any]
EPOCHS = ("epochs", "numepochs", "n-epochs", "n_epochs", "num_epochs")  # where Hyperband looks for MaxResource
MOST_EPOCHS = 20_000


def check_tuning(request: Json, arn: str) -> None:
    """Raise the ValidationException that the request earns; the rules of a training job hold for each definition."""
    check_tags(request.get("Tags", []))
    config = request["HyperParameterTuningJobConfig"]
    if config["ResourceLimits"]["MaxParallelTrainingJobs"] > how_many(request):
        raise validation("MaxParallelTrainingJobs must not exceed the number of training jobs")
    _check_strategy(request, config)
    for number, definition in enumerate(definitions(request), start=1):
        if ranges_of(request, definition).get("AutoParameters") and not autotuned(request):
            raise validation("AutoParameters need Autotune")
        name = f"{request['HyperParameterTuningJobName']}-{number:03}-00000000"
        check_create(training_request(request, name, arn, number))


def _check_strategy(request: Json, config: Mapping[str, Any]) -> None:
    """What belongs to Hyperband, and what it excludes."""
    settings = config.get("StrategyConfig", {}).get("HyperbandStrategyConfig")
    if config["Strategy"] != "Hyperband":
        if settings is not None:
            raise validation("HyperbandStrategyConfig is only supported for the strategy Hyperband")
        return
    if config.get("TrainingJobEarlyStoppingType") == "Auto":
        raise validation("TrainingJobEarlyStoppingType must be Off for the strategy Hyperband")
    most = (settings or {}).get("MaxResource")
    if most is not None and most > MOST_EPOCHS:
        raise validation(f"MaxResource must not exceed {MOST_EPOCHS}")
    static = [definition.get("StaticHyperParameters", {}) for definition in definitions(request)]
    if most is None and not all(any(name in given for name in EPOCHS) for given in static):
        raise validation(f"MaxResource is required for Hyperband unless it is among the static {', '.join(EPOCHS)}")
