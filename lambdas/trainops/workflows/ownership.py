"""What is known of who stands behind a job, beside its tags: from the trail's records of calls, and from settings.

Budget: nothing is asked of SageMaker. A job with an owner tag costs nothing, another one query of the ledger, and a
step of a pipeline a second one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from trainops.domain.callers import TRAIL_DETAIL_TYPE, witnessed_call
from trainops.domain.owners import PIPELINE_TAG, Evidence, named_by_tag
from trainops.domain.training_jobs import TrainingJob
from trainops.outcomes import Outcome
from trainops.run_ports import Callers
from trainops.telemetry import Field
from trainops.workflows.reading import reading

BEFORE, AFTER = timedelta(minutes=5), timedelta(minutes=1)
"""How far a creation time may lie after and before the time of the call that made the job."""
LONGEST_PIPELINE = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Ownership:
    """`team_owners`: the owner of a team's jobs that name none."""

    callers: Callers
    team_owners: Mapping[str, str]

    def evidence(self, job: TrainingJob, tags: Mapping[str, str]) -> Evidence:
        """What the chain needs about a run, as far as the trail has told by now."""
        team = tags.get("team", "default")
        if named_by_tag(tags):
            return Evidence(team=team)
        created = job.key.created
        execution = tags.get(PIPELINE_TAG)
        return Evidence(
            creator=self.callers.caller(job.key.arn, created - BEFORE, created + AFTER),
            starter=self.callers.caller(execution, created - LONGEST_PIPELINE, created + AFTER) if execution else None,
            team=team,
            team_owner=self.team_owners.get(team),
        )

    def note(self, event: Mapping[str, Any]) -> Outcome:
        """Remember who made a call. Raises PoisonMessage when the event is no record of one."""
        with reading("not a record of a call"):
            call = witnessed_call(event)
        if call is None:
            return Outcome("the call made nothing that owners are asked of", {Field.IGNORED: 1})
        self.callers.put_caller(call)
        return Outcome(f"{call.caller.how}: noted for {call.arn}")


def is_call(event: Mapping[str, Any]) -> bool:
    """Whether a message on the queue is the trail's, and not about a state."""
    return event.get("detail-type") == TRAIL_DETAIL_TYPE
