"""Whom a message may be sent to directly: an owner is free text, and a wrong address would tell a stranger."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainops.domain.recipients import RecipientSettings, recipient_of

SETTINGS = RecipientSettings(
    allowed_email_domains=("example.com", "Research.Example.org"),
    owners={"alpha-oncall": "Alpha-Oncall@Example.com", "outsider": "outsider@elsewhere.net"},
)


@pytest.mark.parametrize(
    ("owner", "email"),
    [
        ("owner@example.com", "owner@example.com"),
        (" Owner@Example.COM ", "owner@example.com"),
        ("owner@research.example.org", "owner@research.example.org"),
        ("Alpha-OnCall", "alpha-oncall@example.com"),
    ],
)
def test_an_owner_inside_the_allowed_domains_is_written_to(owner: str, email: str) -> None:
    assert recipient_of(owner, "vision", SETTINGS).email == email


@pytest.mark.case("NO-07")
@pytest.mark.parametrize(
    ("owner", "said"),
    [
        ("jane@corp.com", "outside notifications.allowed_email_domains"),
        ("outsider", "outside notifications.allowed_email_domains"),
        ("owner@sub.example.com", "outside notifications.allowed_email_domains"),
        ("owner@example.com.elsewhere.net", "outside notifications.allowed_email_domains"),
        ("stranger@elsewhere.net,owner@example.com", "no e-mail address"),
        ("stranger@elsewhere.net@example.com", "no e-mail address"),
        ("owner@example.com\nBcc: stranger@elsewhere.net", "no e-mail address"),
        ("Owner <owner@example.com>", "no e-mail address"),
        ("owner@ex\N{CYRILLIC SMALL LETTER A}mple.com", "no e-mail address"),
        ("jane", "no e-mail address"),
        (f"{'o' * 300}@example.com", "no e-mail address"),
        (None, "nobody is known"),
        (" ", "nobody is known"),
    ],
)
def test_an_owner_who_cannot_be_reached_is_told_in_the_teams_channel(owner: str | None, said: str) -> None:
    recipient = recipient_of(owner, "vision", SETTINGS)
    assert recipient.email is None
    assert said in recipient.reason
    assert recipient.reason.endswith("it goes to the channel of team vision")


def test_without_allowed_domains_nobody_is_written_to_directly() -> None:
    assert recipient_of("owner@example.com", "vision", RecipientSettings()).email is None


@given(st.text(max_size=60) | st.from_regex(r"[\w.@ ]{1,40}@example\.com", fullmatch=True))
def test_whatever_an_owner_tag_says_only_an_allowed_domain_is_written_to_and_no_address_is_in_the_reason(
    owner: str,
) -> None:
    recipient = recipient_of(owner, "vision", SETTINGS)
    assert "@" not in recipient.reason
    if recipient.email:
        assert recipient.email.isascii()
        assert recipient.email.partition("@")[2] in {"example.com", "research.example.org"}
