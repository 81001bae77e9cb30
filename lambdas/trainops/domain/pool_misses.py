"""Why a job started cold although a warm pool was around, or got none although it asked: one line of truth each.

Decided by `pools_not_reused` and `pools_not_kept`; kept in the ledger's item of the job, said in its message, its event
and its log line. SageMaker gives no reason for either, so each is concluded from what is known, and says what is not.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from trainops.domain.announcements import AnnouncementType


class MissKind(StrEnum):
    """What stood in the way. `nothing-differs` is an answer too: nothing that is documented explains it."""

    FIELDS = "fields-differ"
    EARLY = "too-early"
    EXPIRED = "expired"
    LET_GO = "let-go"
    """Gone before its time, and not by trainops: a patch update, or a person; SageMaker does not say which."""
    TAKEN = "taken"
    ENDED = "ended-by-trainops"
    NEVER_KEPT = "never-kept"
    """The pool that a job asked for was not retained: most likely for want of quota."""
    QUOTA = "quota"
    """SageMaker kept no pool and gave no reason; its quota is short, or probably is."""
    SPOT = "managed-spot"
    GROUPS = "instance-groups"
    TUNING = "tuning-job"
    NOTHING_DIFFERS = "nothing-differs"


class Missed(StrEnum):
    """Which of the two questions is answered."""

    REUSE = "reuse"
    POOL = "pool"


@dataclass(frozen=True, slots=True)
class Difference:
    """One documented match field, as CreateTrainingJob writes it, in the pool and in the job that did not take it."""

    field: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.field}: {self.old} \N{RIGHTWARDS ARROW} {self.new}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolMiss:
    """One answer. `pool` names the job that left the pool, if there was one; `told_in` is the first announcement that
    says it, None when only ledger and log do.
    """

    missed: Missed
    kind: MissKind
    reason: str
    pool: str | None = None
    differences: tuple[Difference, ...] = ()
    told_in: AnnouncementType | None = None

    @property
    def sentence(self) -> str:
        """What a person reads."""
        return f"{'Cold start' if self.missed is Missed.REUSE else 'No warm pool'}: {self.reason}."

    def told_with(self, telling: AnnouncementType) -> bool:
        """Whether an announcement says it: the first that could, and the end, since not everyone hears of starts."""
        return self.told_in is not None and telling in {self.told_in, AnnouncementType.FINISHED}

    def to_map(self) -> dict[str, Any]:
        """As events and `trainops why --json` show it (docs/events)."""
        return {
            "missed": self.missed.value,
            "kind": self.kind.value,
            "pool": self.pool,
            "differences": [asdict(difference) for difference in self.differences],
            "reason": self.reason,
        }
