"""`trainops why JOB`: reads the ledger and says why a job took no warm pool, or left none."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Console

from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.quota_ledger import DynamoQuotaLedger
from trainops.workflows.pool_misses import PoolAnswers
from trainops_cli.deployed import said_plainly
from trainops_cli.why.answer import Answer, answer
from trainops_cli.why.ledger import Deployment, region_of
from trainops_cli.why.report import as_json, lines

HELP = """Why did [bold]JOB[/bold] start cold, or leave no warm pool? Says which fields differ from the nearest pool, or
what had become of it, from the ledger alone: SageMaker is not asked, and nothing is changed.

Needs cloudformation:DescribeStacks on the foundation stack; dynamodb:Query, GetItem and BatchGetItem on the ledger and
Query on its index."""


def why(
    job: Annotated[str, typer.Argument(metavar="JOB", help="A training job's name, or its ARN.")],
    *,
    region: Annotated[str | None, typer.Option(show_default="the ARN's, else the configured one")] = None,
    deployment: Annotated[str, typer.Option(help="The name in the deployment's settings.")] = "trainops",
    as_json_text: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Looks, and shows; what a person sees as help is `HELP`."""
    with said_plainly():
        found, table = _looked_up(job, region, deployment)
    if as_json_text:
        typer.echo(json.dumps(as_json(found, table), indent=1))
        return
    console = Console()
    for line in lines(found, table):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _looked_up(job: str, region: str | None, name: str) -> tuple[Answer, str]:
    where = region_of(job)
    deployment = Deployment.found(name, region or where)
    table = LedgerTable(deployment.dynamodb, deployment.table)
    ledger, pools = DynamoLedger(table), DynamoPoolLedger(table)
    misses = PoolAnswers(pools, DynamoQuotaLedger(table))
    return answer(deployment.job_arn(job), ledger, pools, misses, datetime.now(UTC)), deployment.table
