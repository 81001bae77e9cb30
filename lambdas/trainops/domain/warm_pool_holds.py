"""The tag by which a person keeps a warm pool: `trainops:hold-until`, an ISO-8601 time, on the training job.

Pure; a value that cannot be read is no permission to stop anything (see `warm_pool_plans`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

HOLD_TAG = "trainops:hold-until"
EXAMPLE = "2026-03-02T18:00Z"


@dataclass(frozen=True, slots=True)
class Hold:
    """A hold as it was written. `until` is None when it cannot be read; `shortened` when the team's limit is nearer."""

    text: str
    until: datetime | None
    shortened: bool = False


def hold_text(until: datetime) -> str:
    """A time as the tag takes it, in whole minutes."""
    return f"{until.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def hold_command(arn: str, until: datetime) -> str:
    """The AWS CLI call that tags a job so that its pool is held until then."""
    region = arn.split(":")[3]
    return (
        f"aws sagemaker add-tags --region {region} --resource-arn {arn} --tags Key={HOLD_TAG},Value={hold_text(until)}"
    )


def hold_of(tags: Mapping[str, str], ended: datetime, longest: timedelta) -> Hold | None:
    """The hold on a pool whose job has ended, or None without the tag. A time without a zone is UTC."""
    text = tags.get(HOLD_TAG)
    if text is None:
        return None
    try:
        until = datetime.fromisoformat(text.strip())
        until = until.replace(tzinfo=until.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        # The last hours of the year 9999, or the first of year 1, are no time in UTC.
        return Hold(text, None)
    return Hold(text, min(until, ended + longest), shortened=until > ended + longest)
