"""Why a job failed, in one line, and what to do next: decided from FailureReason and the secondary status.

Used when a job ends. FailureReason is free text of at most 1,024 characters (DescribeTrainingJob), so this is a best
reading of it: the first rule that matches wins, and what no rule knows is "unknown", with the text itself to read.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from trainops.domain.exit_codes import exit_code, meaning_of
from trainops.domain.failure_classes import FailureClass, Rule
from trainops.domain.failure_rules import RULES, RUNTIME_LIMIT, SPOT_WAIT
from trainops.domain.secret_masks import masked
from trainops.domain.wording import excerpt, one_line, plain, shortened

REASON_LIMIT = 1024
"""SageMaker cuts a reason at this length (FailureReason, API model)."""
SHOWN_REASON = 480
DETAIL = 140
STOPS = {"MaxWaitTimeExceeded": SPOT_WAIT, "MaxRuntimeExceeded": RUNTIME_LIMIT}
"""Secondary statuses that say more than any text (SecondaryStatus, API model)."""

_QUOTA = re.compile(
    r"service limit ['\"](?P<name>[^'\"]+)['\"] is (?P<limit>\d+)[^,]*, with current utilization of (?P<used>\d+)[^,]*"
    r" and a request delta of (?P<asked>\d+)"
)
_EXCEPTION = re.compile(
    r"(?<![\w.])(?:[A-Za-z_]\w{0,60}\.){0,6}([A-Z]\w{0,60}(?:Error|Exception))\b(?::[ \t]*([^\n\"]*))?"
)
_WRAPPERS = frozenset({"AlgorithmError", "ExecuteUserScriptError", "ClientError", "ChildFailedError"})
"""What SageMaker's toolkit and launchers put around the script's own exception."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A reading of a failure. `name` is the class, for events and metrics; `headline` fits a subject line;
    `user_error` is False when the code that ran is not at fault (no capacity, quota, internal error).
    """

    name: FailureClass
    headline: str
    explanation: str
    next_step: str
    user_error: bool = True


@dataclass(frozen=True, slots=True)
class QuotaShortage:
    """What a ResourceLimitExceeded text says, in instances; `name` equals the QuotaName in Service Quotas."""

    name: str
    limit: int
    in_use: int
    asked: int

    @property
    def needed(self) -> int:
        """The smallest value of the quota that would have let the job start."""
        return self.in_use + self.asked


def classify(reason: str | None, secondary_status: str | None = None) -> Failure:
    """The reading of a FailureReason; None or an empty one is "unknown". Credentials in it are masked."""
    if rule := STOPS.get(secondary_status or ""):
        return _by_rule(rule, {})
    text = masked(plain(reason or ""))
    if shortage := quota_shortage(text):
        return _by_quota(shortage)
    for rule in RULES:
        if match := rule.pattern.search(text):
            return _by_rule(rule, match.groupdict(""))
    return _by_exit(text)


def quota_shortage(text: str) -> QuotaShortage | None:
    """The quota a ResourceLimitExceeded text names, with its numbers; None when it names none."""
    match = _QUOTA.search(text)
    if match is None:
        return None
    return QuotaShortage(match["name"], int(match["limit"]), int(match["used"]), int(match["asked"]))


def shown_reason(reason: str | None) -> str | None:
    """The reason as it may be shown: masked, with head and tail kept; None when there is none."""
    return excerpt(masked(plain(reason or "")).strip(), SHOWN_REASON) or None


def cut_by_sagemaker(reason: str | None) -> bool:
    """Whether the reason is as long as SageMaker allows, so that its end is most likely missing."""
    return reason is not None and len(reason) >= REASON_LIMIT


def _by_rule(rule: Rule, found: Mapping[str, str]) -> Failure:
    values = {name: shortened(one_line(value), DETAIL) for name, value in found.items()}
    return Failure(rule.name, rule.headline, rule.explanation.format_map(values), rule.next_step, rule.user_error)


def _by_quota(quota: QuotaShortage) -> Failure:
    return Failure(
        FailureClass.QUOTA,
        "quota too low",
        f"The quota \u201c{quota.name}\u201d is {quota.limit}: {quota.in_use} in use, {quota.asked} more asked for.",
        f"Ask Service Quotas for at least {quota.needed} of \u201c{quota.name}\u201d.",
        user_error=False,
    )


def _by_exit(text: str) -> Failure:
    """By a telling exit code, else by the script's own exception, else by any exit code."""
    code = exit_code(text)
    known = None if code is None else meaning_of(code)
    if known and known.telling:
        return _by_code(text)
    raised = [(name, said) for name, said in _EXCEPTION.findall(text) if name not in _WRAPPERS]
    if raised:
        name, said = raised[-1]
        what = shortened(f"{name}: {one_line(said)}".removesuffix(": "), DETAIL)
        step = "Read the last lines of the job's log."
        return Failure(FailureClass.SCRIPT_ERROR, name, f"The script ended with {what}.".replace("..", "."), step)
    return _by_code(text)


def _by_code(text: str) -> Failure:
    code = exit_code(text)
    if code is None:
        said = "SageMaker gave no reason." if not text.strip() else "The reason is not one of the known kinds."
        return Failure(FailureClass.UNKNOWN, "cause unknown", said, "Read the last lines of the job's log.")
    known = meaning_of(code)
    return Failure(known.name, known.headline, f"Exit code {code}: {known.meaning}.", known.next_step)
