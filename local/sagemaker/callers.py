"""Who sends a request to the simulator: where they are and what their policies say; asked by every operation."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from local.sagemaker.errors import validation
from local.sagemaker.simulator import Scope

Json = dict[str, Any]
PRINCIPAL = "sagemaker.amazonaws.com"


class Caller(Protocol):
    """Who sent the request; AccessDeniedException is raised as a ServiceError."""

    scope: Scope

    @property
    def session_keys(self) -> frozenset[str]:
        """The keys of the session tags of whoever signed, inherited ones included."""

    def authorise(self, action: str, resource: str, context: Mapping[str, Any]) -> None:
        """Evaluate the caller's policies for the action on the resource."""

    def trusted_by(self, role_arn: str, service: str, source_arn: str) -> bool:
        """Whether the role exists and lets the service assume it on behalf of that resource."""


Operation = Callable[[Caller, Json], Json]


def authorise_pass_role(caller: Caller, role: str, arn: str) -> None:
    """iam:PassRole, a dependent action of everything that runs under a role."""
    caller.authorise("iam:PassRole", role, {"iam:PassedToService": PRINCIPAL, "iam:AssociatedResourceArn": arn})


def check_trust(caller: Caller, role: str, arn: str) -> None:
    """A role that SageMaker cannot assume for a job is a ValidationException; looked at after all policies."""
    if not caller.trusted_by(role, PRINCIPAL, arn):
        raise validation(
            f"Could not assume role {role}. Please ensure that the role exists and allows principal "
            f"'{PRINCIPAL}' to assume the role."
        )
