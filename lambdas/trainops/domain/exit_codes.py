"""What a container's exit code says about why it ended.

Used for failures whose reason is little more than "AlgorithmError: Exit Code: 139". A process that a signal ends has
the code 128 + signal (POSIX shells), or minus the signal where Python launched it.
"""

import re
from dataclasses import dataclass

from trainops.domain.failure_classes import FailureClass

SIGNALS = 128
_CODE = re.compile(r"(?i)exit\s?[_-]?code\s{0,4}[=:]?\s{0,4}(-?\d{1,3})\b")

_NATIVE = "Look at the last log lines; check that native libraries fit each other and the CUDA driver."
_ENTRY = "Check the image's entry point: that the file exists, is executable and has Unix line ends."
_LOG = "Read the last lines of the job's log."


@dataclass(frozen=True, slots=True)
class ExitCode:
    """A code's meaning; `telling` is False where the code says less than an exception in the text would."""

    name: FailureClass
    headline: str
    meaning: str
    next_step: str
    telling: bool = True


KNOWN = {
    1: ExitCode(FailureClass.SCRIPT_ERROR, "script error", "the script ended with an error", _LOG, telling=False),
    2: ExitCode(FailureClass.SCRIPT_ERROR, "script error", "mostly a wrong command line", _LOG, telling=False),
    126: ExitCode(FailureClass.START_ERROR, "cannot start", "the command cannot be executed", _ENTRY),
    127: ExitCode(FailureClass.START_ERROR, "cannot start", "the command was not found", _ENTRY),
    130: ExitCode(FailureClass.SCRIPT_ERROR, "interrupted", "the process was interrupted (SIGINT)", _LOG),
    132: ExitCode(
        FailureClass.CRASH, "crash", "illegal instruction (SIGILL), often a library built for another CPU", _NATIVE
    ),
    134: ExitCode(FailureClass.CRASH, "crash", "the process aborted itself (SIGABRT)", _NATIVE),
    135: ExitCode(FailureClass.CRASH, "crash", "bus error (SIGBUS), often too little shared memory", _NATIVE),
    136: ExitCode(FailureClass.CRASH, "crash", "arithmetic fault (SIGFPE)", _NATIVE),
    137: ExitCode(
        FailureClass.HOST_OUT_OF_MEMORY,
        "out of memory",
        "the process was killed (SIGKILL), mostly because the instance's main memory ran out",
        "Load less data at a time, use fewer loader workers, or take an instance with more memory.",
    ),
    139: ExitCode(FailureClass.CRASH, "segmentation fault", "segmentation fault (SIGSEGV) in native code", _NATIVE),
    143: ExitCode(FailureClass.SCRIPT_ERROR, "terminated", "the process was asked to end (SIGTERM)", _LOG),
    255: ExitCode(
        FailureClass.SCRIPT_ERROR,
        "exit code 255",
        "the script or its launcher (mpirun, ssh) gave up",
        _LOG,
        telling=False,
    ),
}


def exit_code(text: str) -> int | None:
    """The last exit code a text names, -9 written as 137; None when it names none."""
    codes = [int(found) for found in _CODE.findall(text)]
    return None if not codes else codes[-1] if codes[-1] >= 0 else SIGNALS - codes[-1]


def meaning_of(code: int) -> ExitCode:
    """What a code means; one without a convention was chosen by the script itself."""
    own = ExitCode(FailureClass.SCRIPT_ERROR, f"exit code {code}", "chosen by the script itself", _LOG, telling=False)
    return KNOWN.get(code, own)
