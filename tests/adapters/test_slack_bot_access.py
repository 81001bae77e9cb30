"""What becomes of a bot's card when its token or its app's rights are gone: somebody has to repair them."""

import json
from collections.abc import Iterator

import pytest

from tests.adapters.bot import BotWorld, bot_world
from tests.adapters.cards import card
from tests.adapters.slack import chain, failure
from trainops.domain.routes import Place
from trainops.errors import NotConfigured
from trainops.telemetry import Field, Metric

OWNER = "owner@example.com"


@pytest.fixture
def world() -> Iterator[BotWorld]:
    with bot_world() as made:
        yield made


def test_a_token_that_was_rotated_is_picked_up_without_a_deployment(world: BotWorld) -> None:
    bot = world.bot()
    bot.deliver(card(key="a"), Place())
    world.workspace.token = "-".join(("xoxb", "rotated"))
    error = failure(lambda: bot.deliver(card(key="b"), Place()))
    assert isinstance(error, NotConfigured)
    assert "trainops/slack (invalid_auth)" in str(error)
    world.secret["token"] = world.workspace.token
    bot.deliver(card(key="b"), Place())
    assert len(world.shown()) == 2


@pytest.mark.parametrize(
    "code",
    [
        "account_inactive",
        "invalid_auth",
        "not_authed",
        "token_expired",
        "token_revoked",
        "ekm_access_denied",
        "missing_scope",
        "no_permission",
        "not_allowed_token_type",
    ],
)
def test_a_dead_token_and_an_app_without_its_rights_are_for_a_person_to_repair(world: BotWorld, code: str) -> None:
    run = "resnet-1|09:00"
    opening, ending = (card(key=word, title=word, word=word, thread=run) for word in ("Started", "Completed"))
    world.workspace.denied["*"] = code
    error = failure(lambda: world.bot().deliver(opening, Place(OWNER, "#vision-training")))
    assert isinstance(error, NotConfigured)
    assert code in str(error)
    world.workspace.denied.clear()
    world.bot().deliver(ending, Place())
    assert world.shown() == ["Completed"], "the card that went elsewhere keeps no other waiting"


@pytest.mark.case("NO-07")
def test_an_app_that_may_look_up_nobody_still_posts_and_somebody_hears_that_it_needs_a_repair(world: BotWorld) -> None:
    world.workspace.people[OWNER] = "U0000000001"
    world.workspace.denied["users.lookupByEmail"] = "missing_scope"
    counts = world.bot().deliver(card(), Place(OWNER, "#vision-training"))
    assert counts == {Field.OWNER_UNRESOLVED: 1, Metric.NOT_CONFIGURED: 1}
    [message] = world.workspace.shown_in("#vision-training")
    assert f"Meant for {OWNER}, where it could not go: users.lookupByEmail" in json.dumps(message.body)
    world.workspace.denied.clear()
    assert world.bot().deliver(card(key="b"), Place(OWNER)) == {}, "nothing is remembered of who was not looked up"


@pytest.mark.parametrize("secret", [{}, {"token": None}, {"token": "a b"}, {"webhook_url": "https://very-secret"}, []])
def test_a_secret_without_a_token_is_named_and_never_quoted(world: BotWorld, secret: object) -> None:
    world.secret = secret  # type: ignore[assignment]
    error = failure(lambda: world.bot().deliver(card(), Place()))
    assert isinstance(error, NotConfigured)
    assert "trainops/slack holds no usable token" in str(error)
    assert not any("very-secret" in str(link) for link in chain(error))
