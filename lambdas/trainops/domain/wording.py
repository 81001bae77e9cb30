"""How amounts, durations and times are written for people: short, in English, with unknown said as unknown.

Used by every text a person reads. Pure: the time "now" and the time zone are arguments.
"""

from datetime import datetime, timedelta, tzinfo
from decimal import Decimal

UNKNOWN = "unknown"
TIMES = "\N{MULTIPLICATION SIGN}"
CUT = "\N{HORIZONTAL ELLIPSIS}"
UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
CENT = Decimal("0.01")


def duration_text(value: timedelta | None) -> str:
    """The two largest units, "1 h 12 min" or "2 d 3 h"; whole seconds are rounded. None, or a negative duration (two
    clocks that disagree), is "unknown".
    """
    if value is None or value < timedelta(0):
        return UNKNOWN
    rest = round(value.total_seconds())
    for place, (unit, size) in enumerate(UNITS):
        if rest >= size:
            count, rest = divmod(rest, size)
            smaller, smaller_size = UNITS[min(place + 1, len(UNITS) - 1)]
            more = rest // smaller_size if smaller != unit else 0
            return f"{count} {unit} {more} {smaller}" if more else f"{count} {unit}"
    return "0 s"


def money_text(usd: Decimal | None) -> str:
    """US dollars to the cent. What is above zero but below a cent is never shown as zero; None is "unknown"."""
    if usd is None:
        return UNKNOWN
    if 0 < usd < CENT:
        return "less than $0.01"
    return f"${usd.quantize(CENT):,}"


def percent_text(value: Decimal | None) -> str:
    """Percent with at most one decimal: "71.4 %", "80 %"; None is "unknown"."""
    if value is None:
        return UNKNOWN
    return f"{value:.1f}".removesuffix(".0") + " %"


def time_text(when: datetime, now: datetime, zone: tzinfo) -> str:
    """A time in the reader's zone: "today 10:42 UTC", "tomorrow 00:10 CET", else "Tue 9 Sep 10:42 UTC", with the year
    when it is another one.
    """
    local, today = when.astimezone(zone), now.astimezone(zone).date()
    clock = f"{local:%H:%M} {zone_text(local)}"
    days = (local.date() - today).days
    if near := {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days):
        return f"{near} {clock}"
    year = f" {local.year}" if local.year != today.year else ""
    return f"{local:%a} {local.day} {local:%b}{year} {clock}"


def until_text(when: datetime, now: datetime, zone: tzinfo) -> str:
    """A time that lies close ahead: as `time_text`, and today needs no saying: "10:42 UTC"."""
    return time_text(when, now, zone).removeprefix("today ")


def zone_text(local: datetime) -> str:
    """The zone's short name; zones that have none are written by their distance, "UTC+03"."""
    name = local.tzname() or ""
    return f"UTC{name}" if name[:1] in {"+", "-"} else name


def instances_text(count: int | None, instance_type: str | None) -> str:
    """Count and type, 2 times ml.g5.xlarge. Serverless jobs and clusters of several kinds name no type."""
    if instance_type is None:
        return UNKNOWN if count is None else counted(count, "instance")
    return instance_type if count is None else f"{count} {TIMES} {instance_type}"


def counted(count: int, noun: str) -> str:
    """A count with its noun, in the plural unless it is 1."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def plain(text: str) -> str:
    """Text without what no channel carries: control characters but line breaks and tabs, and lone surrogates."""
    return "".join(
        char if char in "\n\t" or (ord(char) >= 32 and ord(char) != 127 and not 0xD800 <= ord(char) <= 0xDFFF) else " "
        for char in text.replace("\r\n", "\n").replace("\r", "\n")
    )


def one_line(text: str) -> str:
    """Text with every run of white space as one space, for headlines and subjects."""
    return " ".join(plain(text).split())


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters; what is cut at the end is marked by an ellipsis."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + CUT[:limit]


def excerpt(text: str, limit: int) -> str:
    """At most `limit` characters (not bytes) with head and tail kept and the cut said. The tail gets two thirds: a
    traceback's last lines say most.
    """
    if len(text) <= limit:
        return text
    room = limit - len(_cut_note(len(text)))
    if room < 30:
        return shortened(text, limit)
    head, tail = _whole_words(text[: room // 3]), _whole_words(text[room // 3 - room :][::-1])[::-1]
    return head + _cut_note(len(text) - len(head) - len(tail)) + tail


def _whole_words(text: str) -> str:
    """Without a last word that was cut in two, unless that would take much of the text away."""
    end = max(text.rfind(" "), text.rfind("\n"))
    return text[:end] if end > len(text) * 0.7 else text


def _cut_note(characters: int) -> str:
    return f"\n{CUT} {characters:,} characters cut {CUT}\n"


def label_and_rest(line: str) -> tuple[str, str]:
    """A sentence such as "Next: lower the batch size." in two, so that its first words can stand out; without a short
    beginning before a colon the label is empty.
    """
    label, colon, rest = line.partition(": ")
    return (label, rest) if colon and len(label) <= 20 and label.replace(" ", "").isalpha() else ("", line)
