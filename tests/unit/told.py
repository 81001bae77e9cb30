"""Cards of jobs as the tests ask for them, and what they say."""

from datetime import UTC, datetime
from typing import Any

from tests.builders import at, job, price, record
from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.cards import Card
from trainops.domain.job_cards import card_for
from trainops.domain.job_records import JobRecord
from trainops.domain.owners import Owner


def card(of: JobRecord, kind: str = "Finished", when: datetime | None = None) -> Card:
    """The card for an announcement of this kind, at the job's end unless said otherwise."""
    key = f"Finished/{of.job.status}" if kind == "Finished" else kind
    moment = when or of.job.ended or at(30)
    told = Announcement(AnnouncementType(kind), AnnouncementState.PUBLISHED, moment, "built")
    return card_for(of, key, told, moment, UTC)


def finished(status: str = "Completed", secondary: str | None = None, **fields: Any) -> Card:
    """The card for the end of a job with these facts, at a price of $1.408."""
    ended = job(status=status, secondary_status=secondary or status, **fields)
    return card(record(ended, price=price(), owner=Owner("vision-oncall", "tag owner")))


def facts(a_card: Card) -> dict[str, str]:
    """The card's facts by label."""
    return dict(a_card.facts)


def everything(a_card: Card) -> str:
    """Every word on the card."""
    return "\n".join(
        (a_card.title, a_card.summary, a_card.cause or "", *a_card.lines, *a_card.context, str(a_card.facts))
    )
