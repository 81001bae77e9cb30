"""Which transitions become events, and what the event holds where the published sample leaves it open.

The developer guide's EventBridge page promises an event when "the status" changes and shows one sample, in which
tags and transitions are empty.
"""

from typing import Any

from local.sagemaker.events import state_change
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.switches import Switches
from local.sagemaker.timeline import primary_status


def emits(job: TrainingJob, switches: Switches) -> bool:
    """Whether the job's latest transition is published."""
    if switches.transitions_emit == "primary":
        before = job.transitions[-2].status if len(job.transitions) > 1 else None
        return before is None or primary_status(before) != job.status
    return switches.interrupted_emits or job.secondary != "Interrupted"


def entry_of(job: TrainingJob, switches: Switches) -> dict[str, Any]:
    """The PutEvents entry of the latest transition."""
    entry = state_change(job)
    detail = entry["Detail"]
    if not switches.events_fill_tags:
        detail["Tags"] = {}
    if switches.event_tags == "list":
        detail["Tags"] = [{"Key": key, "Value": value} for key, value in detail["Tags"].items()]
    if not switches.events_fill_transitions:
        detail["SecondaryStatusTransitions"] = []
    return entry
