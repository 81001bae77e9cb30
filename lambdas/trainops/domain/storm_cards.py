"""The messages about a storm of failures: the summary of what was absorbed, and that it is over."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from trainops.domain.cards import Card, Link, Tone
from trainops.domain.job_facts import NO_TEAM, Fact
from trainops.domain.links import log_query_page
from trainops.domain.state_changes import needed_time
from trainops.domain.storms import WINDOW, Seen, Storm, thread_of
from trainops.domain.wording import UNKNOWN, counted, one_line, shortened, time_text

LOOK = "Failure Storm Look"
"""Our own message, which comes back at the end of a window."""
SHOWN = 5
"""So many owners and so many jobs are named; the counts and the query cover the rest."""
NAME, TITLE = 64, 150


def look_message(storm: Storm, window: int) -> dict[str, Any]:
    """The look at the end of a storm's present window."""
    opened, due = (when.astimezone(UTC).isoformat() for when in (storm.opened, storm.due) if when)
    detail = {"storm": storm.key, "opened": opened, "window": window}
    return {"detail-type": LOOK, "source": "trainops", "time": due, "detail": detail}


def look_of(event: Mapping[str, Any]) -> tuple[str, datetime, int]:
    """Which storm, since when, and which of its windows. Raises KeyError, TypeError or ValueError for another form."""
    detail = event["detail"]
    return str(detail["storm"]), needed_time(detail, "opened"), int(detail["window"])


def summary_card(storm: Storm, absorbed: Sequence[Seen], log_group: str | None, zone: tzinfo) -> Card:
    """How many failed alike so far, whose jobs they are, a sample, and where all of them are listed."""
    total, singles = len(absorbed) + len(storm.singles), len(storm.singles)
    opened = storm.opened or storm.clock
    return _card(
        storm,
        absorbed,
        log_group,
        zone,
        key=f"window {storm.windows}",
        tone=Tone.BAD,
        title=f"{total} failures alike of {_of(absorbed)}: {_class(storm)}",
        summary=f"Since {time_text(opened, storm.clock, zone)} {total} jobs failed alike. {singles} were told singly; "
        f"the other {len(absorbed)} are told here.",
        lines=tuple(f"{shortened(one_line(seen.title), TITLE)}" for seen in absorbed[-SHOWN:]),
    )


def ended_card(storm: Storm, absorbed: Sequence[Seen], log_group: str | None, zone: tzinfo) -> Card:
    """That no more came; the next failures of this kind are told singly again."""
    total = len(absorbed) + len(storm.singles)
    minutes = int(WINDOW.total_seconds() // 60)
    return _card(
        storm,
        absorbed,
        log_group,
        zone,
        key="ended",
        tone=Tone.NEUTRAL,
        title=f"Failures of {_of(absorbed)} have ended: {_class(storm)}",
        summary=f"No more for {minutes} min; {total} in all. The next one is told singly again.",
        lines=(),
    )


def _card(
    storm: Storm, absorbed: Sequence[Seen], log_group: str | None, zone: tzinfo, *, key: str, **texts: Any
) -> Card:
    opened = storm.opened or storm.clock
    thread, some = thread_of(storm.key, opened), absorbed[-1]
    parts = some.job.split(":")
    page = None
    if log_group:
        query = f'fields @timestamp, job, title | filter storm = "{thread}" | sort @timestamp | limit 10000'
        page = log_query_page(some.job, log_group, query, opened - WINDOW, storm.clock + WINDOW)
    return Card(
        key=f"{thread}|{key}",
        job_name=f"Failures of {_of(absorbed)}",
        facts=tuple(_facts(storm, absorbed, zone)),
        links=(Link("All of them", page),) if page else (),
        context=(
            " \N{MIDDLE DOT} ".join((time_text(storm.clock, storm.clock, zone), f"account {parts[4]}", parts[3])),
            f"Of failures alike {len(storm.singles)} are told singly within 10 min, the rest together.",
        ),
        team=some.team,
        thread=thread,
        **texts,
    )


def _facts(storm: Storm, absorbed: Sequence[Seen], zone: tzinfo) -> Iterator[Fact]:
    owners = Counter(shortened(one_line(seen.owner), NAME) if seen.owner else UNKNOWN for seen in absorbed)
    named = ", ".join(f"{name} {count}" for name, count in owners.most_common(SHOWN))
    more = f" and {counted(len(owners) - SHOWN, 'other')}" if len(owners) > SHOWN else ""
    yield "Owners", named + more
    yield "First", time_text(storm.opened or storm.clock, storm.clock, zone)
    yield "Latest", time_text(max(seen.at for seen in absorbed), storm.clock, zone)


def _of(absorbed: Sequence[Seen]) -> str:
    team = absorbed[-1].team
    return "training jobs" if team is None or team in NO_TEAM else f"team {shortened(one_line(team), NAME)}"


def _class(storm: Storm) -> str:
    return storm.key.rpartition("/")[2].replace("_", " ")
