"""What is written to, and removed from, the artifact bucket when a deployment publishes to its teams.

Used by `team_publication`. Both lists of documents come from CloudFormation, as keys and texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass

Documents = Mapping[str, str]
"""Key in the bucket → text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """The documents of all teams. `kept` are always as the deployment says; `begun` are written by others later, so
    they are put there only while there are none.
    """

    kept: Documents
    begun: Documents


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What to do in the bucket, and why."""

    write: Documents
    begin: Documents
    remove: tuple[str, ...]
    reason: str


def changes(wanted: Publication, before: Publication | None) -> Changes:
    """Write all that is wanted, whatever was there: people may have changed or deleted it.

    What a team was told before it was removed is removed, since it names a role that may be gone; what others wrote
    stays. `before` is None at the first deployment.
    """
    gone = tuple(sorted(set(before.kept) - set(wanted.kept))) if before else ()
    reason = f"{len(wanted.kept)} documents written, {len(wanted.begun)} begun where there were none"
    if gone:
        reason += f"; removed with their teams: {', '.join(gone)}"
    return Changes(write=wanted.kept, begin=wanted.begun, remove=gone, reason=reason)


def withdrawal() -> Changes:
    """Nothing: the bucket outlives the deployment, and deleting a stack must not depend on reaching it."""
    return Changes(write={}, begin={}, remove=(), reason="nothing is called; the documents stay in the bucket")
