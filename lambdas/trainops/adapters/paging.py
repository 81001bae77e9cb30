"""Lists of AWS that come in pages: one way to read them to their end, at a pace and with "not now" told apart."""

from collections.abc import Iterator
from typing import Any

from botocore import xform_name

from trainops.adapters.aws import passing_faults
from trainops.adapters.pace import Pace


def pages(client: Any, operation: str, pace: Pace | None = None, **request: Any) -> Iterator[dict[str, Any]]:
    """Each answer of an operation (`ListTags`) that continues by NextToken. A page may be empty and not the last.
    Raises TryLater when a call may succeed later.
    """
    while True:
        if pace:
            pace.wait()
        with passing_faults(operation):
            answer: dict[str, Any] = getattr(client, xform_name(operation))(**request)
        yield answer
        if not answer.get("NextToken"):
            return
        request["NextToken"] = answer["NextToken"]
