"""The cards about many jobs at once: a storm of failures that are alike, and a tuning job or pipeline and its parts."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.failure_classes import FailureClass
from trainops.domain.family_cards import family_card, outcome_of
from trainops.domain.family_events import PIPELINE, STEP, TUNING, end_of, step_of
from trainops.domain.job_families import Family, Members, after_its_end, with_end
from trainops.domain.job_records import JobRecord
from trainops.domain.storm_cards import ended_card, summary_card
from trainops.domain.storms import Seen, Storm, Verdict, close, decide, storm_key
from trainops_cli.cards.sample_failures import REASONS
from trainops_cli.cards.sample_runs import ACCOUNT, REGION, ended, record_of, told

MINUTE = timedelta(minutes=1)
LOG_GROUP = "/aws/lambda/trainops-job-notification"


def crowd_cards(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """All of them."""
    yield from _storm(now, zone)
    yield _tuning(now, zone)
    yield _pipeline(now, zone)


def _failed(name: str, kind: FailureClass, at: datetime) -> JobRecord:
    return record_of(ended(name, at, took=9 * MINUTE, status="Failed", FailureReason=REASONS[kind]), at)


def _storm(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """Forty jobs whose data is missing, four a minute; then nothing more."""
    storm: Storm | None = None
    absorbed: list[Seen] = []
    for number in range(40):
        at = now - (10 * MINUTE) + number * MINUTE / 4
        record = _failed(f"augment-{number:02}", FailureClass.DATA_NOT_FOUND, at)
        card = told(record, at, zone)
        decision = decide(storm, card.key, storm_key(card, FailureClass.DATA_NOT_FOUND), at)
        storm = decision.storm or storm
        if decision.verdict is Verdict.ABSORBED and storm:
            absorbed.append(
                Seen(key=card.key, at=at, opened=storm.opened, team=card.team, job=record.job.key.arn,
                     owner=card.owner, title=card.title)
            )  # fmt: skip
    for window, card_of in ((1, summary_card), (2, ended_card)):
        if storm and storm.opened:
            storm = close(storm, storm.opened, window, len(absorbed)).storm or storm
            yield replace(card_of(storm, absorbed, LOG_GROUP, zone), word="Failed")


def _tuning(now: datetime, zone: tzinfo) -> Card:
    """Twelve trials, two of which ran out of memory."""
    lower = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:hyper-parameter-tuning-job/detector-tune"
    detail = {
        "HyperParameterTuningJobArn": lower,
        "HyperParameterTuningJobName": "detector-tune",
        "HyperParameterTuningJobStatus": "Completed",
        "HyperParameterTuningEndTime": now.isoformat(),
        "CreationTime": (now - 150 * MINUTE).isoformat(),
        "TrainingJobStatusCounters": {"Completed": 10, "NonRetryableError": 2},
    }
    trials = [record_of(ended(f"detector-tune-{n:03}", now, took=40 * MINUTE), now) for n in range(1, 11)]
    trials += [_failed(f"detector-tune-{n:03}", FailureClass.GPU_OUT_OF_MEMORY, now) for n in (11, 12)]
    return _told({"detail-type": TUNING, "detail": detail}, Members(trials), now, zone)


def _pipeline(now: datetime, zone: tzinfo) -> Card:
    """An execution that failed at its second step."""
    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:pipeline/detector-weekly/execution/k3x9"
    reason = REASONS[FailureClass.DATA_NOT_FOUND]
    steps = [
        {"stepName": name, "stepType": kind, "currentStepStatus": status, "failureReason": why}
        for name, kind, status, why in (
            ("Prepare", "Processing", "Succeeded", None),
            ("Train", "Training", "Failed", reason),
        )
    ]
    events = [{"time": now.isoformat(), "detail": {"pipelineExecutionArn": arn, **step}} for step in steps]
    detail = {
        "pipelineExecutionArn": arn,
        "currentPipelineExecutionStatus": "Failed",
        "executionStartTime": (now - 50 * MINUTE).isoformat(),
        "executionEndTime": now.isoformat(),
    }
    members = Members(
        [_failed("pipelines-k3x9-train", FailureClass.DATA_NOT_FOUND, now)],
        [step_of({"detail-type": STEP, **event})[1] for event in events],
    )
    return _told({"detail-type": PIPELINE, "detail": detail}, members, now, zone)


def _told(event: dict[str, Any], members: Members, now: datetime, zone: tzinfo) -> Card:
    """The card after the family's own end."""
    change = end_of(event)
    family = with_end(Family(arn=change.arn), change) or Family(arn=change.arn)
    card = family_card(family, members, after_its_end(family, members, {}), now, zone)
    return replace(card, word=outcome_of(family, members))
