"""What intake and control, against the simulator, come to say of pools that were not reused or not kept."""

from datetime import UTC
from typing import Any

from tests.desks import desk
from tests.fakes import FakeQueue
from tests.handlers.pool_world import PoolWorld, world
from tests.quiet_fakes import failure_storms
from trainops.domain.job_records import JobRecord
from trainops.domain.warm_pool_settings import Mode
from trainops.workflows.job_notification import JobNotification

RESOURCES: dict[str, Any] = {
    "InstanceType": "ml.g5.xlarge",
    "InstanceCount": 2,
    "VolumeSizeInGB": 250,
    "KeepAlivePeriodInSeconds": 1800,
}


def kept(**chosen: Any) -> PoolWorld:
    """A world in which job-1 has ended some minutes ago and left a pool."""
    w = world(**{"mode": Mode.OBSERVE, **chosen})
    w.run(ResourceConfig=RESOURCES)
    w.pass_time(minutes=17)
    assert w.status() == "Available"
    return w


def item(w: PoolWorld, name: str) -> JobRecord:
    return w.ledger.items[w.key(name)]


def said(w: PoolWorld, name: str, announcement: str) -> list[dict[str, Any]]:
    """What one event on the bus says of pools."""
    [event] = [e for e in w.bus.published if e.resource == w.key(name).arn and e.detail["announcement"] == announcement]
    return list(event.detail["warm_pool_misses"])


def card(w: PoolWorld, name: str, announcement: str) -> str:
    """The lines of the message that follows from it."""
    channel = FakeQueue()
    handed = desk(("Started", "Completed"), channel)
    notify = JobNotification(w.ledger, handed, UTC, failure_storms(handed), None)
    [event] = [e for e in w.bus.published if e.resource == w.key(name).arn and e.detail["announcement"] == announcement]
    notify({"detail-type": event.detail_type, "detail": dict(event.detail), "time": event.time.isoformat()})
    return "\n".join(channel.sent[0]["lines"])
