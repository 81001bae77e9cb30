"""Two stacks that want quotas for themselves, with a ledger of their own; deployed by test_quota_stacks.py.

`QUOTAS` holds JSON: stack → instance type → use → instances.
"""

import json
import os

from aws_cdk import App, RemovalPolicy, Stack
from aws_cdk import aws_dynamodb as dynamodb

from stacks.building_blocks.function import Runtime
from stacks.building_blocks.layer_version import Layer
from stacks.capabilities.quota_requests import QuotaRequests


def main() -> None:
    """Synthesise; a deployment fails where a wish is refused."""
    app = App()
    shared = Stack(app, "quota-ledger")
    text = dynamodb.AttributeType.STRING
    table = dynamodb.Table(
        shared,
        "Table",
        partition_key=dynamodb.Attribute(name="pk", type=text),
        sort_key=dynamodb.Attribute(name="sk", type=text),
        removal_policy=RemovalPolicy.DESTROY,
    )
    for name, by_type in json.loads(os.environ["QUOTAS"]).items():
        stack = Stack(app, name)
        runtime = Runtime(layer=Layer(stack, "Layer"), log_retention_days=30)
        QuotaRequests(stack, "Quotas", by_type=by_type, ledger=table, runtime=runtime, fail_on_refusal=True)
    app.synth()


if __name__ == "__main__":
    main()
