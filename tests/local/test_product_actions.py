"""The deployed product with buttons and a self-check, in an account of its own: presses, attacks, and permissions."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from local.account import SECRET, furnish
from local.functions import run_scheduled
from local.laptop import Laptop
from local.waiting import until
from tests import chat
from tests.local.exercises import changed_visibility
from tests.local.presses import MEMBER, STRANGER, WORKSPACE, answered, idle, post, presses, request, settled, status
from tests.local.product import Product
from tests.local.test_product_permissions import BY_LAMBDA_ITSELF, covers, statements

pytestmark = pytest.mark.local
CONFIG = Path(__file__).with_name("actions.yaml")
URL, WORK, CONTROL, CHECK = (
    "WarmPoolsChatUrlFunctionRole",
    "WarmPoolsChatWorkFunctionRole",
    "WarmPoolsControlFunctionRole",
    "SelfCheckFunctionRole",
)


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    with Laptop() as laptop:
        furnish(laptop)
        app = {"token": laptop.slack.workspace.token, "api_url": laptop.slack.api_url}
        text = json.dumps({**app, "signing_secret": chat.SIGNING_SECRET})
        laptop.client("secretsmanager").put_secret_value(SecretId=SECRET, SecretString=text)
        laptop.slack.workspace.people |= {"alpha-oncall@example.com": MEMBER, "beta-oncall@example.com": STRANGER}
        laptop.bootstrap()
        yield Product.deployed(laptop, CONFIG)


def test_a_member_stops_extends_and_holds_the_pools_of_the_team_and_nobody_elses(product: Product) -> None:
    subject = idle(product, "alpha-1")
    pressed = request(product, "stop", subject)
    assert [post(product, pressed) for _ in range(2)] == [200, 200], "the second is a replay"
    assert answered(product)["text"] == "The warm pool of alpha-1 was ended."
    assert answered(product)["thread_ts"] == "1772445000.000100"
    assert status(product, "alpha-1") == "Terminated"
    settled(product)
    [kept] = presses(product)
    assert kept["record"]["M"]["person"]["S"] == "alpha-oncall@example.com"
    assert kept["record"]["M"]["state"]["S"] == "done"

    subject = idle(product, "alpha-2")
    assert post(product, request(product, "extend", subject)) == 200
    assert "is kept, and billed, until" in answered(product)["text"]
    assert post(product, request(product, "hold", subject)) == 200
    assert "is kept, and billed, until" in answered(product)["text"]
    arn = product.laptop.client("sagemaker").describe_training_job(TrainingJobName="alpha-2")["TrainingJobArn"]
    tags = product.laptop.client("sagemaker").list_tags(ResourceArn=arn)["Tags"]
    assert "trainops:hold-until" in {tag["Key"] for tag in tags}
    assert post(product, request(product, "stop", subject, STRANGER)) == 200
    refused = answered(product)
    assert "not among the owners or members of team vision" in refused["text"]
    assert refused["response_type"] == "ephemeral"
    assert status(product, "alpha-2") == "Available"
    assert post(product, request(product, "stop", idle(product, "beta-1", "speech"))) == 200
    assert "not among the owners or members of team speech" in answered(product)["text"]


def test_every_attack_is_refused_at_the_deployed_address(product: Product) -> None:
    subject, now = chat.SUBJECT, datetime.now(UTC)
    guest = {"id": MEMBER, "team_id": WORKSPACE, "is_restricted": True}
    before, good = len(presses(product)), chat.body_of(chat.payload())
    attacks = {
        "another secret": (401, chat.event(good, at=now, secret="guessed")),
        "tampered": (401, {**chat.event(good, at=now), "body": good.replace("stop", "hold")}),
        "replayed": (401, chat.event(good, at=now - timedelta(minutes=6))),
        "too long": (413, chat.event("payload=" + "x" * 65536, at=now)),
        "JSON": (415, chat.event(good, at=now, content_type="application/json")),
        "no press": (400, chat.event("payload=%7B", at=now)),
        "unknown action": (400, request(product, "delete_everything", subject)),
        "another workspace": (403, request(product, "stop", subject, team={"id": "T0OTHER99"})),
        "a guest": (
            403,
            request(product, "stop", subject, guest),
        ),
        "an answer elsewhere": (400, request(product, "stop", subject, response_url="https://example.com/x")),
    }
    assert {name: post(product, event) for name, (_, event) in attacks.items()} == {
        name: wanted for name, (wanted, _) in attacks.items()
    }
    settled(product)
    assert len(presses(product)) == before


def test_a_guest_whom_only_slack_knows_as_one_is_refused(product: Product) -> None:
    product.laptop.slack.workspace.standing[MEMBER] = {"is_ultra_restricted": True}
    try:
        assert post(product, request(product, "stop", idle(product, "alpha-3"))) == 200
        assert "Guests of the workspace" in answered(product)["text"]
    finally:
        product.laptop.slack.workspace.standing.clear()


@pytest.mark.case("IA-06", "NO-18")
def test_the_daily_check_arrives_in_its_channel_and_finds_who_never_confirmed(product: Product) -> None:
    function = product.named("SelfCheckFunction")
    run_scheduled(product.laptop.client("lambda"), function, product.laptop.control.now())
    product.quiet()
    shown = product.laptop.slack.workspace.shown_in("#finops")
    assert [message for message in shown if "trainops-self-check-" in message.body["text"]]
    elsewhere = product.laptop.slack.workspace.shown_in("#ml-training")
    assert not [message for message in elsewhere if "trainops-self-check-" in message.body["text"]]


def test_what_the_functions_of_the_buttons_may_is_what_they_did(product: Product) -> None:
    _in_an_outage(product)
    queue = product.named("WarmPoolsPressesQueue")
    for body in ("junk", '{"key": "no press"}'):
        product.laptop.client("sqs").send_message(QueueUrl=queue, MessageBody=body)
    settled(product)
    product.dead("ChatActionWork")
    for logical in (URL, WORK, CHECK):
        role = product.named(logical)
        allowed = set(statements(product, role))
        calls = {(c.action, c.resource) for c in product.laptop.control.authorisations(role) if c.allowed}
        unused = [
            (action, resource)
            for action, resource in allowed
            if action not in BY_LAMBDA_ITSELF
            and "DeadLetters" not in (resource if logical == CHECK else "")
            and not any(action == a and covers(resource, r) for a, r in calls)
        ]
        assert unused == [], logical
        assert [call for call in calls if not any(call[0] == a and covers(r, call[1]) for a, r in allowed)] == []
    did = {c.action for c in product.laptop.control.authorisations(product.named(CONTROL)) if c.allowed}
    assert {"sagemaker:UpdateTrainingJob", "sagemaker:AddTags"} <= did


def _in_an_outage(product: Product) -> None:
    """Slack cannot say who somebody is, for a while."""
    workspace = product.laptop.slack.workspace
    workspace.down["*"] = product.laptop.control.now() + timedelta(days=1)
    try:
        assert post(product, request(product, "stop", chat.SUBJECT)) == 200
        until(lambda: changed_visibility(product, WORK), "the press to wait", seconds=120)
    finally:
        workspace.down.clear()
    answered(product)
