"""From a press of a button to `warm_pool_control`, if the person may; and the answers back.

What is done to pools is control's alone: this function talks to Slack and may not change anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainops.chat_ports import ChatAnswers, ChatUsers, Presses
from trainops.domain.presses import ANSWER_DETAIL_TYPE, Press, PressRecord, PressState, why_not
from trainops.errors import Refused
from trainops.outcomes import Outcome
from trainops.ports import Ledger, Queue, TeamSettings
from trainops.telemetry import Metric
from trainops.workflows.reading import reading

UNKNOWN_JOB = "The ledger does not know this training job any more, so nothing was done."


@dataclass(frozen=True, slots=True)
class ChatActionWork:
    """Handles one press, or one answer; `control` is the queue of `warm_pool_control`."""

    ledger: Ledger
    settings: TeamSettings
    users: ChatUsers
    answers: ChatAnswers
    presses: Presses
    control: Queue
    workspace: str

    def __call__(self, message: Mapping[str, Any]) -> Outcome:
        """Raises PoisonMessage when it is neither, NotConfigured and TryLater."""
        with reading("neither a press nor an answer"):
            wanted = _answer_in(message) or Press.from_message(message)
        return self._press(wanted) if isinstance(wanted, Press) else self._answer(*wanted)

    def _press(self, press: Press) -> Outcome:
        record = self._judged(press)
        known = self.presses.begin(record)
        if known.state is PressState.DONE:
            return Outcome(f"{press.action} by {press.user}: was dealt with before", job=press.key.arn)
        if known.state is PressState.REFUSED:
            self._answer(press.answer_to, known.said, press.thread, to_all=False)
            reason = f"{press.action} by {press.user} refused: {known.said}"
            return Outcome(reason, {Metric.PRESSES_REFUSED: 1}, press.key.arn)
        self.control.send([press.to_message()])
        return Outcome(f"{press.action} by {press.user}, of team {known.team}: on its way", job=press.key.arn)

    def _judged(self, press: Press) -> PressRecord:
        """Whether the person may, from the ledger's team of the job and Slack's word on the person."""
        job, user = self.ledger.job(press.key), self.users.user(press.user)
        team = job.team if job else "-"
        people = self.settings.for_team(team).people if job and self.settings.counted_as(team) == team else ()
        refusal = why_not(user, self.workspace, team, people) if job else UNKNOWN_JOB
        return PressRecord(
            press=press,
            person=user.email if user else None,
            team=team,
            state=PressState.REFUSED if refusal else PressState.ALLOWED,
            said=refusal or "on its way",
        )

    def _answer(self, answer_to: str, text: str, thread: str | None, to_all: bool) -> Outcome:
        try:
            self.answers.say(answer_to, text, thread=thread, to_all=to_all)
        except Refused as refusal:
            return Outcome(f"not answered: {refusal}")
        return Outcome("answered")


def _answer_in(message: Mapping[str, Any]) -> tuple[str, str, str | None, bool] | None:
    """Where to, what, in which thread, and whether everybody may see it; None when it is not an answer."""
    if message.get("detail-type") != ANSWER_DETAIL_TYPE:
        return None
    detail = message["detail"]
    return detail["answer_to"], detail["text"], detail["thread"], detail["to_all"]
