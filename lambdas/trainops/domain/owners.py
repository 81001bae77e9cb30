"""Who a job belongs to, and where that answer came from: the first of a chain of evidence that names somebody.

Used whenever a message about a job is decided. Tags are free text; whether an owner can be written to is decided by
`recipients`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trainops.domain.callers import Caller

OWNER_TAGS = ("owner", "Owner", "trainops:owner")
PROFILE_TAG = "sagemaker:user-profile-arn"
"""Studio puts it on what is made in it: …:user-profile/<domain>/<name>. A shared space names no person."""
PIPELINE_TAG = "sagemaker:pipeline-execution-arn"
"""Pipelines put it on the jobs of their steps: …:pipeline/<name>/execution/<id>."""
NOBODY = "no owner tag"


@dataclass(frozen=True, slots=True)
class Owner:
    """`name` is None when nobody is known; `source` says where the answer came from, for the message."""

    name: str | None
    source: str

    @property
    def short(self) -> str | None:
        """The name without the domain of an address: what may go into logs and events."""
        return self.name.partition("@")[0] if self.name else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known beside the tags. `creator` made the job, `starter` started the pipeline execution it is a step of:
    None where no trail told. `team_owner` is who answers for the team.
    """

    creator: Caller | None = None
    starter: Caller | None = None
    team: str = "default"
    team_owner: str | None = None


def owner_of(tags: Mapping[str, str], evidence: Evidence | None = None) -> Owner:
    """The owner: by tag, who created the job, the Studio user profile, who started the pipeline, the team's default."""
    known = evidence or Evidence()
    return next(_candidates(tags, known), Owner(None, _nobody(known)))


def named_by_tag(tags: Mapping[str, str]) -> bool:
    """Whether the first link of the chain holds, so that no other evidence is needed."""
    return any(tags.get(tag, "").strip() for tag in OWNER_TAGS)


def _candidates(tags: Mapping[str, str], known: Evidence) -> Iterator[Owner]:
    for tag in OWNER_TAGS:
        if value := tags.get(tag, "").strip():
            yield Owner(value, f"tag {tag}")
    if known.creator and known.creator.name:
        yield Owner(known.creator.name, f"{known.creator.how} of the caller")
    if profile := _last(tags.get(PROFILE_TAG, ""), ":user-profile/"):
        yield Owner(profile, "Studio user profile")
    if known.starter and known.starter.name:
        yield Owner(known.starter.name, f"{known.starter.how} of who started {_pipeline(tags)}")
    if known.team_owner:
        yield Owner(known.team_owner, f"default of team {known.team}")


def _nobody(known: Evidence) -> str:
    created = known.creator is not None and known.creator.name is None
    return f"{NOBODY}, and a service created it" if created else NOBODY


def _pipeline(tags: Mapping[str, str]) -> str:
    """By its name, if it is one (CreatePipeline): the source goes into events, and a tag may hold anything."""
    found = re.search(r":pipeline/([A-Za-z0-9-]{1,256})/", tags.get(PIPELINE_TAG, ""))
    return f"pipeline {found[1]}" if found else "its pipeline"


def _last(arn: str, kind: str) -> str:
    return arn.rpartition("/")[2].strip() if kind in arn else ""
