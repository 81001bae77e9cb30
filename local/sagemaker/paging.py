"""Pages of a sorted list behind opaque tokens that hold their place and the request that they belong to.

Used by every operation with a NextToken. The place is a sort key and not an offset, so it holds when resources are
created or deleted between two pages; the API model says only that a token is opaque.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from local.sagemaker.errors import validation

T = TypeVar("T")
Place = tuple[str, str]
FREE = frozenset({"NextToken", "MaxResults"})  # what may differ from one page to the next


def cut(
    found: Sequence[T],
    key: Callable[[T], Place],
    request: Mapping[str, Any],
    *,
    descending: bool = False,
    size: int = 10,
) -> tuple[list[T], dict[str, str]]:
    """One page in the order of the key, and the NextToken member when there is more.

    A token that is not ours, or was given to a request with other filters or order, is a ValidationException.
    """
    rest = sorted(found, key=key, reverse=descending)
    if token := request.get("NextToken"):
        place = _opened(token, request)
        rest = [item for item in rest if (key(item) < place if descending else key(item) > place)]
    size = request.get("MaxResults", size)
    if len(rest) <= size:
        return rest, {}
    return rest[:size], {"NextToken": _sealed(key(rest[size - 1]), request)}


def _sealed(place: Place, request: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps([_print(request), *place]).encode()).decode()


def _opened(token: str, request: Mapping[str, Any]) -> Place:
    try:
        belongs_to, first, second = json.loads(base64.urlsafe_b64decode(token))
    except (ValueError, TypeError) as error:
        raise validation("Invalid pagination token") from error
    if belongs_to != _print(request):
        raise validation("Invalid pagination token: the other parameters must be those of the first request")
    return str(first), str(second)


def _print(request: Mapping[str, Any]) -> str:
    """A short digest of all that selects and orders; the same dates sent twice are written alike."""
    kept = {name: value for name, value in request.items() if name not in FREE}
    return hashlib.sha256(json.dumps(kept, sort_keys=True, default=str).encode()).hexdigest()[:16]
