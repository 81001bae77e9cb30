"""What a card does to its conversation in Slack."""

import pytest

from trainops.domain.cards import Card, Tone
from trainops.domain.conversations import Root, Step, next_step


@pytest.mark.parametrize(
    ("root", "word", "step"),
    [
        (None, "Completed", Step.OPEN),
        ("Started", "Interrupted", Step.REPLY),
        ("Started", "Completed", Step.UPDATE),
        ("Interrupted", "Stopped", Step.UPDATE),
        ("Completed", "Started", Step.REPLY),
        ("Failed", "WarmPoolEnded", Step.REPLY),
        ("Completed", "Failed", Step.REPLY),
    ],
)
def test_the_first_message_never_goes_back(root: str | None, word: str, step: Step) -> None:
    said = Card(key="k", job_name="j", tone=Tone.GOOD, title="t", summary="s", word=word)
    assert next_step(Root("C1", "1.0", root) if root else None, said) is step
