"""The one message about a tuning job, an AutoML job or a pipeline's execution: what became of it and of its parts.

Counts come first, then what failed and why, then what it cost. What is unknown of some jobs is said beside the sum of
the others.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from decimal import Decimal

from trainops.domain.cards import Card, Link, Tone
from trainops.domain.failure_classes import FailureClass
from trainops.domain.failures import Failure, classify, shown_reason
from trainops.domain.fleet_savings import FleetSavings
from trainops.domain.job_facts import NO_TEAM, Fact, owner_text
from trainops.domain.job_families import Family, FamilyKind, Members, Step, Telling
from trainops.domain.job_records import JobRecord
from trainops.domain.links import job_page, tuning_page
from trainops.domain.owners import Owner, owner_of
from trainops.domain.spot_savings import estimated_cost
from trainops.domain.wording import counted, duration_text, money_text, one_line, percent_text, shortened, time_text

NAMED = 5
"""So many of the failed are named; the counts cover the rest."""
TONES = {"Completed": Tone.GOOD, "Failed": Tone.BAD}


def outcome_of(family: Family, members: Members) -> str:
    """Completed, Failed or Stopped: what the family's own end says, else what its jobs say together."""
    if family.end:
        return family.end.status
    if _failed(members.jobs):
        return "Failed"
    stopped = members.jobs and all(record.job.status == "Stopped" for record in members.jobs)
    return "Stopped" if stopped else "Completed"


def failure_of(members: Members) -> Failure | None:
    """The most frequent failure among a family's jobs, else that of a failed step; None when nothing failed."""
    found = [classify(record.job.failure_reason, record.job.secondary_status) for record in _failed(members.jobs)]
    if found:
        classes = Counter(failure.name for failure in found)
        return next(failure for failure in found if failure.name == classes.most_common(1)[0][0])
    steps = [step for step in members.steps if step.status == "Failed"]
    return classify(steps[0].reason) if steps else None


def family_card(family: Family, members: Members, telling: Telling, now: datetime, zone: tzinfo) -> Card:
    """The card for a family that has ended, or fell silent; `telling` says which and has the message's key."""
    outcome, records = outcome_of(family, members), members.jobs
    failed = _failed(records)
    tone = Tone.WARNING if outcome == "Completed" and failed else TONES.get(outcome, Tone.NEUTRAL)
    team, owner = _team(records), _owner(family, records)
    name = one_line(family.end.name if family.end else family.arn.rpartition("/")[2])
    began = family.end.created if family.end else None
    return Card(
        key=telling.key or family.arn,
        job_name=name,
        tone=tone,
        title=f"{family.kind} {name} {outcome.lower()}{_where(members.steps) if outcome == 'Failed' else ''}",
        summary=_counts(family, records),
        cause=_cause(family, members),
        facts=tuple(_facts(family, records, owner)),
        lines=tuple(_lines(members)),
        links=tuple(_links(family, failed)),
        context=(_small_print(family, team, now, zone), f"Why now: {telling.reason}."),
        team=team,
        owner=owner.name,
        thread=f"{family.arn}|{began:%Y-%m-%dT%H:%M:%SZ}" if began else family.arn,
    )


def _failed(records: Sequence[JobRecord]) -> list[JobRecord]:
    return [record for record in records if record.job.status == "Failed"]


def _where(steps: Sequence[Step]) -> str:
    failed = [one_line(step.name) for step in steps if step.status == "Failed"]
    return f" at step {', '.join(failed[:NAMED])}" if failed else ""


def _counts(family: Family, records: Sequence[JobRecord]) -> str:
    """12 training jobs: 9 completed, 2 failed, 1 stopped."""
    launched = family.end.launched if family.end else None
    total = max(launched or 0, len(records))
    if not total:
        return "It ran no training job." if family.kind is FamilyKind.PIPELINE else "No training job of it is known."
    found = Counter(record.job.status if record.job.terminal else "still running" for record in records)
    parts = [f"{found[status]} {status.lower()}" for status in ("Completed", "Failed", "Stopped", "still running")]
    parts = [part for part in parts if not part.startswith("0 ")]
    if missing := total - len(records):
        parts.append(f"{missing} of unknown end")
    return f"{counted(total, 'training job')}: {', '.join(parts)}."


def _cause(family: Family, members: Members) -> str | None:
    """The text of what failed first: a job's, a step's, or the family's own."""
    failed = sorted(_failed(members.jobs), key=lambda record: record.job.ended or record.job.key.created)
    texts = [record.job.failure_reason for record in failed]
    texts += [step.reason for step in members.steps if step.status == "Failed"]
    texts.append(family.end.reason if family.end else None)
    return next((shown for text in texts if (shown := shown_reason(text))), None)


def _lines(members: Members) -> Iterator[str]:
    """The failures by kind, each with what to do and some of the jobs."""
    kinds: dict[FailureClass, list[JobRecord]] = {}
    for record in _failed(members.jobs):
        kinds.setdefault(classify(record.job.failure_reason, record.job.secondary_status).name, []).append(record)
    for records in sorted(kinds.values(), key=len, reverse=True)[:NAMED]:
        failure = classify(records[0].job.failure_reason, records[0].job.secondary_status)
        names = ", ".join(record.job.name for record in records[:NAMED])
        more = f" and {len(records) - NAMED} more" if len(records) > NAMED else ""
        yield f"{len(records)} failed: {failure.headline} ({names}{more}). {failure.explanation}"
        yield f"Next: {failure.next_step[:1].lower()}{failure.next_step[1:]}"
    if not kinds and (step_failure := failure_of(members)):
        yield f"Next: {step_failure.next_step[:1].lower()}{step_failure.next_step[1:]}"


def _facts(family: Family, records: Sequence[JobRecord], owner: Owner) -> Iterator[Fact]:
    yield "Owner", owner_text(owner)
    if family.end and family.end.created:
        yield "Duration", duration_text(family.end.ended - family.end.created)
    if records:
        yield "Cost estimate", _cost(records)
    savings = FleetSavings()
    for record in records:
        savings = savings.plus(record)
    if savings.percent_by_time is not None:
        saved = savings.on_demand_usd - savings.billed_usd
        money = f", about {money_text(saved)}" if savings.jobs > savings.unpriced and saved > 0 else ""
        without = f" (without {counted(savings.incomplete, 'job')} of unknown billing)" if savings.incomplete else ""
        lost = f"; nothing is left of {duration_text(savings.wasted)} of instance time" if savings.wasted else ""
        yield "Spot savings", f"{percent_text(savings.percent_by_time)}{money}{without}{lost}"


def _cost(records: Sequence[JobRecord]) -> str:
    found = [cost for record in records if (cost := estimated_cost(record.job, record.price)) is not None]
    missing = len(records) - len(found)
    if not found:
        return money_text(None)
    return money_text(sum(found, Decimal(0))) + (f" and {counted(missing, 'job')} of unknown cost" if missing else "")


def _team(records: Sequence[JobRecord]) -> str | None:
    teams = Counter(record.team for record in records)
    return teams.most_common(1)[0][0] if teams else None


def _owner(family: Family, records: Sequence[JobRecord]) -> Owner:
    """Whoever all its jobs belong to; what they disagree on is nobody's."""
    named = owner_of(family.end.tags) if family.end else Owner(None, "no owner tag")
    owners = {record.owner for record in records}
    if named.name or not owners:
        return named
    return owners.pop() if len(owners) == 1 else Owner(None, f"its jobs have {len(owners)} owners")


def _links(family: Family, failed: Sequence[JobRecord]) -> Iterator[Link]:
    if family.end and family.kind is FamilyKind.TUNING and (page := tuning_page(family.arn, family.end.name)):
        yield Link("Tuning job", page)
    for record in failed[:1]:
        if page := job_page(record.job.key.arn, record.job.name):
            yield Link("Failed job", page)


def _small_print(family: Family, team: str | None, now: datetime, zone: tzinfo) -> str:
    parts = family.arn.split(":")
    ended = family.end.ended if family.end else (family.last_end or now)
    of = () if team is None or team in NO_TEAM else (f"team {shortened(one_line(team), 64)}",)
    when = f"Ended {time_text(ended, now, zone)}" if family.end else f"Silent since {time_text(ended, now, zone)}"
    return " \N{MIDDLE DOT} ".join((when, *of, f"account {parts[4]}", parts[3]))
