"""One sample of every card that the product can send: for a channel to be tried out, and for the pictures in docs/.

Nothing here is a card by hand. Each sample begins where the real one does, with an answer of SageMaker's, a record of
the trail or a quota's value, and goes through the decisions that the deployed functions make.
"""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from trainops.domain.cards import Card
from trainops_cli.cards.sample_crowds import crowd_cards
from trainops_cli.cards.sample_jobs import job_cards
from trainops_cli.cards.sample_pools import pool_cards
from trainops_cli.cards.sample_quotas import quota_cards
from trainops_cli.cards.sample_reports import report_cards, unsaved_cards


def samples(now: datetime, time_zone: tzinfo) -> Iterator[Card]:
    """Every card, each with its `word`: of a job's life in its order, of many jobs at once, of pools, quotas, reports.

    All of them are news at `now`, which has a time zone; times are shown in `time_zone`.
    """
    yield from job_cards(now, time_zone)
    yield from crowd_cards(now, time_zone)
    yield from unsaved_cards(now, time_zone)
    yield from pool_cards(now, time_zone)
    yield from quota_cards(now, time_zone)
    yield from report_cards(now, time_zone)
