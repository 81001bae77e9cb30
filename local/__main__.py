"""The command line of the local AWS: `python -m local --help`."""

import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from local.account import CONFIG, QUOTAS, furnish, role_arn
from local.cdk import ROOT
from local.demo import demo
from local.laptop import Laptop
from local.notebooks import notebooks
from local.page.messages import messages
from local.page.pictures import pictures
from local.page.server import serving
from local.problems import LaptopError, need_port
from local.reading import slack_panel
from local.stories.command import story

STATE = ROOT / ".local"
app = typer.Typer(
    help="AWS on this machine: real `cdk deploy`, enforced IAM, simulated SageMaker training jobs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(demo)
app.command()(story)
app.command()(notebooks)
app.command()(messages)
app.command()(pictures)
console = Console()

Port = Annotated[int, typer.Option(help="Port of the AWS endpoint on 127.0.0.1.")]
Rate = Annotated[float, typer.Option(help="Simulated seconds per real second, e.g. 60: an hour passes in a minute.")]
PagePort = Annotated[int, typer.Option(help="Port of the page on 127.0.0.1; 0 takes a free one.")]
Config = Annotated[Path, typer.Option(help="The YAML file of choices to deploy.", exists=True, dir_okay=False)]


@app.command()
def up(port: Port = 4566, page_port: PagePort = 4567, rate: Rate = 1.0, config: Config = CONFIG) -> None:
    """Start the local AWS, bootstrap it, deploy trainops and stay until Ctrl-C; nothing is left behind."""
    need_port(page_port, "--page-port")
    with (
        suppress(KeyboardInterrupt),
        Laptop(port=port, state=STATE, clock_rate=rate) as laptop,
        serving(laptop, page_port) as page,
    ):
        furnish(laptop)
        _timed("bootstrapped", laptop.bootstrap)
        _timed("deployed", lambda: laptop.deploy(config=config))
        show_addresses(laptop, page)
        slack, mailbox = laptop.slack.messages, laptop.mailbox.mails
        told, mailed = 0, 0
        while laptop.is_running():
            for message in slack[told:]:
                console.print(slack_panel(message.body))
            for mail in mailbox[mailed:]:
                console.print(f"e-mail for {', '.join(mail.recipients)}: {mail.subject}", highlight=False)
            told, mailed = len(slack), len(mailbox)
            time.sleep(0.5)
        raise LaptopError("the local AWS ended unexpectedly")
    console.print("ended")


def show_addresses(laptop: Laptop, page: str) -> None:
    """Say where everything is and how an ordinary client reaches it."""
    for name, value in {"page": page, **laptop.addresses()}.items():
        console.print(f"{name:<9} {value}", highlight=False, soft_wrap=True)
    variables = ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION")
    settings = " ".join(f"{name}={laptop.environ[name]}" for name in variables)
    console.print(f"\nIn another terminal:\n  export {settings}", highlight=False, soft_wrap=True)
    console.print(f"and create training jobs with the role {role_arn(laptop)}.", highlight=False, soft_wrap=True)
    granted = ", ".join(f"{name} {value}" for name, value in QUOTAS.items())
    console.print(f"Quotas are AWS's defaults, most of them 0, but for {granted}.", highlight=False, soft_wrap=True)
    console.print("Messages are shown here as they arrive. Ctrl-C ends it.\n", highlight=False)


def _timed(what: str, run: Callable[[], None]) -> None:
    began = time.monotonic()
    run()
    console.print(f"{what} in {time.monotonic() - began:.1f} s", highlight=False)


def _on_terminate(_number: int, _frame: object) -> NoReturn:
    """SIGTERM unwinds like Ctrl-C, so that everything is ended in order."""
    raise KeyboardInterrupt


def main() -> None:
    """Run a command; what is in the way is one line on standard error and exit status 1."""
    signal.signal(signal.SIGTERM, _on_terminate)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job starts with it ignored
    try:
        app()
    except LaptopError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
