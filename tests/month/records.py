"""What the dashboards should say of a month, counted from the simulator's own records and from nothing of ours."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from local.sagemaker.jobs import TrainingJob
from tests.month.jobs import TEAMS, USD
from tests.month.world import ENFORCES, IDLE_LIMIT

DAY = 86400
OTHERS = "default"
FIGURE = Decimal("0.0001")


@dataclass(frozen=True)
class Told:
    """One value of a job or pool: which figure, whose, on which day (its midnight in seconds)."""

    name: str
    team: str
    day: int
    value: float


def told(jobs: Iterable[TrainingJob]) -> list[Told]:
    """Every value of every job that ended, and of its pool."""
    return [item for job in jobs if job.ended for item in (*_of_job(job), *_of_pool(job))]


def total(items: Iterable[Told], name: str, teams: Iterable[str]) -> float:
    """Of some teams together, over the whole time."""
    wanted = frozenset(teams)
    return sum(item.value for item in items if item.name == name and item.team in wanted)


def team_of(job: TrainingJob) -> str:
    """A team of the settings, or the rest."""
    found = job.tags.get("team")
    return found if found in TEAMS else OTHERS


def _of_job(job: TrainingJob) -> Iterator[Told]:
    assert job.ended
    say = _saying(job, job.ended)
    yield say(job.status.lower(), 1)
    first = next((step.at for step in job.transitions if step.status == "Training"), None)
    if first:
        yield say("warm" if job.cluster_born else "cold", (first - job.created).total_seconds())
    trained, billed = job.training_seconds, job.billable_seconds
    if trained is None or billed is None:
        return
    usd = _usd_per_hour(job)
    if usd is None:
        yield say("unknown", 1)
    if job.is_spot:
        yield say("training", trained * _count(job))
        yield say("billable", billed * _count(job))
        if usd is not None:
            yield say("on demand", _amount(trained * _count(job), usd))
            yield say("billed", _amount(billed * _count(job), usd))


def _of_pool(job: TrainingJob) -> Iterator[Told]:
    pool = job.retained
    if pool is None or job.ended is None or pool.released_at is None or pool.since != job.ended:
        return
    usd, kept = _usd_per_hour(job), (pool.released_at - job.ended).total_seconds()
    say = _saying(job, pool.released_at)
    ours = team_of(job) == ENFORCES and not pool.reused_by and pool.released_at > job.ended
    if ours:
        yield say("ended", 1)
    if usd is None:
        yield say("unknown", 1)
        return
    if not pool.reused_by:
        yield say("idle", _amount(kept * _count(job), usd))
    if ours:
        yield say("avoided", _amount(max(3600 - kept, 0) * _count(job), usd))
    if team_of(job) != ENFORCES:
        late = max(kept - IDLE_LIMIT.total_seconds(), 0)
        yield say("would avoid", _amount(late * _count(job), usd))


def _saying(job: TrainingJob, at: datetime) -> Callable[[str, float], Told]:
    moment = int(at.timestamp())
    return lambda name, value: Told(name, team_of(job), moment - moment % DAY, float(value))


def _usd_per_hour(job: TrainingJob) -> Decimal | None:
    return USD.get(job.request["ResourceConfig"]["InstanceType"])


def _count(job: TrainingJob) -> int:
    return int(job.request["ResourceConfig"]["InstanceCount"])


def _amount(seconds: float, usd: Decimal) -> float:
    """To a hundredth of a cent for each job, as the metrics' documentation says."""
    return float((Decimal(seconds) * usd / 3600).quantize(FIGURE))
