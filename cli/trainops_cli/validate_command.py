"""`trainops validate`: mistakes in training requests, explained before any call; for pre-commit and CI."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from botocore.exceptions import BotoCoreError, ClientError
from rich.console import Console

from trainops.domain.findings import Finding
from trainops.domain.team_facts import TeamFacts, UnreadableFacts
from trainops_cli.request_files import UnreadableFile, requests_in
from trainops_notebook.team_parameter import DEPLOYMENT, TeamUnknown, team_facts
from trainops_notebook.validation import validate

FOUND, UNUSABLE = 1, 2
"""Exit statuses: a request would be refused; nothing could be said."""

Files = Annotated[list[Path], typer.Argument(help="Requests as JSON or YAML.", exists=True, dir_okay=False)]
Team = Annotated[str | None, typer.Option(help="Also check this team's limits, read from its deployment.")]
Deployment = Annotated[str, typer.Option(help="The deployment's name.")]
FactsFile = Annotated[Path | None, typer.Option("--facts", help="The team's limits from this file, without a call.")]
Strict = Annotated[bool, typer.Option("--strict", help="Warnings count too.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON list on standard output.")]


def validate_files(  # noqa: PLR0917 - Typer passes options by name
    files: Files,
    team: Team = None,
    deployment: Deployment = DEPLOYMENT,
    facts: FactsFile = None,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Explain what is wrong with the training requests in these files.

    Exit status 1 when SageMaker or the team's permissions would refuse one, 2 when a file or the team cannot be read.
    """
    try:
        limits = _facts(team, deployment, facts)
        found = [
            (place, finding)
            for path in files
            for place, request in requests_in(path)
            for finding in validate(request, facts=limits)
        ]
    except (UnreadableFile, UnreadableFacts, TeamUnknown, BotoCoreError, ClientError) as error:
        Console(stderr=True).print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(UNUSABLE) from error
    (_print_json if as_json else _print)(found)
    if any(strict or finding.severity == "error" for _, finding in found):
        raise typer.Exit(FOUND)


def _facts(team: str | None, deployment: str, file: Path | None) -> TeamFacts | None:
    if file is not None:
        try:
            return TeamFacts.from_document(json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise UnreadableFacts(f"{file}: {error}") from error
    return team_facts(team, deployment=deployment) if team else None


def _print(found: list[tuple[str, Finding]]) -> None:
    console, place_before = Console(highlight=False), None
    for place, finding in found:
        if place != place_before:
            console.print(place, style="bold", markup=False, soft_wrap=True)
        place_before = place
        colour = "red" if finding.severity == "error" else "yellow"
        console.print(f"  {finding}", style=colour, markup=False, soft_wrap=True)


def _print_json(found: list[tuple[str, Finding]]) -> None:
    rows: list[dict[str, Any]] = [{"file": place, **asdict(finding)} for place, finding in found]
    typer.echo(json.dumps(rows, indent=2, ensure_ascii=False, default=str))
