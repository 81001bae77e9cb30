"""The guard: how much a learned keep-alive may lose against simpler ones before it is no longer followed.

Three alternatives need no learning: `none` (release at once), `break-even`, and `asked` (the person's own setting).
When a gap is resolved, each is charged what it alone would have cost; this needs only job ends and creations, whatever
was really done. The learned decisions' excess over each alternative is kept, never below zero, so that good times buy
no bad ones. While the excess over any alternative is above `allowance + tolerance x what that one lost`, the best
alternative so far is followed; and once more than that was lost against break-even, whatever was followed, break-even
is. So the loss is at most (1 + tolerance) x break-even's + allowance + what was undecided at the switch, whatever jobs
come; and break-even never costs more than twice the optimum, nor than twice any of the three. No rule without dice can
promise less than a factor of 2 against the best of several alternatives in hindsight.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from trainops.domain.keep_alive_economics import Stakes
from trainops.domain.wording import money_text

LEARNED, NONE, BREAK_EVEN, ASKED = "histogram", "none", "break-even", "asked"
ALTERNATIVES = (NONE, BREAK_EVEN, ASKED)


@dataclass(frozen=True, slots=True)
class Trial:
    """One decision as the guard must remember it until its gap is resolved. `followed` is what was followed; times are
    seconds of idling: `kept`, and what releasing at once (`none`: never sooner than the decision could be made),
    `break_even` and the person (`asked`) would have allowed.
    """

    followed: str
    kept: float
    none: float
    break_even: float
    asked: float
    stakes: Stakes

    def losses(self, gap: float | None) -> tuple[float, dict[str, float]]:
        """US dollars lost by what was kept, and by each alternative; `gap` is None when no job came in time."""
        keeps = {NONE: self.none, BREAK_EVEN: self.break_even, ASKED: self.asked}
        return self._loss(self.kept, gap), {name: self._loss(keep, gap) for name, keep in keeps.items()}

    def _loss(self, keep: float, gap: float | None) -> float:
        if gap is not None and gap <= keep:
            return gap * self.stakes.usd_per_second
        return keep * self.stakes.usd_per_second + (self.stakes.cold_usd if gap is not None else 0.0)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much worse than an alternative the account may become: US dollars, plus a share of what that one lost."""

    allowance: Decimal = Decimal(100)
    tolerance: Decimal = Decimal("0.02")


@dataclass(frozen=True, slots=True)
class Guard:
    """The account's ledger of losses in US dollars. `lost`: by alternative; `excess`: of learned decisions over each
    alternative; `strayed`: of these and of the fallbacks over break-even.
    """

    lost: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(ALTERNATIVES, 0.0))
    excess: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(ALTERNATIVES, 0.0))
    strayed: float = 0.0

    def with_outcome(self, trial: Trial, gap: float | None) -> "Guard":
        """The ledger once a decision's gap is resolved."""
        own, others = trial.losses(gap)
        excess, strayed = self.excess, self.strayed
        if trial.followed == LEARNED:
            excess = {name: max(self.excess[name] + own - loss, 0.0) for name, loss in others.items()}
        if trial.followed in {LEARNED, NONE, ASKED}:
            strayed = max(strayed + own - others[BREAK_EVEN], 0.0)
        return Guard({name: self.lost[name] + loss for name, loss in others.items()}, excess, strayed)

    def verdict(self, limits: Limits) -> tuple[str, str]:
        """What to follow now, `LEARNED` or an alternative, and why (empty while the learned one is within limits)."""
        if self.strayed > self._limit(BREAK_EVEN, limits):
            return BREAK_EVEN, _over(self.strayed, BREAK_EVEN)
        for name in ALTERNATIVES:
            if self.excess[name] > self._limit(name, limits):
                return min(ALTERNATIVES, key=lambda other: self.lost[other]), _over(self.excess[name], name)
        return LEARNED, ""

    def _limit(self, name: str, limits: Limits) -> float:
        return float(limits.allowance) + float(limits.tolerance) * self.lost[name]


def _over(usd: float, name: str) -> str:
    return f"what was learned has lost {money_text(Decimal(usd))} more than {name!r} would have"
