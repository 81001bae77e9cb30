"""What a service of ours is to the protocol layer and to whatever stands in front of it (rates, records of calls)."""

from typing import Any, Protocol, TypeVar

Json = dict[str, Any]
C_contra = TypeVar("C_contra", contravariant=True)


class Service(Protocol[C_contra]):
    """Whatever answers operations by name, for callers of one kind."""

    def call(self, operation: str, caller: C_contra, request: Json) -> Json:
        """Run one operation; errors are ServiceErrors."""
