"""Folds the jobs of tuning jobs, AutoML jobs and pipelines into one message about the whole.

Two things lead to that message, each by a look that comes back to the queue after a while: the family's own end, told
once the ends of its last jobs have come in; and the end of a job or step, told only if nothing else happens. What a
message holds is read from the ledger, so that repetitions and any order are harmless.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from trainops.domain.announcements import Announcement, AnnouncementType
from trainops.domain.family_cards import failure_of, family_card, outcome_of
from trainops.domain.family_events import LOOK, STEP, end_of, look_message, look_of, step_of
from trainops.domain.job_families import (
    SETTLE,
    SILENCE,
    Family,
    after_its_end,
    after_silence,
    families_of,
    with_child_end,
    with_end,
)
from trainops.domain.job_records import JobRecord
from trainops.outcomes import Outcome
from trainops.ports import Queue
from trainops.quiet_ports import Families
from trainops.telemetry import Field
from trainops.workflows.failure_storms import FailureStorms, contested
from trainops.workflows.reading import reading


@dataclass(frozen=True, slots=True)
class JobFamilies:
    """`looks` is the notification's own queue; `scope` holds the tags a job must carry to be looked after."""

    families: Families
    looks: Queue
    storms: FailureStorms
    scope: Mapping[str, str]
    time_zone: tzinfo

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Handle the end of a family, news of a step, or a look. Raises PoisonMessage when it is none in form."""
        kind = event.get("detail-type")
        if kind == LOOK:
            return self._look(event)
        return self._step(event) if kind == STEP else self._end(event)

    def fold(self, record: JobRecord, announcement: Announcement) -> Outcome | None:
        """Keep a job's news for its family's message; None for a job of its own."""
        families = families_of(record.job)
        if not families:
            return None
        outermost, about = families[-1], record.job.key.arn
        if announcement.type is AnnouncementType.FINISHED:
            self._ended(outermost, announcement.at)
        return Outcome(f"folded into {outermost}", {Field.FOLDED: 1}, about)

    def _ended(self, arn: str, at: datetime) -> None:
        """One more part has ended: if nothing follows, that is the family's end. A repetition asks again for the look,
        which may not have been sent.
        """
        if self._updated(arn, lambda family: with_child_end(family, at)):
            self.looks.send([look_message(arn, at + SILENCE, since=at)], SILENCE)

    def _end(self, event: Mapping[str, Any]) -> Outcome:
        with reading("not the end of a tuning job or of a pipeline's execution"):
            change = end_of(event)
        self._updated(change.arn, lambda family: with_end(family, change))
        self.looks.send([look_message(change.arn, change.ended + SETTLE)], SETTLE)
        return Outcome(f"{change.status}: told in {SETTLE}, when its jobs' ends have come in", job=change.arn)

    def _step(self, event: Mapping[str, Any]) -> Outcome:
        with reading("not news of a pipeline's step"):
            arn, step = step_of(event)
        self.families.put_step(arn, step)
        if step.over:
            self._ended(arn, step.seen)
        return Outcome(f"step {step.name}: {step.status}", job=arn)

    def _updated(self, arn: str, change: Callable[[Family], Family | None]) -> bool:
        """Whether `change` has an item for it; one that is as it was is not written again."""

        def attempt() -> bool:
            family = self.families.family(arn) or Family(arn=arn)
            changed = change(family)
            if changed and changed != family:
                self.families.put_family(changed)
            return changed is not None

        return contested(attempt)

    def _look(self, event: Mapping[str, Any]) -> Outcome:
        with reading("not a look at a family of jobs"):
            arn, now, since = look_of(event)
        family = self.families.family(arn)
        if family is None:
            return Outcome("the ledger knows no such family", {Field.IGNORED: 1}, arn)
        members = self.families.members(arn)
        telling = after_silence(family, members, since) if since else after_its_end(family, members, self.scope)
        if telling.key is None:
            return Outcome(telling.reason, job=arn)
        card = family_card(family, members, telling, now, self.time_zone)
        word, failure = outcome_of(family, members), failure_of(members)
        if word == "Failed" and failure:
            return self.storms.tell(card, failure.name, word=word, about=arn, at=now)
        return self.storms.desk.tell(lambda: card, word=word, about=arn, at=now)
