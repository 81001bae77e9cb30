"""From a card to the queues: where it goes travels with it, and what does not go anywhere is counted."""

from datetime import UTC, date, datetime

import pytest

from tests.desks import desk
from tests.fakes import FakeChannel, FakeQueue
from trainops.domain.cards import Card, Tone
from trainops.domain.routes import Place, Route
from trainops.telemetry import Field
from trainops.workflows.delivery import Delivery

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
CARD = Card(key="k", job_name="j", tone=Tone.BAD, title="t", summary="s", team="vision", owner="owner@example.com")


@pytest.mark.case("NO-23")
def test_a_route_decides_whose_queue_gets_the_card_and_where_it_goes_within() -> None:
    slack, email = FakeQueue(), FakeQueue()
    handed = desk(("Failed",), slack, email, Route(teams=("vision",), to=("#a", "ops@example.com")), bot=True)
    outcome = handed.tell(lambda: CARD, word="Failed", about="arn", at=NOW)
    assert [message["to"] for message in slack.sent + email.sent] == ["#a", "ops@example.com"]
    assert outcome.reason == "Failed: t; by notifications.routes[0] to #a, an address"
    channel = FakeChannel()
    Delivery("Slack", channel, None)(slack.sent[0])
    assert channel.places == [Place("#a")]


@pytest.mark.case("NO-07")
def test_an_owner_gets_a_direct_message_and_the_teams_channel_is_named_beside() -> None:
    slack = FakeQueue()
    handed = desk(("Failed",), slack, None, Route(to=("owner",)), bot=True)
    assert handed.tell(lambda: CARD, word="Failed", about="arn", at=NOW).counts == {}
    assert (slack.sent[0]["to"], slack.sent[0]["otherwise"]) == ("owner@example.com", "#vision")


@pytest.mark.case("NO-07")
@pytest.mark.parametrize("owner", [None, "ann", "owner@elsewhere.example"])
def test_an_owner_who_cannot_be_written_to_is_counted_and_the_teams_channel_gets_the_card(owner: str | None) -> None:
    slack = FakeQueue()
    handed = desk(("Failed",), slack, None, Route(to=("owner",)), bot=True)
    told = Card(key="k", job_name="j", tone=Tone.BAD, title="t", summary="s", team="vision", owner=owner)
    outcome = handed.tell(lambda: told, word="Failed", about="arn", at=NOW)
    assert outcome.counts == {Field.OWNER_UNRESOLVED: 1}
    assert slack.sent[0]["to"] == "#vision"
    assert "elsewhere" not in outcome.reason


@pytest.mark.case("NO-23")
def test_what_is_muted_is_counted_until_the_day_comes() -> None:
    slack = FakeQueue()
    handed = desk(("Failed",), slack, None, Route(teams=("vision",), muted_until=date(2026, 3, 3)))
    muted = handed.tell(lambda: CARD, word="Failed", about="arn", at=NOW)
    assert (muted.counts, slack.sent) == ({Field.MUTED: 1}, [])
    assert handed.wants(CARD, "Failed", NOW) is False
    later = NOW.replace(day=3)
    assert handed.wants(CARD, "Failed", later) is True
    assert handed.tell(lambda: CARD, word="Failed", about="arn", at=later).counts == {}
    assert len(slack.sent) == 1
