"""How a team's own jobs started, cold and warm: what reusing a pool saves is measured from these.

Learned by the sweep with the rest of a team's history. Only jobs that could take a pool count: spot jobs wait for other
reasons. The last fifty starts of each kind are remembered.
"""

from dataclasses import dataclass, replace
from datetime import timedelta

from trainops.domain.keep_alive_economics import StartSaving, measured_saving

REMEMBERED = 50


@dataclass(frozen=True, slots=True)
class ObservedStart:
    """One job's start: `waited` from its creation to its training, `billed` the part of that since TrainingStartTime
    (None while unknown); `warm` when it took a pool.
    """

    warm: bool
    waited: timedelta
    billed: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Starts:
    """A team's recent starts, oldest first."""

    cold: tuple[ObservedStart, ...] = ()
    warm: tuple[ObservedStart, ...] = ()

    def with_start(self, start: ObservedStart) -> "Starts":
        """One more."""
        if start.warm:
            return replace(self, warm=(*self.warm, start)[-REMEMBERED:])
        return replace(self, cold=(*self.cold, start)[-REMEMBERED:])

    def saving(self) -> StartSaving:
        """What a warm start saves: measured, or assumed while there are too few of either kind."""
        waited = ([start.waited for start in kind] for kind in (self.cold, self.warm))
        billed = ([start.billed for start in kind if start.billed is not None] for kind in (self.cold, self.warm))
        return measured_saving(*waited, *billed)
