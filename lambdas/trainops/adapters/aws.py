"""boto3 clients as every function wants them, and AWS's "not now" told apart from its "no"."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as BotoConnectionError

from trainops.errors import TryLater

PASSING_CODES = frozenset(
    {
        "InternalError",
        "InternalFailure",
        "InternalServerError",
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "ServiceUnavailable",
        "SlowDown",
        "ThrottledException",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionInProgressException",
    }
)
"""Error codes of a call that may succeed later: botocore's throttling codes and the services' internal errors."""


def client(service: str, attempts: int = 3, region: str | None = None) -> Any:
    """A client with few attempts and short time-outs: waiting is the queue's job, not the function's. One attempt is
    for calls that people would notice twice.
    """
    retries = Config(
        retries={"mode": "adaptive", "total_max_attempts": attempts},
        connect_timeout=5,
        read_timeout=15,
    )
    return boto3.client(service, region_name=region, config=retries)  # type: ignore[call-overload]


def code_of(error: ClientError) -> str:
    """The error's code in AWS's answer; empty when it has none."""
    return str(error.response.get("Error", {}).get("Code", ""))


def message_of(error: ClientError) -> str:
    """What AWS's answer says of the error; empty when it says nothing."""
    return str(error.response.get("Error", {}).get("Message", ""))


@contextmanager
def passing_faults(call: str) -> Iterator[None]:
    """Turn what may succeed later into TryLater, naming the call; everything else is raised as it is."""
    try:
        yield
    except ClientError as error:
        code = code_of(error)
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in PASSING_CODES or status >= 500:
            raise TryLater(f"{call}: {code or status}") from error
        raise
    except (BotoConnectionError, HTTPClientError) as error:
        raise TryLater(f"{call}: {type(error).__name__}") from error
