"""The e-mail: a subject that says it all, HTML that is safe, and a text that says the same."""

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings

from tests.adapters.cards import URL, any_card, card
from trainops.adapters.card_rendering import ascii_subject, html, subject, text
from trainops.domain.cards import Bar, Card, Link, Table, Tone


class Page(HTMLParser):
    """What a mail program makes of the HTML: its tags, links and visible text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.hrefs: list[str] = []
        self.text = ""
        self._hidden = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._hidden = tag in {"style", "title"}
        self.hrefs += [value or "" for name, value in attrs if name == "href"]

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False

    def handle_data(self, data: str) -> None:
        self.text += "" if self._hidden else f"{data} "


def test_the_subject_says_job_status_and_cause() -> None:
    assert subject(card()) == "resnet-1 failed: GPU out of memory"
    assert subject(card(title="a\r\nBcc: x@y.z")) == "a Bcc: x@y.z"
    assert len(subject(card(title="x" * 500))) == 150
    assert subject(card(title="")) == "Training job"


def test_an_ascii_subject_keeps_what_ascii_can_say() -> None:
    assert ascii_subject(card(title="caf\u00e9 \u2026 \u4e16"), 99) == "cafe ... ?"
    assert ascii_subject(card(title="x" * 500), 99) == "x" * 96 + "..."


def test_both_forms_say_everything_on_the_card() -> None:
    a_card = card()
    page = Page(html(a_card))
    said = [
        a_card.title,
        a_card.summary,
        str(a_card.cause),
        *(part for fact in a_card.facts for part in fact),
        *a_card.context,
    ]
    for part in said:
        assert part in page.text
        assert part in text(a_card)
    assert "lower the batch size." in page.text
    assert "Next: lower the batch size." in text(a_card)
    assert page.hrefs == [URL, URL]
    assert URL in text(a_card)


def test_a_table_is_one_of_html_with_bars_as_cells_and_lines_of_text() -> None:
    a_card = card(tables=(Table("Failures", (Bar("out-of-memory", "5 jobs", 100), Bar("<b>", "2 jobs", 40))),))
    page = html(a_card)
    assert 'width="100%" style="height:12px' in page
    assert 'width="40%" style="height:12px' in page
    assert "img" not in Page(page).tags
    assert "<b>" in Page(page).text, "as text"
    assert "Failures\n    out-of-memory: 5 jobs\n    <b>: 2 jobs" in text(a_card)


def test_markup_in_a_card_is_only_text() -> None:
    evil = "<script>alert(1)</script><img src=x onerror=y>\"'"
    page = Page(html(card(title=evil, summary=evil, cause=evil, facts=((evil, evil),), lines=(evil,), context=(evil,))))
    assert not {"script", "img"} & set(page.tags)
    assert "<script>" in page.text


def test_only_web_addresses_become_links() -> None:
    a_card = card(links=(Link("Job", "javascript:alert(1)"), Link("Logs", URL)))
    assert Page(html(a_card)).hrefs == [URL]
    assert "javascript" not in text(a_card)


def test_a_phone_and_the_dark_are_provided_for() -> None:
    page = html(card(summary="In short."))
    assert 'name="viewport"' in page
    assert "prefers-color-scheme: dark" in page
    assert page.index("In short.") < page.index("<table"), "the preheader comes first"


@pytest.mark.parametrize("tone", Tone)
def test_each_tone_says_in_a_word_what_its_colour_means(tone: Tone) -> None:
    assert len({Page(html(card(tone=other))).text for other in Tone}) == len(Tone)
    assert html(card(tone=tone))


def test_missing_parts_leave_no_empty_places() -> None:
    bare = card(cause=None, facts=(), lines=(), links=(), context=())
    assert "Reason given" not in html(bare)
    assert text(bare) == f"{bare.title}\n\n{bare.summary}\n"


@settings(max_examples=100, deadline=None)
@given(any_card())
def test_any_card_becomes_a_mail(a_card: Card) -> None:
    html(a_card).encode()
    text(a_card).encode()
    assert 1 <= len(subject(a_card)) <= 150
    assert "\n" not in subject(a_card)
    assert Page(html(a_card)).tags.count("a") <= len(a_card.links)
