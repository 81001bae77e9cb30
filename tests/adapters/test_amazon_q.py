"""What Amazon Q Developer in chat applications shows, and everything else it would drop without a word."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from tests.adapters.cards import any_card, card
from trainops.adapters.amazon_q import notification
from trainops.adapters.sns_topic import SnsTopic, Topics
from trainops.domain.cards import Card
from trainops.domain.routes import Place
from trainops.errors import Refused


class Recorder:
    """Remembers what was published."""

    def __init__(self) -> None:
        self.published: list[dict[str, Any]] = []

    def publish(self, **request: Any) -> None:
        self.published.append(request)


def text(limit: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": limit}


SCHEMA = {
    "type": "object",
    "required": ["version", "source", "content"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": "1.0"},
        "source": {"const": "custom"},
        "id": text(255),
        "content": {
            "type": "object",
            "required": ["description"],
            "additionalProperties": False,
            "properties": {
                "textType": {"const": "client-markdown"},
                "title": text(250),
                "description": text(8000),
                "nextSteps": {"type": "array", "minItems": 1, "items": text(350)},
                "keywords": {"type": "array", "minItems": 1, "items": text(75)},
            },
        },
        "metadata": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"threadId": text(255), "summary": text(8000), "eventType": text(8000)},
        },
    },
}
"""Custom notifications, version 1.0, with the limits that the administrator guide names."""


@pytest.mark.case("NO-11")
def test_a_card_is_a_custom_notification_of_the_documented_schema() -> None:
    body = json.loads(notification(card(word="Failed", team="vision", thread="resnet-1|09:00")))
    jsonschema.validate(body, SCHEMA)
    content = body["content"]
    assert "resnet-1 failed: GPU out of memory" in content["title"]
    for words in ("do not fit into the GPU's memory", "CUDA out of memory", "*Cost estimate:* $1.31", "https://"):
        assert words in content["description"]
    assert content["nextSteps"][0] == "Next: lower the batch size."
    assert content["keywords"] == ["vision", "Failed"]
    assert body["metadata"]["eventType"] == "Failed"


def test_the_cards_of_one_conversation_share_a_thread() -> None:
    first, second, other = (
        json.loads(notification(card(key=key, thread=thread)))["metadata"]["threadId"]
        for key, thread in (("a", "run"), ("b", "run"), ("a", None))
    )
    assert first == second != other


@pytest.mark.case("NO-11")
@settings(max_examples=60, deadline=None)
@given(any_card())
def test_whatever_a_card_holds_amazon_q_does_not_drop_it(said: Card) -> None:
    jsonschema.validate(json.loads(notification(said).encode().decode()), SCHEMA)


@pytest.mark.case("NO-11")
def test_a_topic_gets_only_what_its_readers_understand() -> None:
    sns = Recorder()
    topics = Topics({"sns": SnsTopic(sns, "arn:cards"), "amazon_q": SnsTopic(sns, "arn:q", notification)})
    for name in ("sns", "amazon_q", None):
        topics.deliver(card(word="Failed", team="vision"), Place(name))
    plain, formal, unnamed = sns.published
    assert (plain["TopicArn"], formal["TopicArn"], unnamed["TopicArn"]) == ("arn:cards", "arn:q", "arn:cards")
    jsonschema.validate(json.loads(formal["Message"]), SCHEMA)
    assert plain["Message"].startswith("resnet-1 failed")
    assert plain["MessageAttributes"]["team"] == {"DataType": "String", "StringValue": "vision"}
    with pytest.raises(Refused, match="no channel sns any more"):
        Topics({"amazon_q": topics.topics["amazon_q"]}).deliver(card(), Place("sns"))
