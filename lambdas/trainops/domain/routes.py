"""Where a card goes: the first route of the settings that fits it, else the deployment's default channels.

Asked once for each card, before anything is queued. A card whose team no route names goes to the default, so that an
unknown team is never lost; a mute ends by itself.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from enum import StrEnum
from typing import Any, NamedTuple, Self

from trainops.domain.cards import Card
from trainops.domain.recipients import Recipient

SLACK, EMAIL, SNS, AMAZON_Q, OWNER = "slack", "email", "sns", "amazon_q", "owner"
"""What a route can name beside a Slack channel and an e-mail address."""


class Channel(StrEnum):
    """The queues that cards wait in, one for each kind of channel."""

    SLACK = "slack"
    EMAIL = "email"
    TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Place:
    """Where within a channel. `to` is a Slack channel, an address or a topic; without it the channel's own default is
    meant. `otherwise` is the Slack channel for what is meant for a person whom Slack does not know.
    """

    to: str | None = None
    otherwise: str | None = None

    def to_message(self) -> dict[str, Any]:
        """The fields beside a card's in a queue's message; what is not needed is left out."""
        return {name: value for name, value in (("to", self.to), ("otherwise", self.otherwise)) if value}

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> Self:
        """The place in a queue's message; the channel's default in those of a deployment that knew no routes."""
        return cls(message.get("to"), message.get("otherwise"))


ANYWHERE = Place()
"""The channel's own default."""


class Destination(NamedTuple):
    """A channel, and where within it."""

    channel: Channel
    place: Place = ANYWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Fits cards of one of `teams` and one of `statuses`; an empty collection fits all. `muted_until` is the day on
    which a mute is over; such a route sends nothing, and after it the next one counts.
    """

    teams: Collection[str] = ()
    statuses: Collection[str] = ()
    to: Sequence[str] = ()
    muted_until: date | None = None

    @classmethod
    def of(cls, text: Mapping[str, Any]) -> Self:
        """A route as the deployment writes it."""
        until = text.get("mute_until")
        return cls(
            teams=tuple(text.get("teams", ())),
            statuses=tuple(text.get("statuses", ())),
            to=tuple(text.get("to", ())),
            muted_until=date.fromisoformat(until) if until else None,
        )

    def fits(self, word: str, team: str | None, today: date) -> bool:
        """Whether this route decides for a card on this day."""
        awake = self.muted_until is None or today < self.muted_until
        return awake and (not self.teams or team in self.teams) and (not self.statuses or word in self.statuses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """The table. `statuses` are told by default, to the channels in `default`. With a Slack bot there are channels of
    teams, and people; with a webhook there is the one channel it was made for.
    """

    statuses: Collection[str]
    default: Sequence[str]
    time_zone: tzinfo
    routes: Sequence[Route] = ()
    team_channels: Mapping[str, str] = field(default_factory=dict)
    slack_bot: bool = False


@dataclass(frozen=True, slots=True)
class Routed:
    """Where to, each once, and why; `unresolved` when the owner was meant and cannot be written to directly."""

    destinations: Sequence[Destination]
    reason: str
    muted: bool = False
    unresolved: bool = False


def routed(card: Card, word: str, at: datetime, table: Routing, owner: Recipient) -> Routed:
    """Where a card with this word goes at this time; `owner` is who may be written to about it."""
    today = at.astimezone(table.time_zone).date()
    for number, route in enumerate(table.routes):
        if not route.fits(word, card.team, today) or not (route.statuses or word in table.statuses):
            continue
        if route.muted_until:
            return Routed(
                (), f"{word} is muted until {route.muted_until} by notifications.routes[{number}]", muted=True
            )
        return _to(route.to, f"notifications.routes[{number}]", card, table, owner)
    if word not in table.statuses:
        return Routed((), f"{word} is not among notifications.statuses")
    return _to(table.default, "the default channels", card, table, owner)


def _to(names: Sequence[str], why: str, card: Card, table: Routing, owner: Recipient) -> Routed:
    own = Destination(Channel.SLACK, Place(table.team_channels.get(card.team or "") if table.slack_bot else None))
    found = tuple(dict.fromkeys(place for name in names for place in _places(name, own, table, owner)))
    where = f"by {why} to {', '.join('an address' if '@' in name else name for name in names) or 'nobody'}"
    if OWNER not in names:
        return Routed(found, where)
    return Routed(found, f"{where}; {owner.reason}", unresolved=owner.email is None)


def _places(name: str, own: Destination, table: Routing, owner: Recipient) -> Iterator[Destination]:
    if name == OWNER:
        yield _owner(own, table, owner)
    elif name == SLACK:
        yield own
    elif name == EMAIL:
        yield Destination(Channel.EMAIL)
    elif name in {SNS, AMAZON_Q}:
        yield Destination(Channel.TOPIC, Place(name))
    else:
        yield Destination(Channel.EMAIL if "@" in name else Channel.SLACK, Place(name))


def _owner(own: Destination, table: Routing, owner: Recipient) -> Destination:
    """By a direct message, else by mail; whoever cannot be reached is told of in the team's channel."""
    if table.slack_bot:
        return Destination(Channel.SLACK, Place(owner.email, own.place.to)) if owner.email else own
    if owner.email:
        return Destination(Channel.EMAIL, Place(owner.email))
    return own if SLACK in table.default else Destination(Channel.EMAIL)
