"""The classes of failure, and the form of a rule that recognises one.

Used by `failure_rules` and `exit_codes`; the class is part of the published event, so names are only ever added.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class FailureClass(StrEnum):
    """The closed list of classes, for events and metrics."""

    GPU_OUT_OF_MEMORY = "gpu_out_of_memory"
    HOST_OUT_OF_MEMORY = "host_out_of_memory"
    DISK_FULL = "disk_full"
    CRASH = "crash"
    START_ERROR = "start_error"
    SCRIPT_ERROR = "script_error"
    IMPORT_ERROR = "import_error"
    DATA_NOT_FOUND = "data_not_found"
    ACCESS_DENIED = "access_denied"
    QUOTA = "quota"
    NO_CAPACITY = "no_capacity"
    SPOT_WAIT_EXCEEDED = "spot_wait_exceeded"
    RUNTIME_LIMIT = "runtime_limit"
    IMAGE_PULL = "image_pull"
    NODE_COMMUNICATION = "node_communication"
    INTERNAL_ERROR = "internal_error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to recognise a class. `user_error` is False when the code that ran is not at fault."""

    name: FailureClass
    headline: str
    pattern: re.Pattern[str]
    explanation: str
    next_step: str
    user_error: bool = True


def any_of(*patterns: str) -> re.Pattern[str]:
    """A pattern that finds any of these, in upper or lower case."""
    return re.compile("|".join(patterns), re.IGNORECASE)
