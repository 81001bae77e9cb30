"""Whether an SDK sends what `defaults` says."""

from collections.abc import Mapping
from typing import Any

from trainops.domain.findings import errors
from trainops.domain.pool_matching import match_fingerprint
from trainops_notebook import JobDefaults, validate


def assert_sent(sent: dict[str, Any], job: JobDefaults) -> None:
    """Every member that was asked for is there, nothing is refused, and either SDK's job can take the other's pool."""
    wanted = job.request()
    assert kept(sent, wanted) == wanted
    assert errors(validate(sent, facts=job.facts)) == []
    assert match_fingerprint(sent) == match_fingerprint(wanted)


def kept(sent: Any, wanted: Any) -> Any:
    """What was sent, without members that the SDK added."""
    if isinstance(wanted, Mapping) and isinstance(sent, Mapping):
        return {name: kept(sent.get(name), value) for name, value in wanted.items()}
    return sent
