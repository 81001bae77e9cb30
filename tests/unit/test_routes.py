"""Which channels hear of a card."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from trainops.domain.cards import Card, Tone
from trainops.domain.recipients import Recipient
from trainops.domain.routes import ANYWHERE, Channel, Destination, Place, Route, Routed, Routing, routed

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
SLACK, EMAIL = Destination(Channel.SLACK), Destination(Channel.EMAIL)
KNOWN = Recipient("ann@example.com", "the owner's address is in example.com")
UNKNOWN = Recipient(None, "nobody is known to own the job")
TABLE = Routing(
    statuses=("Completed", "Failed", "WarmPoolEnded"),
    default=("slack", "email"),
    time_zone=UTC,
    routes=(
        Route(teams=("a",), statuses=("Failed",), to=("#a",)),
        Route(statuses=("WarmPoolEnded",), to=("#finops",)),
        Route(teams=("b",), muted_until=date(2026, 3, 4)),
    ),
    team_channels={"c": "C0123456789"},
    slack_bot=True,
)


def card(team: str | None) -> Card:
    return Card(key="k", job_name="j", tone=Tone.BAD, title="t", summary="s", team=team)


def where(word: str, team: str | None, at: datetime = NOW, owner: Recipient = KNOWN, **table: Any) -> Routed:
    return routed(card(team), word, at, replace(TABLE, **table), owner)


@pytest.mark.case("NO-23")
@pytest.mark.parametrize(
    ("word", "team", "destinations"),
    [
        ("Failed", "a", (Destination(Channel.SLACK, Place("#a")),)),
        ("WarmPoolEnded", "a", (Destination(Channel.SLACK, Place("#finops")),)),
        ("Completed", "a", (SLACK, EMAIL)),
        ("Failed", "b", ()),
        ("Failed", "of nobody", (SLACK, EMAIL)),
        ("Failed", None, (SLACK, EMAIL)),
        ("Failed", "c", (Destination(Channel.SLACK, Place("C0123456789")), EMAIL)),
    ],
)
def test_the_first_route_that_fits_counts_and_an_unknown_team_goes_to_the_default(
    word: str, team: str | None, destinations: tuple[Destination, ...]
) -> None:
    assert where(word, team).destinations == destinations


@pytest.mark.case("NO-23")
@pytest.mark.parametrize(
    ("at", "zone", "muted"),
    [
        (datetime(2026, 3, 3, 23, 59, tzinfo=UTC), UTC, True),
        (datetime(2026, 3, 4, 0, 0, tzinfo=UTC), UTC, False),
        (datetime(2026, 3, 3, 23, 0, tzinfo=UTC), ZoneInfo("Europe/Berlin"), False),
    ],
)
def test_a_mute_ends_by_itself_when_its_day_begins(at: datetime, zone: Any, muted: bool) -> None:
    found = where("Failed", "b", at, time_zone=zone)
    assert found.muted is muted
    assert found.destinations == (() if muted else (SLACK, EMAIL))
    assert ("muted until 2026-03-04 by notifications.routes[2]" in found.reason) is muted


def test_a_status_that_only_a_route_names_is_told_there_and_nowhere_else() -> None:
    started = (Route(teams=("a",), statuses=("Started",), to=("email",)), Route(to=("sns",)))
    assert where("Started", "a", routes=started).destinations == (EMAIL,)
    elsewhere = where("Started", "b", routes=started)
    assert elsewhere.destinations == ()
    assert elsewhere.reason == "Started is not among notifications.statuses"
    assert where("Failed", "b", routes=started).destinations == (Destination(Channel.TOPIC, Place("sns")),)


def test_a_route_to_nobody_is_said_to_be_one() -> None:
    found = where("Failed", "a", routes=(Route(teams=("a",), to=()),))
    assert (found.destinations, found.reason) == ((), "by notifications.routes[0] to nobody")


def test_with_a_webhook_there_is_only_the_one_channel_of_slack() -> None:
    assert where("Failed", "c", slack_bot=False, routes=()).destinations == (SLACK, EMAIL)


@pytest.mark.case("NO-07")
@pytest.mark.parametrize(
    ("bot", "owner", "default", "destination"),
    [
        (True, KNOWN, ("slack",), Destination(Channel.SLACK, Place("ann@example.com", "C0123456789"))),
        (True, UNKNOWN, ("slack",), Destination(Channel.SLACK, Place("C0123456789"))),
        (False, KNOWN, ("slack",), Destination(Channel.EMAIL, Place("ann@example.com"))),
        (False, UNKNOWN, ("slack",), SLACK),
        (False, UNKNOWN, ("email",), EMAIL),
    ],
)
def test_an_owner_is_written_to_directly_or_else_through_the_teams_channel(
    bot: bool, owner: Recipient, default: tuple[str, ...], destination: Destination
) -> None:
    to_owner = (Route(to=("owner",)),)
    found = where("Failed", "c", owner=owner, slack_bot=bot, default=default, routes=to_owner)
    assert found.destinations == (destination,)
    assert found.unresolved is (owner.email is None)
    assert owner.reason in found.reason


def test_one_place_gets_a_card_once_however_often_it_is_named() -> None:
    twice = (Route(to=("slack", "owner", "slack")),)
    assert where("Failed", "a", owner=UNKNOWN, routes=twice).destinations == (SLACK,)


def test_no_address_is_in_a_reason() -> None:
    found = where("Failed", "a", routes=(Route(to=("ops@example.com",)),))
    assert found.destinations == (Destination(Channel.EMAIL, Place("ops@example.com")),)
    assert "@" not in found.reason


def test_a_route_is_read_as_the_deployment_wrote_it() -> None:
    assert Route.of({"teams": ["a"], "to": ["email"]}) == Route(teams=("a",), to=("email",))
    assert Route.of({"mute_until": "2026-04-01"}) == Route(muted_until=date(2026, 4, 1))


def test_a_place_survives_its_queue() -> None:
    place = Place("ann@example.com", "#a")
    assert Place.from_message({"key": "k", **place.to_message()}) == place
    assert Place.from_message({"key": "k"}) == ANYWHERE
