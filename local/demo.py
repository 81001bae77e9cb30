"""`make demo`: plays stories/three_jobs.yaml on an AWS on this machine and shows the messages that it leads to.

Everything is real but SageMaker itself: `cdk deploy`, IAM enforced on every call, the deployed functions, the events'
own rule. Ends with `demo: ok` and what was proven, or `demo: failed` with why and exit status 1.
"""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from local.laptop import Laptop
from local.problems import LaptopError
from local.reading import mail_panel, slack_panel
from local.stories.loading import load
from local.stories.on_laptop import LaptopWorld
from local.stories.running import StoryFailed, play
from local.stories.stage import clock, showing, staged

STORY = Path(__file__).with_name("stories") / "three_jobs.yaml"
PROVEN = (
    "cdk bootstrap and cdk deploy of both stacks, unchanged, with IAM enforced on every call",
    "three training jobs created by boto3; their own events matched by the deployed rule",
    "each function under its own role: intake, ledger, bus, notification, Slack and e-mail delivery",
    "10 Slack messages and 10 e-mails, each once: 3 starts, 2 interruptions, 2 restarts, 3 ends; no dead letter",
    "the failure's cause found in its text, spot savings of 80 % (100 of 500 s billed), the warm pool's price",
)

console = Console(highlight=False, width=100)


def demo(
    rate: Annotated[float | None, typer.Option(help="Let time run: simulated seconds per real second.")] = None,
) -> None:
    """Deploy to an AWS on this machine, run three training jobs and show the messages they lead to."""
    began = time.monotonic()
    loaded = load(STORY)
    try:
        with staged(loaded.story, console) as laptop:
            try:
                with LaptopWorld(laptop, clock(loaded.story, rate)) as world:
                    play(loaded, world, showing(console))
            finally:
                _show(laptop)
    except (StoryFailed, LaptopError) as error:
        console.print(f"\ndemo: failed: {error}", style="bold red", markup=False)
        sys.exit(1)
    console.print(f"\ndemo: ok in {time.monotonic() - began:.0f} s. Proven on this machine:", style="bold green")
    for line in PROVEN:
        console.print(f"  - {line}")
    console.print("Only a real account can prove what README.md lists under Limits.")


def _show(laptop: Laptop) -> None:
    console.print("\nWhat the channel shows:", style="bold")
    for message in laptop.slack.messages:
        console.print(slack_panel(message.body))
    console.print("\nWhat the mailbox holds (the ends; starts and interruptions look alike):", style="bold")
    for mail in laptop.mailbox.mails:
        if any(word in mail.subject for word in ("Completed", "Failed", "completed", "failed")):
            console.print(mail_panel(mail))
