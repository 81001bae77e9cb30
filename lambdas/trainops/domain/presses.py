"""A press of a button in a chat: who wants what done with which warm pool, whether they may, and what became of it.

The ledger keeps every press that was looked at. Pure; `chat_action_work` asks who it is, `warm_pool_control` does it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from trainops.domain.cards import ActionName
from trainops.domain.training_jobs import JobKey

PRESS_DETAIL_TYPE = "Warm Pool Press"
ANSWER_DETAIL_TYPE = "Warm Pool Answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """`id` is the same for every repetition of one press. `user` is the chat's own ID of a person; `answer_to` takes
    answers for half an hour; `until` is set for a hold, `thread` when the message is known.
    """

    id: str
    action: ActionName
    key: JobKey
    user: str
    at: datetime
    answer_to: str
    until: datetime | None = None
    thread: str | None = None

    def to_message(self) -> dict[str, Any]:
        """The press as a queue's message."""
        detail = {
            "id": self.id,
            "action": self.action.value,
            "arn": self.key.arn,
            "created": self.key.created.isoformat(),
            "user": self.user,
            "until": self.until.isoformat() if self.until else None,
            "answer_to": self.answer_to,
            "thread": self.thread,
        }
        return {"detail-type": PRESS_DETAIL_TYPE, "source": "trainops", "time": self.at.isoformat(), "detail": detail}

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> Self:
        """The press in a message. Raises KeyError, TypeError or ValueError when it is none."""
        detail = message["detail"]
        return cls(
            id=str(detail["id"]),
            action=ActionName(detail["action"]),
            key=JobKey.of(detail["arn"], datetime.fromisoformat(detail["created"])),
            user=str(detail["user"]),
            at=datetime.fromisoformat(message["time"]),
            until=datetime.fromisoformat(detail["until"]) if detail["until"] else None,
            answer_to=str(detail["answer_to"]),
            thread=detail["thread"],
        )

    def answered(self, text: str, *, to_all: bool) -> dict[str, Any]:
        """The answer as a queue's message: for everybody in the thread, or for whoever pressed."""
        detail = {"text": text, "answer_to": self.answer_to, "thread": self.thread, "to_all": to_all}
        return {"detail-type": ANSWER_DETAIL_TYPE, "source": "trainops", "time": self.at.isoformat(), "detail": detail}


class PressState(StrEnum):
    """`allowed`: on its way. `refused`: the person may not. `done`: dealt with, whether or not anything was changed."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRecord:
    """The ledger's item: who pressed what, and what they were told. `keep_until` is an extension's end, fixed when it
    is first tried, so that a repetition extends no further.
    """

    press: Press
    person: str | None
    """The e-mail address by which the person was recognised."""
    team: str
    state: PressState
    said: str
    keep_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatUser:
    """A person as the chat knows them. `email` is None when it is not shown to us."""

    id: str
    workspace: str | None
    email: str | None
    guest: bool
    active: bool


def why_not(user: ChatUser | None, workspace: str, team: str, people: Collection[str]) -> str | None:
    """Why this person may not act on a team's pools, in words for them; None when they may."""
    if user is None or not user.active or user.workspace != workspace:
        return "Slack does not know you as a member of the workspace that trainops is set up for."
    if user.guest:
        return "Guests of the workspace cannot act on warm pools."
    if user.email is None:
        return "Slack does not show your e-mail address to trainops, so it cannot tell which team you are in."
    if user.email.casefold() not in {address.casefold() for address in people}:
        return f"You are not among the owners or members of team {team}, so its warm pools are not yours to change."
    return None
