"""What the workflows behind the buttons in a chat need from the outside world; the rest is in `ports`."""

from typing import Protocol

from trainops.domain.presses import ChatUser, Press, PressRecord


class ChatUsers(Protocol):
    """The people of a chat."""

    def user(self, user_id: str) -> ChatUser | None:
        """A person by the chat's own ID; None when it knows none. Raises NotConfigured when we may not ask."""


class ChatAnswers(Protocol):
    """The way back to a message whose button was pressed."""

    def say(self, answer_to: str, text: str, *, thread: str | None, to_all: bool) -> None:
        """Answer in the message's thread, or to the presser alone. Raises TryLater, and Refused when it is too late."""


class Presses(Protocol):
    """The part of the ledger that remembers presses."""

    def begin(self, record: PressRecord) -> PressRecord:
        """Write it unless there is one already, and return the one that is there now."""

    def get(self, press: Press) -> PressRecord | None:
        """The item of a press."""

    def put(self, record: PressRecord) -> None:
        """Replace it: one message works on a press at a time, and its result is the same each time."""
