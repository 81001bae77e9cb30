"""The console script: one app, one command for each thing a person does."""

import typer

from trainops_cli.check_command import HELP as CHECK
from trainops_cli.check_command import check
from trainops_cli.latency_command import HELP as LATENCY
from trainops_cli.latency_command import latency
from trainops_cli.quotas.command import app as quotas
from trainops_cli.replay.command import EXAMPLES, HELP, replay
from trainops_cli.validate_command import validate_files
from trainops_cli.why.command import HELP as WHY
from trainops_cli.why.command import why

app = typer.Typer(
    name="trainops",
    help="Operate Amazon SageMaker training: what the deployed functions decide, at your own prompt.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_show_locals=False,
)


@app.callback()
def trainops() -> None:
    """Operate Amazon SageMaker training: what the deployed functions decide, at your own prompt."""


app.command(help=HELP, epilog=EXAMPLES)(replay)
app.command(help=WHY)(why)
app.command(help=LATENCY)(latency)
app.command(help=CHECK)(check)
app.command(name="validate")(validate_files)
app.add_typer(quotas, name="quotas")

if __name__ == "__main__":
    app()
