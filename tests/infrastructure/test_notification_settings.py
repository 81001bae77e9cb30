"""Channels and routes in a settings file: what is refused, and what a deployment makes of them."""

from pathlib import Path

import pytest

from stacks.settings import Settings
from tests.infrastructure.test_settings import fault_of


@pytest.mark.case("NO-23")
@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("notifications: {allowed_email_domains: ['@example.com']}", ["allowed_email_domains[0]:", "without @"]),
        ("notifications: {owners: {alpha: nobody}}", ["notifications.owners.alpha:", "an e-mail address"]),
        (
            "notifications: {allowed_email_domains: [example.com], owners: {alpha: alpha@sub.example.com}}",
            ["notifications:", "owners.alpha with an address inside allowed_email_domains"],
        ),
        ("notifications: {slack: {channel: '#a'}}", ["notifications.slack:", "secret_name together with channel"]),
        ("notifications: {slack: {secret_name: s, channel: general}}", ["notifications.slack.channel:", "C…"]),
        ("notifications: {amazon_q: {workspace_id: T0123456789}}", ["notifications.amazon_q.channel_id"]),
        ("notifications: {sns_topic: 'yes'}", ["notifications.sns_topic:", "true or false"]),
        ("notifications: {routes: [{to: [mail]}]}", ["notifications.routes[0].to[0]:", "amazon_q, owner"]),
        (
            "notifications: {routes: [{team: [a]}]}",
            ["notifications.routes[0].team: unknown key", "did you mean teams?"],
        ),
        ("notifications: {routes: [{statuses: [Fail]}]}", ["notifications.routes[0].statuses[0]:", "Failed?"]),
        ("notifications: {routes: [{teams: [a]}]}", ["notifications.routes[0]:", "either to"]),
        ("notifications: {routes: [{to: [], mute_until: '2026-04-01'}]}", ["notifications.routes[0]:", "either to"]),
        ("notifications: {routes: [{mute_until: 2026-04-01}]}", ["notifications.routes[0].mute_until:", "in quotes"]),
        ("notifications: {routes: [{mute_until: soon}]}", ["notifications.routes[0].mute_until:", '"2026-04-01"']),
        ("notifications: {routes: [{to: [slack]}]}", ["routes[0].to with slack only together with slack.secret_name"]),
        (
            "notifications: {slack: {secret_name: s}, routes: [{to: ['#a']}]}",
            ["with #a only together with slack.channel"],
        ),
        ("notifications: {routes: [{to: [email]}]}", ["with email only together with email.recipients"]),
        ("notifications: {routes: [{to: [a@b.example]}]}", ["a@b.example only together with email.sender"]),
        ("notifications: {routes: [{to: [sns]}]}", ["with sns only together with sns_topic: true"]),
        ("notifications: {routes: [{to: [amazon_q]}]}", ["with amazon_q only together with amazon_q"]),
        ("notifications: {routes: [{to: [owner]}]}", ["with owner only together with allowed_email_domains"]),
        (
            "teams: {vision: {}}\nnotifications: {routes: [{teams: [visoin], to: []}]}",
            ["notifications:", "routes[0].teams among the deployment's teams: vision; unknown: visoin"],
        ),
    ],
)
def test_a_route_or_channel_that_cannot_work_is_refused_before_anything_is_deployed(
    tmp_path: Path, text: str, fragments: list[str]
) -> None:
    fault = fault_of(tmp_path / "settings.yaml", text)
    for fragment in fragments:
        assert fragment in fault


def test_a_table_that_would_not_fit_into_a_functions_environment_is_refused(tmp_path: Path) -> None:
    routes = "".join(f"    - {{statuses: [Failed], to: [email, ops{number}@b.example]}}\n" for number in range(40))
    mail = "{sender: a@b.example, recipients: [c@b.example]}"
    text = f"notifications:\n  email: {mail}\n  routes:\n{routes}"
    assert "routes of at most 1500 bytes" in fault_of(tmp_path / "settings.yaml", text)


def test_the_simple_configuration_of_one_webhook_and_one_list_needs_no_route() -> None:
    chosen = Settings.model_validate(
        {"notifications": {"slack": {"secret_name": "s"}, "email": {"recipients": ["a@b.example"]}}}
    ).notifications
    assert (chosen.default_channels, chosen.route_table) == (("slack", "email"), ())
    assert chosen.told == chosen.statuses


def test_a_status_that_only_a_route_names_reaches_the_notification_function() -> None:
    routes = [{"statuses": ["Started", "Failed"], "to": []}]
    told = Settings.model_validate({"notifications": {"statuses": ["Failed"], "routes": routes}}).notifications.told
    assert told == ("Failed", "Started")
