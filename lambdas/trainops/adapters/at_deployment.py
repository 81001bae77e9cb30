"""Runs one request of CloudFormation for a custom resource.

The provider framework of the CDK stands in front: it sends the answer whatever happens here, an error at import or a
time-out included, so that no deployment hangs. Source: CloudFormation user guide, custom resource request objects.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.signals import Signals
from trainops.outcomes import Outcome

Properties = Mapping[str, Any]


class Resource(Protocol):
    """What a custom resource does. Raising fails the deployment, which CloudFormation then rolls back."""

    def create(self, wanted: Properties) -> Outcome:
        """Make it as wanted. May be called again for what is there already."""

    def update(self, wanted: Properties, before: Properties) -> Outcome:
        """Make it as wanted now. In a rollback, `before` is what could not be made."""

    def delete(self, _before: Properties) -> Outcome:
        """Take leave of it."""


class AtDeployment:
    """A Lambda handler for the provider framework. With `tells`, the template can read the outcome as `Found`."""

    def __init__(self, resource: Resource, *, tells: bool = False) -> None:
        self._resource = resource
        self._tells = tells
        self._signals = Signals()

    def __call__(self, event: Mapping[str, Any], _context: LambdaContext) -> dict[str, Any]:
        """The physical ID, the same at every request: another one would make CloudFormation delete the "old" resource
        right after an update. Raises ValueError for a request that is none of the three.
        """
        outcome = self._run(event)
        self._signals.outcome(outcome)
        self._signals.flush()
        data = {"Data": {"Found": outcome.reason}} if self._tells else {}
        return {"PhysicalResourceId": physical_id(event), **data}

    def _run(self, event: Mapping[str, Any]) -> Outcome:
        request, properties = event["RequestType"], event["ResourceProperties"]
        if request == "Create":
            return self._resource.create(properties)
        if request == "Update":
            return self._resource.update(properties, event["OldResourceProperties"])
        if request == "Delete":
            return self._resource.delete(properties)
        raise ValueError(f"RequestType is {request!r}; known are Create, Update and Delete")


def physical_id(event: Mapping[str, Any]) -> str:
    """Made of the stack and the logical ID alone, which never change while the resource lives."""
    return f"{event['StackId']}/{event['LogicalResourceId']}"
