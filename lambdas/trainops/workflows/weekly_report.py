"""On a schedule: writes each team's report of the week once its hour has come, and puts the news on the trainops bus.

Everything comes from the ledger; SageMaker is never asked. A tick at which nothing is due reads one item for each team.
What a failed tick did not tell, one of the next does, for a day.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from trainops.counting_ports import JobCounts, Reports, StartLogs, SubscriptionLooks
from trainops.domain.job_records import JobRecord
from trainops.domain.report_cards import report_event
from trainops.domain.report_suggestions import suggestions_for
from trainops.domain.report_weeks import Rhythm, Week, due_week
from trainops.domain.self_checks import still_missing
from trainops.domain.state_changes import needed_time
from trainops.domain.training_jobs import JobKey
from trainops.domain.weekly_reports import TeamWeek, WeeklyReport, report_of
from trainops.domain.wording import counted
from trainops.errors import TryLater
from trainops.outcomes import Outcome
from trainops.ports import Bus, PoolLedger
from trainops.telemetry import OTHER_TEAMS, counted_team

SECOND = timedelta(seconds=1)
LOGS = 20
"""How many jobs of each team have their log read: those whose instances cost most."""


@dataclass(frozen=True, slots=True)
class WeeklyReports:
    """Handles one tick. `teams` are the configured ones; jobs of all others have one report. Without `logs` none is
    read.
    """

    reports: Reports
    counts: JobCounts
    pools: PoolLedger
    bus: Bus
    logs: StartLogs | None
    looks: SubscriptionLooks
    teams: Collection[str]
    rhythm: Rhythm
    waiting: Mapping[str, Decimal]

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Report what is due. Raises ValueError when the event has no time."""
        now = needed_time(event, "time")
        week = due_week(now, self.rhythm)
        if week is None:
            return Outcome("no report is due")
        known = {team: self.reports.report(team, week.until) for team in (*self.teams, OTHER_TEAMS)}
        if all(report and report.told for report in known.values()):
            return Outcome(f"the reports until {week.until} were told")
        made = self._made(week, now, [team for team, report in known.items() if report is None], has_time)
        open_ones = [*(report for report in known.values() if report and not report.told), *made]
        return self._tell(open_ones, now)

    def _tell(self, reports: Sequence[WeeklyReport], now: datetime) -> Outcome:
        told = [report for report in reports if not report.empty]
        self.bus.publish([report_event(report, now) for report in told])
        for report in reports:
            self.reports.put_told(replace(report, told=True))
        each = ", ".join(f"{report.team} ({counted(report.jobs, 'job')})" for report in told)
        return Outcome(f"{counted(len(told), 'report')}: {each or 'nothing happened'}")

    def _made(
        self, week: Week, now: datetime, teams: Sequence[str], has_time: Callable[[], bool]
    ) -> list[WeeklyReport]:
        if not teams:
            return []
        missing = still_missing(self.looks.last_look(), now)
        keys = self.counts.finished(week.since, week.until - SECOND)  # both ends are included
        starts = self.counts.counted(keys)
        jobs: dict[str, list[JobRecord]] = defaultdict(list)
        for record in self.counts.records(keys):
            jobs[counted_team(record.team, self.teams)].append(record)
        pools = defaultdict(list)
        for pool in self.pools.pools(self.pools.pools_over(week.since, week.until)).values():
            pools[counted_team(pool.team, self.teams)].append(pool)
        given = [
            TeamWeek(
                team=team,
                week=week,
                records=jobs[team],
                pools=pools[team],
                starts={record.job.key: starts.get(record.job.key) for record in jobs[team]},
                waiting_usd_per_hour=self.waiting[team],
                installs=self._installs(jobs[team], has_time),
                subscriptions_missing=missing,
            )
            for team in teams
        ]
        return [self.reports.begin(report_of(item, suggestions_for(item))) for item in given]

    def _installs(
        self, records: Sequence[JobRecord], has_time: Callable[[], bool]
    ) -> Mapping[JobKey, timedelta] | None:
        return None if self.logs is None else dict(_read(self.logs, records, has_time))


def _read(
    logs: StartLogs, records: Sequence[JobRecord], has_time: Callable[[], bool]
) -> Iterator[tuple[JobKey, timedelta]]:
    """Jobs whose log could be read. One that is throttled is one that was not looked at."""
    dearest = sorted(records, key=_usd_per_hour, reverse=True)
    for record in [item for item in dearest if item.job.started][:LOGS]:
        if not has_time():
            return
        try:
            time = logs.installing(record.job)
        except TryLater:
            continue
        if time is not None:
            yield record.job.key, time


def _usd_per_hour(record: JobRecord) -> Decimal:
    return record.price.usd_per_hour * (record.job.instances or 1) if record.price else Decimal(0)
