"""Stories played with the deployed product; each leaves the account as it found it."""

from pathlib import Path

import pytest
import yaml

from local.stories.format import Clock
from local.stories.loading import load
from local.stories.on_laptop import LaptopWorld
from local.stories.running import StoryFailed, needs, play
from stacks.settings_file import load_settings
from tests.local.product import CONFIG, Product

pytestmark = pytest.mark.local
TOLD = load_settings(CONFIG).notifications.statuses
TEAMS = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["teams"]
WITH_PRODUCT = [
    file
    for file in sorted(Path("local/stories").glob("*.yaml"))
    if any(needs(story := load(file)))
    and story.story.tells == TOLD
    and all(TEAMS.get(name) == chosen for name, chosen in story.story.teams.items())
]
ALSO_HERE = [Path("local/stories", f"{name}.yaml") for name in ("sharing", "spot_day", "quota_zero", "changes")]
"""Played on the simulator alone, too: what they show holds behind IAM and over HTTP."""


def test_every_story_that_needs_this_product_is_played() -> None:
    assert {"bad_events", "channels", "failures", "spot_told", "team_day"} <= {file.stem for file in WITH_PRODUCT}


@pytest.mark.parametrize("file", WITH_PRODUCT + ALSO_HERE, ids=lambda file: file.stem)
def test_a_story_holds_with_the_deployed_product(product: Product, file: Path) -> None:
    story = load(file)
    with LaptopWorld(product.laptop, story.story.clock) as world:
        play(story, world)


def test_a_story_that_fails_leaves_the_account_as_it_was(product: Product, tmp_path: Path) -> None:
    file = tmp_path / "upset.yaml"
    file.write_text("""\
story: Everything is changed, and an expectation is not met.
quotas: {ml.g5.24xlarge: {training: 1, warm_pool: 1}}
limits: on
switches: {pool_pick: fifo, describe_lag_seconds: 1}
faults:
  events: {loss: 1}
  slack: {answers: 503, times: 9}
  kill_switch: on
people: {vision-oncall: {}}
day:
  - at: PT0S
    create: {job: upset-1, by: vision-oncall, type: ml.g5.24xlarge, keep_alive: PT1H}
finally:
  - {job: upset-1, status: Completed, pool: none, messages: 0}
ends: PT20M
""")
    before = state(product)
    fault = pytest.raises(StoryFailed, match="pool: upset-1 at PT20M: expected none, found Available")
    with fault, LaptopWorld(product.laptop, Clock()) as world:
        play(load(file), world)
    assert state(product) == before
    job = product.laptop.client("sagemaker").describe_training_job(TrainingJobName="upset-1")
    assert job["WarmPoolStatus"]["Status"] == "Terminated"


def state(product: Product) -> dict[str, object]:
    """What a story may change in the account."""
    laptop, control = product.laptop, product.laptop.control
    quotas = laptop.client("service-quotas").get_paginator("list_service_quotas").paginate(ServiceCode="sagemaker")
    faults = control.event_faults()
    limits = control.limits()
    return {
        "quotas": {quota["QuotaName"]: quota["Value"] for page in quotas for quota in page["Quotas"]},
        "enforced": control.quotas_enforced(),
        "limits": (limits["on"], limits["burst"]),
        "switches": control.switch(),
        "faults": {name: faults[name] for name in ("seed", "loss", "duplicates", "shuffle_window", "delay_seconds")},
        "rate": control.health()["rate"],
        "kill switch": laptop.client("ssm").get_parameter(Name="/trainops/kill-switch")["Parameter"]["Value"],
        "slack": sum(map(len, laptop.slack._failures.values())),
    }
