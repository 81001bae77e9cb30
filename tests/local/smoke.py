"""The deployed smoke stack as the tests see it, and the requests that they send."""

import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from local.laptop import Laptop

APP = f"{sys.executable} -m tests.local.smoke_stack"


class Smoke:
    """The deployed smoke stack and short ways to look at it."""

    def __init__(self, laptop: Laptop) -> None:
        self.laptop = laptop
        stack = laptop.client("cloudformation").describe_stacks(StackName="Smoke")["Stacks"][0]
        self.outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
        self.dynamodb = laptop.client("dynamodb")
        self.sqs = laptop.client("sqs")

    def item(self, key: str) -> dict[str, str] | None:
        """An item of the table, flat."""
        found = self.dynamodb.get_item(TableName=self.outputs["TableName"], Key={"id": {"S": key}}).get("Item")
        return None if found is None else {name: next(iter(value.values())) for name, value in found.items()}

    def kinds(self, kind: str) -> list[dict[str, Any]]:
        """The items of one kind, by the index."""
        found = self.dynamodb.query(
            TableName=self.outputs["TableName"],
            IndexName="by-kind",
            KeyConditionExpression="kind = :kind",
            ExpressionAttributeValues={":kind": {"S": kind}},
        )
        return list(found["Items"])

    def probe(self, service: str, operation: str, **arguments: Any) -> str:
        """Call an AWS operation under the probe's role; the error's code, or OK."""
        payload = {"service": service, "operation": operation, "arguments": arguments}
        answer = self.laptop.client("lambda").invoke(
            FunctionName=self.outputs["ProbeName"], Payload=json.dumps(payload).encode()
        )
        return str(json.loads(answer["Payload"].read())["code"])


def arguments_of(smoke: Smoke, resource: str, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments that need the deployed names."""
    mail = {"Simple": {"Subject": {"Data": "Grüße"}, "Body": {"Text": {"Data": "plain"}, "Html": {"Data": "<p>rich"}}}}
    made: dict[str, dict[str, Any]] = {
        "index": {
            "TableName": smoke.outputs["TableName"],
            "IndexName": "by-kind",
            "KeyConditionExpression": "kind = :kind",
            "ExpressionAttributeValues": {":kind": {"S": "message"}},
        },
        "queue": {"QueueUrl": smoke.outputs["QueueUrl"], "Entries": [{"Id": "1", "MessageBody": "good-3"}]},
        "identity": {
            "FromEmailAddress": "trainops <jobs@trainops.example>",
            "Destination": {"ToAddresses": ["team@trainops.example"]},
            "Content": mail,
        },
    }
    return given or made.get(resource, {})


def job_request(name: str, role_arn: str) -> dict[str, Any]:
    """A spot job that an ordinary client would create."""
    return {
        "TrainingJobName": name,
        "RoleArn": role_arn,
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/output"},
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 10},
        "StoppingCondition": {"MaxRuntimeInSeconds": 7200, "MaxWaitTimeInSeconds": 14400},
        "EnableManagedSpotTraining": True,
        "Tags": [{"Key": "team", "Value": "vision"}],
    }


def make_layer(folder: Path) -> Path:
    """A layer with Powertools and what it needs, as `pip install --target` would make it."""
    for package in ("aws_lambda_powertools", "jmespath", "typing_extensions"):
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin)
        if spec.submodule_search_locations:
            shutil.copytree(source.parent, folder / "python" / package)
        else:
            shutil.copy(source, folder / "python" / source.name)
    return folder
