"""`python -m local story FILE`: plays a story and gives a verdict, or only checks how it is written."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from local.stories.bare import BareWorld
from local.stories.loading import Loaded, load
from local.stories.on_laptop import LaptopWorld
from local.stories.running import StoryFailed, needs, play
from local.stories.source import StoryError
from local.stories.stage import clock, showing, staged

FAILED, BAD_FILE = 1, 2
console = Console(highlight=False, soft_wrap=True)
errors = Console(highlight=False, soft_wrap=True, stderr=True, style="red")

File = Annotated[Path, typer.Argument(help="A story, such as local/stories/sharing.yaml.")]
Check = Annotated[bool, typer.Option("--check", help="Say whether it is well written, and play nothing.")]
OnLaptop = Annotated[bool, typer.Option("--laptop", help="Deploy the product, also for a story that does without.")]
Rate = Annotated[
    float | None, typer.Option(min=0.1, help="Let time run on the laptop: simulated seconds per real second.")
]


def story(file: File, *, check: Check = False, laptop: OnLaptop = False, rate: Rate = None) -> None:
    """Play a scripted day; exit status 1 when an expectation is not met, 2 when the file cannot be used."""
    try:
        loaded = load(file)
        if not check:
            _play(loaded, rate, on_laptop=laptop or rate is not None or any(needs(loaded)))
    except StoryError as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(BAD_FILE) from error
    except StoryFailed as failure:
        errors.print(str(failure), markup=False)
        raise typer.Exit(FAILED) from failure
    if check:
        console.print(f"{file}: well written, {len(loaded.steps)} steps")


def _play(loaded: Loaded, rate: float | None, *, on_laptop: bool) -> None:
    console.print(loaded.story.story, style="bold")
    began = time.monotonic()
    if on_laptop:
        with staged(loaded.story, console) as laptop, LaptopWorld(laptop, clock(loaded.story, rate)) as world:
            play(loaded, world, showing(console))
    else:
        play(loaded, BareWorld(), showing(console))
    count = sum(step.where[0] != "day" for step in loaded.steps)
    console.print(f"{loaded.name}: ok, {count} expectations met in {time.monotonic() - began:.1f} s", style="green")
