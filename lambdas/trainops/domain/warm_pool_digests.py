"""The one message about many warm pools: what a sweep found idle past its limit, and what became of earlier ones."""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from trainops.domain.cards import Card, Link, Tone
from trainops.domain.job_facts import Fact
from trainops.domain.links import log_group_page
from trainops.domain.warm_pool_sweeps import Digest
from trainops.domain.wording import UNKNOWN, counted, money_text, time_text

WHAT = "Warm pools"


def digest_card(digest: Digest, now: datetime, zone: tzinfo) -> Card:
    """Totals first, then the most expensive, with a link to the log that lists all of them."""
    page = log_group_page(digest.arn, digest.log_group) if digest.log_group else None
    parts = digest.arn.split(":")
    return Card(
        key=f"WarmPoolSweep/{digest.at:%Y-%m-%dT%H:%M:%SZ}",
        job_name=WHAT,
        tone=Tone.BAD if digest.refused else Tone.WARNING if digest.count else Tone.GOOD,
        title=f"{WHAT}: {counted(digest.count, 'pool')} idle past the limit" if digest.count else _done(digest),
        summary=_summary(digest),
        facts=tuple(_facts(digest)),
        lines=tuple(f"{place}. {text}" for place, text in enumerate(digest.top, start=1)),
        links=(Link("Full list", page),) if page else (),
        context=(
            f"Sweep of {time_text(digest.at, now, zone)} \N{MIDDLE DOT} account {parts[4]} \N{MIDDLE DOT} {parts[3]}",
        ),
    )


def _done(digest: Digest) -> str:
    return f"{WHAT}: {counted(digest.ended, 'pool')} ended"


def _summary(digest: Digest) -> str:
    if not digest.count:
        return f"Ending them avoids {money_text(digest.avoided_usd)}."
    hours = UNKNOWN if digest.idle_hours is None else f"{digest.idle_hours:.1f}"
    missing = f" ({digest.without_price} without a known price)" if digest.without_price else ""
    return (
        f"They have been idle for {hours} instance-hours, which cost {money_text(digest.idle_usd)}{missing}. "
        "Each is looked at again and ended, unless a job has taken it or a tag holds it."
    )


def _facts(digest: Digest) -> Iterator[Fact]:
    if digest.ended:
        yield "Ended since the last sweep", str(digest.ended)
        yield "Avoided", money_text(digest.avoided_usd)
    if digest.refused:
        yield "Refused by SageMaker", str(digest.refused)
