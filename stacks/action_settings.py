"""Buttons in Slack: off unless a workspace is named."""

from typing import Annotated

from stacks.setting_types import Choices, Text, form

Workspace = Annotated[Text, form(r"T[A-Z0-9]{8,20}", "a Slack workspace's ID such as T0123ABCD (not its name)")]


class ActionSettings(Choices):
    """With a workspace, messages about warm pools of the teams have buttons, which people of the team may press."""

    slack_workspace: Workspace | None = None

    def missing(self, secret_name: str | None, teams: object) -> str | None:
        """What the rest of the settings lacks for them, or None."""
        if self.slack_workspace and not secret_name:
            return (
                "actions together with notifications.slack.secret_name; the secret also holds signing_secret and token"
            )
        if self.slack_workspace and not teams:
            return "actions together with teams; people may act on the pools of their own team only"
        return None
