"""The one message about many quotas: what one deployment, or one tick of the tracker, changed.

What was changed together has the same time; how many there are decides between a message of its own and a digest, so
that a repetition after a crash makes the same message again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from trainops.domain.cards import Card, Link, Tone
from trainops.domain.links import quotas_page
from trainops.domain.quota_cards import WORDS, change_card, small_print
from trainops.domain.quota_records import FAILED, QuotaNews, QuotaRecord, QuotaState
from trainops.domain.wording import counted

WHAT = "Quotas"
NAMED, EXPLAINED = 12, 5
"""Quotas in a line, and failures with their reason; what is more is counted."""


class QuotaChange(NamedTuple):
    """One piece of news, by its key in the record."""

    record: QuotaRecord
    key: str

    @property
    def news(self) -> QuotaNews:
        """What there is to tell."""
        return self.record.news[self.key]


def untold(records: Sequence[QuotaRecord]) -> list[list[QuotaChange]]:
    """What still has to be published, by the turn that found it, oldest first. What of the same turn was published
    before a crash is among it.
    """
    turns: dict[datetime, list[QuotaChange]] = {}
    for record in records:
        for key, item in record.news.items():
            turns.setdefault(item.at, []).append(QuotaChange(record, key))
    return [turns[at] for at in sorted(turns) if any(not change.news.published for change in turns[at])]


def changes_card(changes: Sequence[QuotaChange], zone: tzinfo) -> Card:
    """The card of one turn: a single change has its own, many have one digest, what needs a person first."""
    if len(changes) == 1:
        (record, key), at = changes[0], changes[0].news.at
        return change_card(record, key, record.news[key], at, zone)
    at = max(change.news.at for change in changes)
    arn = next((change.record.seen.arn for change in changes if change.record.seen), "")
    failed = [change for change in changes if change.news.state in FAILED]
    page = quotas_page(arn)
    requesters = {change.record.requester for change in changes}
    return Card(
        key=f"QuotaDigest/{at.isoformat()}/{len(changes)}",
        job_name=WHAT,
        tone=_tone(changes),
        title=f"{WHAT}: {counted(len(changes), 'change')}",
        summary=_summary(len(failed)),
        facts=tuple((_words(state), str(count)) for state, count in _counts(changes)),
        lines=(*_explained(failed), *_named(changes)),
        links=(Link("Quotas", page),) if page else (),
        context=(small_print(at, arn, at, zone),),
        owner=requesters.pop() if len(requesters) == 1 else None,
    )


def _tone(changes: Sequence[QuotaChange]) -> Tone:
    states = {change.news.state for change in changes}
    if states & FAILED:
        return Tone.BAD
    return Tone.GOOD if states == {QuotaState.ENOUGH} else Tone.NEUTRAL


def _summary(failed: int) -> str:
    if not failed:
        return "None of them needs a person."
    return f"{failed} of them {'needs' if failed == 1 else 'need'} a person."


def _counts(changes: Sequence[QuotaChange]) -> list[tuple[QuotaState, int]]:
    return sorted(Counter(change.news.state for change in changes).items(), key=lambda pair: (-pair[1], pair[0]))


def _words(state: QuotaState) -> str:
    return f"{WORDS[state][:1].upper()}{WORDS[state][1:]}"


def _explained(failed: Sequence[QuotaChange]) -> Iterator[str]:
    for change in failed[:EXPLAINED]:
        yield f"{change.record.name}, {change.news.wanted} wanted: {change.news.reason}."
    if len(failed) > EXPLAINED:
        more = len(failed) - EXPLAINED
        yield f"And {more} more that need a person: the log of quota_tracker has each with its reason."


def _named(changes: Sequence[QuotaChange]) -> Iterator[str]:
    """The others by state, each quota with the number that is wanted of it."""
    for state, count in _counts(changes):
        if state not in FAILED:
            names = [f"{item.record.name} {item.news.wanted}" for item in changes if item.news.state is state]
            more = f" and {count - NAMED} more" if count > NAMED else ""
            yield f"{_words(state)}: {', '.join(names[:NAMED])}{more}."
