"""Slack takes every card: escaped, within all limits, and readable."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings

from tests.adapters.cards import URL, any_card, card
from trainops.adapters.slack_blocks import blocks, fallback_text
from trainops.domain.cards import Bar, Card, Link, Table, Tone


def texts(found: list[dict[str, Any]]) -> list[str]:
    """Every text object's text."""
    return [
        part["text"]
        for block in found
        for part in ([block["text"]] if "text" in block else []) + block.get("fields", []) + block.get("elements", [])
    ]


def whole(a_card: Card) -> str:
    return "\n".join(texts(blocks(a_card)))


def test_a_card_becomes_headline_advice_cause_facts_links_and_small_print() -> None:
    assert [block["type"] for block in blocks(card())] == [
        "header",
        "section",
        "section",
        "section",
        "section",
        "context",
    ]
    assert texts(blocks(card())) == [
        "\N{CROSS MARK} resnet-1 failed: GPU out of memory",
        "The model and its batch do not fit into the GPU's memory.\n"
        "*Next:* lower the batch size.\nIt resumes from `s3://acme/_a_/b_c/`.",
        "```\nRuntimeError: CUDA out of memory\n```",
        "*Owner:* vision-oncall (tag owner)",
        "*Cost estimate:* $1.31",
        f"<{URL.replace('&', '&amp;')}|Job> \N{MIDDLE DOT} <{URL.replace('&', '&amp;')}|Logs>",
        "Ended today 09:30 UTC",
    ]


def test_a_table_is_a_line_for_each_row_with_a_bar_of_blocks() -> None:
    rows = (Bar("ml.g5.xlarge", "71 %", 71), Bar("<b>", "0 %", 0), Bar("all", "100 %", 900))
    [said] = [text for text in texts(blocks(card(tables=(Table("Spot & more", rows),)))) if "\N{LIGHT SHADE}" in text]
    full, empty = "\N{FULL BLOCK}", "\N{LIGHT SHADE}"
    assert said.split("\n") == [
        "*Spot &amp; more*",
        f"`{full * 7}{empty * 3}` ml.g5.xlarge: 71 %",
        f"`{empty * 10}` &lt;b&gt;: 0 %",
        f"`{full * 10}` all: 100 %",
    ]


def test_the_fallback_text_is_the_headline_and_the_summary() -> None:
    said = fallback_text(card(title="a <b>", summary="x & y"))
    assert said == "\N{CROSS MARK} a &lt;b&gt; \N{EN DASH} x &amp; y"


@pytest.mark.parametrize("tone", Tone)
def test_each_tone_has_its_own_symbol(tone: Tone) -> None:
    others = {fallback_text(card(tone=other)) for other in Tone}
    assert len(others) == len(Tone)
    assert fallback_text(card(tone=tone))[0] not in "resnet"


def test_markup_in_the_cards_text_is_only_text() -> None:
    said = whole(card(summary="<!channel> & <https://evil|click>", facts=(("a", "<@U123>"),), cause="<!here>"))
    assert "<!" not in said
    assert "<@" not in said
    assert "&lt;!channel&gt; &amp; &lt;https://evil|click&gt;" in said


@pytest.mark.case("NO-09")
def test_a_reason_of_5000_characters_with_backticks_is_cut_and_its_fence_closed() -> None:
    reason = "START \u00e9\u4e16 ```code``` & " + "\u4e16\u754c & <x> ``` " * 400 + " END"
    cause = next(text for text in texts(blocks(card(cause=reason[:4990] + " THE-END"))) if text.startswith("```"))
    assert len(cause) <= 3000
    assert cause.startswith("```\nSTART")
    assert cause.endswith("THE-END\n```")
    assert "characters cut" in cause
    assert cause.count("```") == 2
    json.loads(json.dumps(cause))


def test_a_reason_of_nothing_but_escapes_is_still_shown() -> None:
    assert any(text.startswith("```\n&amp;&amp;") for text in texts(blocks(card(cause="&" * 5000))))


def test_limits_are_counted_after_escaping() -> None:
    lines = tuple("<" * 499 for _ in range(20))
    assert max(len(text) for text in texts(blocks(card(summary="&" * 600, lines=lines, cause=None)))) <= 3000


def test_a_link_that_is_no_web_address_or_does_not_fit_is_left_out_whole() -> None:
    links = (
        Link("a", "javascript:alert(1)"),
        Link("b", "https://"),
        Link("c", "https://h/" + "x" * 4000),
        Link("d|e", URL),
    )
    said = whole(card(links=links))
    assert "javascript" not in said
    assert "xxx" not in said
    assert "|d/e>" in said


def test_missing_parts_leave_no_empty_blocks() -> None:
    bare = card(summary="", cause=None, facts=(), lines=(), links=(), context=("",))
    assert [block["type"] for block in blocks(bare)] == ["header"]


@settings(max_examples=300, deadline=None)
@given(any_card())
def test_any_card_stays_within_all_of_slacks_limits(a_card: Card) -> None:
    found = blocks(a_card)
    json.dumps({"text": fallback_text(a_card), "blocks": found}).encode("ascii")
    assert 1 <= len(found) <= 50
    assert len(fallback_text(a_card)) <= 4000
    assert sum(len(text) for text in texts(found)) <= 12_800, "Slack takes about 13,000"
    for block in found:
        if block["type"] == "header":
            assert 1 <= len(block["text"]["text"]) <= 150
        elif block["type"] == "context":
            assert 1 <= len(block["elements"]) <= 10
        elif "fields" in block:
            assert 1 <= len(block["fields"]) <= 10
            assert all(len(field["text"]) <= 2000 for field in block["fields"])
        else:
            assert len(block["text"]["text"]) <= 3000
    for text in texts(found):
        assert text.strip()
        assert "\x00" not in text
        text.encode()
    for text in texts(found[1:]):
        assert not re.search(r"&(?!amp;|lt;|gt;)", text), "every ampersand is escaped, none is cut"
        assert re.fullmatch(r"[^<>]*(?:<https?://[^<>|\s]+\|[^<>|]+>[^<>]*)*", text), "nothing but our links is markup"


def test_the_end_of_a_log_is_shown_by_whole_lines_the_last_first() -> None:
    log = "\n".join(f"line {number} <ok> ```" for number in range(200))
    shown = next(text for text in texts(blocks(card(log=log))) if "line 199" in text)
    assert shown.startswith("```\nline ")
    assert shown.endswith("line 199 &lt;ok&gt; '''\n```")
    assert len(shown) <= 1200
    assert "line 0 " not in shown
    assert len(blocks(card(log=" \n"))) == len(blocks(card()))
