"""What a job's name says of the series it belongs to: `resnet-2026-03-02-09-00-00-123` is a run of `resnet`.

Used to compare a run with earlier ones of the same team. What is taken off at the end is what the SDKs, pipelines and
tuning jobs append (a time, a hash), or else the number people count by; `resnet-50` and `resnet-101` are one series by
that, so whoever compares runs says which ones.
"""

import re

_APPENDED = (
    re.compile(r"-\d{4}-\d{2}-\d{2}([-t]\d{2}([-:]?\d{2}){0,2}([-.]\d{1,6})?z?)?$", re.IGNORECASE),
    re.compile(r"-20\d{6}([-t]?\d{4,6})?(-\d{1,6})?z?$", re.IGNORECASE),
    re.compile(r"-\d{10}(\d{3})?$"),
    re.compile(r"-[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$", re.IGNORECASE),
    re.compile(r"-(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{8,12}$", re.IGNORECASE),
)
_COUNTED = re.compile(r"[-_.](?:run|try|trial|attempt)?\d{1,4}$", re.IGNORECASE)
_PIPELINE = re.compile(r"^pipelines-[0-9a-z]{12}-", re.IGNORECASE)


def base_name(name: str) -> str:
    """The name without what makes this run's unique, in lower case; the whole name when nothing would be left."""
    base = _PIPELINE.sub("", name) or name
    appended = next((ending for ending in _APPENDED if ending.search(base)), _COUNTED)
    return (appended.sub("", base) or base).lower()
