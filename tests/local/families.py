"""Tuning jobs and pipelines on the deployed product, and looks that need not be waited for."""

import json
from datetime import datetime
from typing import Any

from local.account import role_arn
from local.waiting import until
from tests.local.product import QUICK, Product
from trainops.domain.family_events import look_message
from trainops.domain.job_families import PIPELINE_TAG

OUT_OF_MEMORY = "AlgorithmError: CUDA out of memory. Tried to allocate 2.00 GiB"
PREFIX = "arn:aws:sagemaker:us-east-1:000000000000"


def run_tuning(product: Product, name: str, trials: int) -> str:
    """A tuning job with all its trials at once, the last of which runs out of memory; its ARN."""
    quick: dict[str, Any] = dict(QUICK)
    product.laptop.control.plan(name, **quick)
    product.laptop.control.plan(f"{name}-{trials:03}", **quick, outcome="Failed", failure_reason=OUT_OF_MEMORY)
    trial = {
        "RoleArn": role_arn(product.laptop),
        "AlgorithmSpecification": {
            "TrainingImage": "111122223333.dkr.ecr.us-east-1.amazonaws.com/t:1",
            "TrainingInputMode": "File",
            "MetricDefinitions": [{"Name": "accuracy", "Regex": "accuracy=(.*)"}],
        },
        "OutputDataConfig": {"S3OutputPath": "s3://example-artifacts/"},
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
    }
    ranges = {"ContinuousParameterRanges": [{"Name": "lr", "MinValue": "0.001", "MaxValue": "0.1"}]}
    answer = product.laptop.client("sagemaker").create_hyper_parameter_tuning_job(
        HyperParameterTuningJobName=name,
        HyperParameterTuningJobConfig={
            "Strategy": "Random",
            "HyperParameterTuningJobObjective": {"Type": "Maximize", "MetricName": "accuracy"},
            "ResourceLimits": {"MaxNumberOfTrainingJobs": trials, "MaxParallelTrainingJobs": trials},
            "ParameterRanges": ranges,
        },
        TrainingJobDefinition=trial,
        Tags=[{"Key": "owner", "Value": "vision"}],
    )
    return str(answer["HyperParameterTuningJobArn"])


def send(product: Product, message: dict[str, Any]) -> None:
    """A message that would have come back to the notification's queue after some minutes."""
    queue = product.queue("JobNotificationsAnnouncedQueue")
    product.laptop.client("sqs").send_message(QueueUrl=queue, MessageBody=json.dumps(message))


def family(product: Product, arn: str) -> dict[str, Any] | None:
    """The ledger's item of a tuning job or a pipeline's execution."""
    key = {"pk": {"S": f"FAMILY#{arn.lower()}"}, "sk": {"S": "FAMILY"}}
    item: dict[str, Any] | None
    item = product.laptop.client("dynamodb").get_item(TableName=product.named("Ledger"), Key=key).get("Item")
    return item


def end_is_known(product: Product, arn: str) -> bool:
    """Whether the event of a family's end was recorded."""
    return "end" in ((family(product, arn) or {}).get("record", {}).get("M") or {})


def look(product: Product, arn: str) -> None:
    """Look at a family whose end is known, at once."""
    until(lambda: end_is_known(product, arn), f"the end of {arn}")
    product.quiet()
    send(product, look_message(arn, product.laptop.control.now()))


def step_job(product: Product, execution: str, name: str, **plan: Any) -> None:
    """A training job that a step of a pipeline created."""
    tags = [{"Key": PIPELINE_TAG, "Value": execution}, {"Key": "owner", "Value": "vision"}]
    product.run_job(name, plan=plan, Tags=tags)


def pipeline_event(product: Product, execution: str, now: datetime, **detail: Any) -> None:
    """An event about a pipeline's execution, or with a step's name about a step."""
    kind = "Execution Step" if "stepName" in detail else "Execution"
    product.laptop.control.inject(
        "aws.sagemaker",
        f"SageMaker Model Building Pipeline {kind} Status Change",
        {"pipelineExecutionArn": execution, **detail},
        resources=[execution],
        time=now,
    )


def exercise_families(product: Product) -> None:
    """A folded tuning job, told, so that its jobs are read."""
    arn = run_tuning(product, "exercised-hpo", 1)
    until(lambda: product.records("exercised-hpo"), "the record of the trial")
    product.advance(minutes=30)
    look(product, arn)
    product.told("exercised-hpo")
