"""The weekly report as a card, and as the event `Weekly Report` on the trainops bus, version 1.

`weekly_report` publishes the event, `job_notification` makes the card from the ledger's item. The event is documented
in docs/events/; it is a trigger like all others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any

from trainops.domain.cards import Bar, Card, Table, Tone
from trainops.domain.fleet_savings import FleetSavings
from trainops.domain.job_events import VERSION, BusEvent, utc_text
from trainops.domain.job_facts import Fact
from trainops.domain.report_suggestions import worth_text
from trainops.domain.state_changes import needed_time
from trainops.domain.weekly_reports import Suggestion, WeeklyReport
from trainops.domain.wording import UNKNOWN, counted, duration_text, money_text, percent_text

REPORT = "Weekly Report"
OTHER_TEAMS = "default"
ROWS = 5
"""Of each table: the largest."""


@dataclass(frozen=True, slots=True)
class ReportTrigger:
    """What a consumer takes from an event: whose report, and of which week."""

    team: str
    until: datetime


def report_event(report: WeeklyReport, now: datetime) -> BusEvent:
    """The event that a report is there."""
    spot = report.spot
    detail = {
        "version": VERSION,
        "announcement": report_key(report),
        "team": report.team,
        "week": {"since": utc_text(report.since), "until": utc_text(report.until)},
        "jobs": dict(report.outcomes),
        "money": {
            "currency": "USD",
            "cost": str(report.cost_usd),
            "spot_saved": str(_saved(spot)),
            "pools_idle": str(report.pools.idle_usd),
            "pools_avoided": str(report.pools.avoided_usd),
        },
        "suggestions": [
            {"reason": item.reason, "worth_usd": None if item.worth_usd is None else str(item.worth_usd)}
            for item in report.suggestions
        ],
    }
    return BusEvent(REPORT, detail, report.arn, now)


def report_trigger(event: Mapping[str, Any]) -> ReportTrigger:
    """Where an event points. Raises KeyError, TypeError or ValueError when it is not one of ours."""
    return ReportTrigger(str(event["detail"]["team"]), needed_time(event["detail"]["week"], "until"))


def report_key(report: WeeklyReport) -> str:
    """One report for each team and week."""
    return f"WeeklyReport/{report.team}/{utc_text(report.until)}"


def report_card(report: WeeklyReport, zone: tzinfo) -> Card:
    """What a team reads on the morning of the day of its report."""
    whose = "all other jobs" if report.team == OTHER_TEAMS else f"team {report.team}"
    saved = f", spot saved {money_text(_saved(report.spot))}" if report.spot.jobs else ""
    parts = report.arn.split(":")
    return Card(
        key=report_key(report),
        job_name=whose,
        tone=Tone.NEUTRAL,
        title=f"Week of {whose}: {counted(report.jobs, 'job')}{saved}",
        summary=f"{_days(report, zone)}: {_outcomes(report)}. {_cost(report)}",
        facts=tuple(_facts(report)),
        lines=(*(_line(item) for item in report.suggestions), *_unheard(report)),
        tables=tuple(table for table in _tables(report) if table.rows),
        context=(
            f"Estimates at on-demand list prices, no bill \N{MIDDLE DOT} account {parts[4]} \N{MIDDLE DOT} {parts[3]}",
            *(f"Unknown: {what}" for what in report.unknown),
        ),
        team=report.team,
        thread=f"report/{report.team}",
    )


def _line(item: Suggestion) -> str:
    return f"Suggestion: {item.reason}. {_sentence(item.step)} {_sentence(worth_text(item))}"


def _unheard(report: WeeklyReport) -> Iterator[str]:
    """That somebody the settings name gets no mail, which nobody notices who does not get it."""
    for topic, count in sorted(report.subscriptions_missing.items()):
        yield (
            f"Subscriptions missing: {count} of topic {topic}. Somebody did not click the link in the mail, or "
            "unsubscribed for all; subscribe the address again."
        )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _facts(report: WeeklyReport) -> Iterator[Fact]:
    spot, pools = report.spot, report.pools
    if spot.jobs or spot.incomplete:
        left_out = spot.incomplete + spot.unpriced
        yield "Managed spot", f"{_spot(spot)}{f' ({left_out} with unknown figures)' if left_out else ''}"
    if spot.wasted:
        yield "Work lost on spot", f"{duration_text(spot.wasted)} of instance time, in the figures of managed spot too"
    if worse := [item.kind for item in report.types if item.sums.worse_than_on_demand]:
        yield "Worse than on-demand", f"spot on {', '.join(sorted(worse))}"
    if pools.over:
        unpriced = f" ({pools.unpriced} without a known price)" if pools.unpriced else ""
        yield "Warm pools", f"{pools.over} ended, {pools.reused} of them by reuse{unpriced}"


def _tables(report: WeeklyReport) -> Iterator[Table]:
    pools = report.pools
    spot = [Bar(item.kind, _spot(item.sums), _percent(item.sums)) for item in report.types[:ROWS]]
    yield Table("Managed spot saved, by instance type", tuple(spot))
    money = (("Idle", pools.idle_usd), ("Avoided", pools.avoided_usd), ("Would avoid", pools.would_avoid_usd))
    shown = [(label, usd) for label, usd in money if usd] if pools.over else []
    yield Table("Warm pools", _bars([(label, money_text(usd), usd) for label, usd in shown]))
    failed = report.failures[:ROWS]
    yield Table(
        "Failures",
        _bars(
            [
                (i.name.replace("_", " "), f"{counted(i.jobs, 'job')}, {_known(i.cost_usd)}", Decimal(i.jobs))
                for i in failed
            ]
        ),
    )


def _known(usd: Decimal | None) -> str:
    return f"cost {UNKNOWN}" if usd is None else money_text(usd)


def _bars(rows: Sequence[tuple[str, str, Decimal]]) -> tuple[Bar, ...]:
    longest = max((size for *_, size in rows), default=Decimal(0))
    return tuple(Bar(label, value, round(100 * size / longest) if longest else 0) for label, value, size in rows)


def _spot(sums: FleetSavings) -> str:
    percent = percent_text(sums.percent_by_time) if sums.percent_by_time is not None else UNKNOWN
    money = money_text(_saved(sums)) if sums.unpriced < sums.jobs else f"money {UNKNOWN}"
    return f"{percent}, {money}, {counted(sums.jobs, 'job')}"


def _percent(sums: FleetSavings) -> int:
    return round(sums.percent_by_time or 0)


def _saved(sums: FleetSavings) -> Decimal:
    return max(sums.on_demand_usd - sums.billed_usd, Decimal(0))


def _outcomes(report: WeeklyReport) -> str:
    return ", ".join(f"{count} {status.lower()}" for status, count in sorted(report.outcomes.items())) or "no job ended"


def _cost(report: WeeklyReport) -> str:
    if not report.jobs:
        return ""
    missing = f" ({counted(report.unpriced, 'job')} of unknown cost)" if report.unpriced else ""
    return f"Jobs cost {money_text(report.cost_usd)}{missing}."


def _days(report: WeeklyReport, zone: tzinfo) -> str:
    first, last = (when.astimezone(zone) for when in (report.since, report.until - timedelta(minutes=1)))
    return f"{first.day} {first:%b} to {last.day} {last:%b %Y}"
