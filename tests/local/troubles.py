"""What the functions and the local AWS complained of: for a test whose message never came."""

import re
from collections.abc import Iterable

from local.functions import log_events
from local.laptop import Laptop

COMPLAINT = re.compile(r'"(WARNING|ERROR|CRITICAL)"|Status: (timeout|error)|Traceback')
NEWEST = 20


def troubles(laptop: Laptop, groups: Iterable[str]) -> str:
    """The newest warnings and errors in the log groups, and the end of the server's own log."""
    logs = laptop.client("logs")
    events = [
        (event["timestamp"], f"{group}: {event['message']}")
        for group in groups
        for event in log_events(logs, group)
        if COMPLAINT.search(event["message"])
    ]
    server = (laptop.state / "server.log").read_text().splitlines()
    return "\n".join([*(line for _, line in sorted(events)[-NEWEST:]), *server[-NEWEST:]])
