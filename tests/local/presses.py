"""Presses of buttons in Slack, brought to the deployed function URL, and what came of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from local.waiting import until
from tests import chat
from tests.local.product import Product

WORKSPACE, MEMBER, STRANGER = "T0LOCAL01", "U0MEMBER1", "U0OTHER1"


def post(product: Product, event: dict[str, Any]) -> int:
    """Bring a request to the function URL, and its status back."""
    name = product.named("WarmPoolsChatUrlFunction")
    url = product.laptop.client("lambda").get_function_url_config(FunctionName=name)["FunctionUrl"]
    address = product.laptop.reachable(url)
    answer = httpx.post(address, content=event["body"], headers=event["headers"], timeout=60, trust_env=False)
    return answer.status_code


def request(product: Product, action: str, subject: str, user: Any = MEMBER, **changes: Any) -> dict[str, Any]:
    """A press, signed now; each with answers of its own."""
    number = str(len(product.laptop.slack.answers))
    product.laptop.slack.answers[number] = []
    who = {"id": user, "team_id": WORKSPACE} if isinstance(user, str) else user
    found = chat.payload(action, subject, team={"id": WORKSPACE}, user=who)
    found |= {"response_url": product.laptop.slack.answer_url(number), **changes}
    found["actions"][0]["action_ts"] = f"{number}.1"
    if action == "hold":
        later = product.laptop.control.now() + timedelta(hours=2)
        found["actions"][0]["selected_date_time"] = int(later.timestamp())
    return chat.event(chat.body_of(found), at=datetime.now(UTC))


def answered(product: Product) -> dict[str, Any]:
    """The answer to the last press."""
    last = list(product.laptop.slack.answers)[-1]
    until(lambda: product.laptop.slack.answers[last], "an answer in Slack", seconds=120)
    return product.laptop.slack.answers[last][0]


def idle(product: Product, name: str, team: str = "vision") -> str:
    """Let a job leave a pool; the subject of the buttons in its message."""
    resources = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30}
    tags = [{"Key": "team", "Value": team}, {"Key": "owner", "Value": "alpha-oncall"}]
    product.run_job(name, Tags=tags, ResourceConfig={**resources, "KeepAlivePeriodInSeconds": 1800})
    product.advance(minutes=13)
    product.quiet()
    shown = product.laptop.slack.workspace.shown_in("#ml-training")
    [message] = [message for message in shown if f"{name} " in message.body["text"]]
    [buttons] = [block for block in message.body["blocks"] if block["type"] == "actions"]
    return str(buttons["block_id"])


def settled(product: Product) -> None:
    """Wait until no press is on its way any more."""
    for _ in range(2):  # control answers through the presses' queue
        until(lambda: not product.waiting_in(product.named("WarmPoolsPressesQueue")), "no press to wait", seconds=120)
        product.quiet()


def status(product: Product, name: str) -> str:
    found = product.laptop.client("sagemaker").describe_training_job(TrainingJobName=name)
    return str(found["WarmPoolStatus"]["Status"])


def presses(product: Product) -> list[dict[str, Any]]:
    """The ledger's items of presses."""
    pages = product.laptop.client("dynamodb").get_paginator("scan").paginate(TableName=product.named("Ledger"))
    return [item for page in pages for item in page["Items"] if item["pk"]["S"].startswith("PRESS#")]
