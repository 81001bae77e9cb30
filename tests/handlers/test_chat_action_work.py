"""Who may press: the person Slack knows, in the team that the ledger knows, by the settings that are in force."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tests.builders import job, record
from tests.chat import USER, WORKSPACE, FakeAnswers, FakePresses, FakeUsers, member, press_event
from tests.fakes import FakeLedger, FakeQueue
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.chat_requests import press_in, request_of
from trainops.domain.presses import Press, PressState
from trainops.errors import PoisonMessage, Refused, TryLater
from trainops.outcomes import Outcome
from trainops.telemetry import Metric
from trainops.workflows.chat_action_work import ChatActionWork


@dataclass
class Office:
    """A job of team vision, whose people are one member, and everything around it."""

    users: FakeUsers = field(default_factory=FakeUsers)
    answers: FakeAnswers = field(default_factory=FakeAnswers)
    presses: FakePresses = field(default_factory=FakePresses)
    control: FakeQueue = field(default_factory=FakeQueue)
    ledger: FakeLedger = field(default_factory=FakeLedger)
    team: str = "vision"

    def __post_init__(self) -> None:
        known = replace(record(job()), team=self.team)
        self.ledger.items[known.job.key] = known
        vision = settings(people=("Vision-OnCall@example.com",))
        self.settings = FakeSettings(settings(), {"vision": vision}, known={"vision", "language"})

    def handle(self, message: dict[str, Any]) -> Outcome:
        return ChatActionWork(
            ledger=self.ledger,
            settings=self.settings,
            users=self.users,
            answers=self.answers,
            presses=self.presses,
            control=self.control,
            workspace=WORKSPACE,
        )(message)


def pressed(**changes: Any) -> Press:
    return press_in(request_of(press_event("extend", **changes)), WORKSPACE, None)


def test_a_member_of_the_team_is_handed_on_and_remembered_by_name() -> None:
    office, press = Office(), pressed()
    outcome = office.handle(press.to_message())
    assert [Press.from_message(message) for message in office.control.sent] == [press]
    [kept] = office.presses.items.values()
    assert (kept.person, kept.team, kept.state) == ("vision-oncall@example.com", "vision", PressState.ALLOWED)
    assert office.answers.said == []
    assert "@" not in outcome.reason, "no address in a log"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"email": "somebody@example.com"}, "not among the owners or members of team vision"),
        ({"email": None}, "does not show your e-mail address"),
        ({"guest": True}, "Guests of the workspace"),
        ({"active": False}, "does not know you as a member"),
        ({"workspace": "T0OTHER99"}, "does not know you as a member"),
    ],
)
def test_others_are_refused_to_their_face_alone_and_counted(changes: dict[str, Any], words: str) -> None:
    office = Office(FakeUsers({USER: member(**changes)}))
    outcome = office.handle(pressed().to_message())
    assert outcome.counts == {Metric.PRESSES_REFUSED: 1}
    assert office.control.sent == []
    [(_, said, to_all)] = office.answers.said
    assert words in said
    assert not to_all
    [kept] = office.presses.items.values()
    assert kept.state is PressState.REFUSED


def test_somebody_slack_does_not_know_and_a_team_without_settings_are_refused() -> None:
    unknown = Office(FakeUsers({}))
    assert Metric.PRESSES_REFUSED in unknown.handle(pressed().to_message()).counts
    free_tag = Office(team="anything")
    free_tag.settings.chosen = settings(people=("vision-oncall@example.com",))
    assert Metric.PRESSES_REFUSED in free_tag.handle(pressed().to_message()).counts
    assert free_tag.control.sent == unknown.control.sent == []


def test_a_job_that_the_ledger_does_not_know_is_not_asked_about() -> None:
    office = Office()
    office.ledger.items.clear()
    office.handle(pressed().to_message())
    assert "ledger does not know" in office.answers.said[0][1]
    assert office.control.sent == []


def test_a_repetition_before_the_end_is_handed_on_again_and_after_it_is_not() -> None:
    office, press = Office(), pressed()
    office.handle(press.to_message())
    office.handle(press.to_message())
    assert len(office.control.sent) == 2, "the first may have died before it was sent"
    office.presses.put(replace(office.presses.items[press.id], state=PressState.DONE))
    office.handle(press.to_message())
    assert len(office.control.sent) == 2


def test_an_answer_goes_to_the_thread_and_one_that_is_too_late_is_let_go() -> None:
    office, press = Office(), pressed()
    message = press.answered("It was ended.", to_all=True)
    office.handle(message)
    assert office.answers.said == [(press.answer_to, "It was ended.", True)]
    office.answers.fault = Refused("expired_url")
    assert "not answered" in office.handle(message).reason
    office.answers.fault = TryLater("HTTP 503")
    with pytest.raises(TryLater):
        office.handle(message)
    office.answers.fault = KeyError("a fault of ours")
    with pytest.raises(KeyError):
        office.handle(message)


@pytest.mark.parametrize("message", [{}, {"detail-type": "Warm Pool Answer", "detail": {}}, {"detail": {"id": "x"}}])
def test_what_is_neither_is_parked(message: dict[str, Any]) -> None:
    with pytest.raises(PoisonMessage, match="neither a press nor an answer"):
        Office().handle(message)
