"""Adds to a job's item what earlier runs of its series tell, before its start or end is announced, and notes its end.

Budget: nothing is asked of SageMaker; one query of at most twenty small items, at the end one write, and at the start
of a job that asks for a warm pool a read of that quota's item.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from trainops.domain.announcements import AnnouncementType
from trainops.domain.job_records import Decision, JobRecord
from trainops.domain.past_runs import LOOK_BACK, past_run, same_failure, series_of, usual_runtime
from trainops.ports import WarmPoolQuotas
from trainops.run_ports import PastRuns


@dataclass(frozen=True, slots=True)
class RunHistory:
    """Answers from the ledger; `quotas` may know nothing."""

    runs: PastRuns
    quotas: WarmPoolQuotas

    def __call__(self, decision: Decision, now: datetime) -> Decision:
        """The decision with what its announcement should say of earlier runs."""
        written = decision.record
        told = {item.type for item in written.pending.values()} if written else set()
        if written and AnnouncementType.FINISHED in told:
            return replace(decision, record=self._ended(written, now))
        if written and AnnouncementType.STARTED in told:
            return replace(decision, record=self._started(written))
        return decision

    def _started(self, record: JobRecord) -> JobRecord:
        job = record.job
        earlier = self.runs.before(series_of(record.team, job), job.key.created, LOOK_BACK)
        quota = self.quotas.instances(job.instance_type) if job.keep_alive else None
        return replace(record, usual=usual_runtime(job, earlier), pool_quota=quota)

    def _ended(self, record: JobRecord, now: datetime) -> JobRecord:
        run, series = past_run(record.job, now), series_of(record.team, record.job)
        earlier = self.runs.before(series, run.created, LOOK_BACK) if run.likeness else ()
        self.runs.put_run(series, run)
        return replace(record, same_failure=same_failure(run, earlier))
