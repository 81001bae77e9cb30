"""What a function of ours may change of a training job."""

import pytest

from stacks.building_blocks.job_updates import update_conditions
from stacks.permission_reasons import reason_for
from stacks.settings import Settings


def conditions(*periods: str) -> dict[str, object]:
    teams = {f"team-{number}": {"limits": {"keep_alive": period}} for number, period in enumerate(periods)}
    return dict(update_conditions(Settings.model_validate({"teams": teams}).teams))


@pytest.mark.parametrize(
    ("periods", "longest"),
    [((), "3600"), (("PT30M",), "1800"), (("PT30M", "PT2H", "PT0S"), "7200"), (("PT0S",), "0")],
)
def test_a_function_may_keep_a_pool_as_long_as_the_most_generous_team_and_must_say_how_long(
    periods: tuple[str, ...], longest: str
) -> None:
    assert conditions(*periods)["NumericLessThanEquals"] == {"sagemaker:KeepAlivePeriod": longest}


def test_a_function_never_turns_remote_debugging_on() -> None:
    assert conditions()["BoolIfExists"] == {"sagemaker:EnableRemoteDebug": "false"}


def test_the_reach_of_an_update_is_explained() -> None:
    assert reason_for("sagemaker:UpdateTrainingJob", "arn:aws:sagemaker:eu-central-1:111122223333:training-job/*")
