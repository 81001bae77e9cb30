"""`trainops cards CHANNEL`: a sample of every card, put on the queue of a deployment's channel."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer
from rich.console import Console

from trainops.adapters.messaging import SqsQueue
from trainops.domain.cards import Card
from trainops.domain.routes import Channel, Place
from trainops.domain.wording import counted
from trainops_cli.cards.samples import samples
from trainops_cli.deployed import Foundation, Mistake, said_plainly
from trainops_cli.pause_command import paused

QUEUES = {"slack": "JobNotificationsSlackCardsQueue", "email": "JobNotificationsEmailCardsQueue"}
HELP = """Send a sample of every card to a channel of a deployment, as its own delivery sends messages: at its pace,
under its permissions, with its secret. [bold]CHANNEL[/bold] is slack, email, a Slack channel such as '#trainops-check',
or an address. The jobs in them never were; no figure counts them.

Needs cloudformation:DescribeStacks and ListStackResources, ssm:GetParameter on the kill switch, sqs:SendMessage on the
channel's queue; with --dry-run nothing."""


def cards(
    channel: Annotated[str, typer.Argument(metavar="CHANNEL")],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would be sent, and send nothing.")] = False,
    only: Annotated[str | None, typer.Option(help="Only cards of this word, such as Failed.")] = None,
    time_zone: Annotated[str, typer.Option(help="The clock of the times in them.")] = "UTC",
    region: Annotated[str | None, typer.Option(show_default="the configured one")] = None,
    deployment: Annotated[str, typer.Option(help="The name in the deployment's settings.")] = "trainops",
) -> None:
    """Makes, and sends or shows; what a person sees as help is `HELP`."""
    with said_plainly():
        now = datetime.now(UTC)
        chosen = _chosen(now, time_zone, only)
        if dry_run:
            for card in chosen:
                Console().print(f"{card.word}: {card.title}", markup=False, highlight=False, soft_wrap=True)
            return
        foundation = Foundation.found(deployment, region)
        if why := paused(foundation):
            raise Mistake(f"{deployment} is paused, so nothing would arrive: {why}; accepted: trainops resume")
        _sent(foundation, channel, chosen, now)
    typer.echo(f"{counted(len(chosen), 'card')} on the way to {channel}")


def _chosen(now: datetime, time_zone: str, only: str | None) -> list[Card]:
    try:
        every = list(samples(now, ZoneInfo(time_zone)))
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise Mistake(f"--time-zone {time_zone}; accepted: an IANA name such as Europe/Berlin") from error
    found = [card for card in every if only in (None, card.word)]
    if not found:
        raise Mistake(f"--only {only}; accepted: {', '.join(sorted({card.word or '' for card in every}))}")
    return found


def _sent(foundation: Foundation, channel: str, chosen: Sequence[Card], now: datetime) -> None:
    """Each under a key and in a thread of this moment: what was sent before does not count as the same."""
    kind = Channel.EMAIL if channel == "email" or "@" in channel else Channel.SLACK
    queues, place = foundation.queues("operations"), Place(None if channel in QUEUES else channel)
    if QUEUES[kind] not in queues:
        raise Mistake(
            f"{foundation.name} has no channel {kind.value}; its settings make one (notifications.{kind.value})"
        )
    mark = f"sample/{now:%Y-%m-%dT%H:%M:%SZ}"
    messages = [
        {**card.to_message(), **place.to_message(), "key": f"{mark}/{number}", "thread": f"{mark}/{card.thread}"}
        for number, card in enumerate(chosen)
    ]
    SqsQueue(foundation.session.client("sqs"), queues[QUEUES[kind]]).send(messages)
