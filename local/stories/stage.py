"""Sets the stage for a story at a terminal: a laptop of its own with trainops deployed, and lines of what happens."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import yaml
from rich.console import Console

from local.account import CONFIG, furnish
from local.laptop import Laptop
from local.stories.format import Clock, Story
from local.stories.running import Watch


@contextmanager
def staged(story: Story, console: Console, settings: Path = CONFIG) -> Iterator[Laptop]:
    """Start, bootstrap and deploy the settings with the statuses that the story tells; a line for each step."""
    with Laptop() as laptop:
        _step(console, "local AWS up, IAM enforced", lambda: furnish(laptop))
        _step(console, "cdk bootstrap", laptop.bootstrap)
        _step(console, "cdk deploy --all", lambda: laptop.deploy(config=_config(story, laptop.state, settings)))
        yield laptop


def clock(story: Story, rate: float | None) -> Clock:
    """The story's clock, or one that runs at the rate that is asked for."""
    return story.clock if rate is None else Clock(rate=rate)


def showing(console: Console) -> Watch:
    """Prints the moment, the job and what happened."""

    def show(moment: datetime, job: str, what: str) -> None:
        console.print(f"  {moment:%H:%M:%S}  {job:<18} {what}")

    return show


def _config(story: Story, folder: Path, file: Path) -> Path:
    """A file of choices with the story's statuses and teams."""
    settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    settings["notifications"]["statuses"] = list(story.tells)
    settings["teams"] = {**settings.get("teams", {}), **story.teams}
    chosen = folder / "story.yaml"
    chosen.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return chosen


def _step(console: Console, what: str, run: Callable[[], None]) -> None:
    began = time.monotonic()
    with console.status(what):
        run()
    console.print(f"  {what} ({time.monotonic() - began:.0f} s)")
