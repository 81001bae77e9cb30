"""Who a job belongs to, and where that answer came from."""

from collections.abc import Mapping
from dataclasses import dataclass

OWNER_TAGS = ("owner", "Owner", "trainops:owner")


@dataclass(frozen=True, slots=True)
class Owner:
    """`name` is None when nobody is known; `source` says where the answer came from, for the message."""

    name: str | None
    source: str


def owner_of(tags: Mapping[str, str]) -> Owner:
    """The owner that a job's tags name. Tags: `owner`, `Owner` or `trainops:owner`, in that order."""
    for tag in OWNER_TAGS:
        if value := tags.get(tag, "").strip():
            return Owner(value, f"tag {tag}")
    return Owner(None, "no owner tag")
