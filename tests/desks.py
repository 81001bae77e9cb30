"""The desk that notifications hand their cards in at, with Slack and e-mail as the default channels."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC

from tests.fakes import FakeQueue
from trainops.domain.recipients import RecipientSettings
from trainops.domain.routes import EMAIL, SLACK, Channel, Route, Routing
from trainops.ports import Queue
from trainops.workflows.telling import Desk


def desk(
    told: Collection[str],
    slack: Queue | None = None,
    email: Queue | None = None,
    *routes: Route,
    bot: bool = False,
) -> Desk:
    """A desk with these queues; people of example.com may be written to."""
    queues: dict[Channel, Queue] = {
        Channel.SLACK: slack or FakeQueue(),
        Channel.EMAIL: email or FakeQueue(),
        Channel.TOPIC: FakeQueue(),
    }
    table = Routing(statuses=told, default=(SLACK, EMAIL), time_zone=UTC, routes=routes)
    if bot:
        table = replace(table, slack_bot=True, team_channels={"vision": "#vision"})
    return Desk(queues, table, RecipientSettings(allowed_email_domains=("example.com",)))
