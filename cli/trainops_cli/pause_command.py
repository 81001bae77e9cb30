"""`trainops pause` and `trainops resume`: the kill switch, with the name of who turned it.

The switch is one SSM parameter: any value but `off` stops every action (`trainops.adapters.kill_switch`), so the value
is also where it says who paused, when and why.
"""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from trainops_cli.deployed import Foundation, Mistake, said_plainly

OUTPUT, OFF = "KillSwitchName", "off"
LONGEST = 500
STOPS = """Within half a minute: no message is sent, no warm pool is ended, held or extended, no button does
anything, and no quota is asked for by the tracker. Jobs and pools are still recorded. What is not sent meanwhile is not
sent later."""
PAUSE = f"""Stop every action of a deployment, without a deploy. {STOPS}

Needs cloudformation:DescribeStacks on the foundation stack, ssm:GetParameter and PutParameter on the kill switch, and
sts:GetCallerIdentity."""
RESUME = """Let a paused deployment act again, and say who had paused it. What was suppressed is not made up for.

Needs cloudformation:DescribeStacks on the foundation stack, ssm:GetParameter and PutParameter on the kill switch."""

Region = Annotated[str | None, typer.Option(show_default="the configured one")]
Name = Annotated[str, typer.Option(help="The name in the deployment's settings.")]


def pause(
    *,
    reason: Annotated[str, typer.Option(help="Why, for whoever wonders; kept in the parameter.")] = "no reason given",
    region: Region = None,
    deployment: Name = "trainops",
) -> None:
    """Turns the switch on, unless it is; what a person sees as help is `PAUSE`."""
    with said_plainly():
        if len(reason) > LONGEST:
            raise Mistake(f"--reason has {len(reason)} characters; accepted: at most {LONGEST}")
        foundation = Foundation.found(deployment, region)
        ssm, switch = _switch(foundation)
        before = _value(ssm, switch)
        if before != OFF:
            typer.echo(f"{deployment} was paused already and stays so: {before}")
            return
        who = foundation.session.client("sts").get_caller_identity()["Arn"]
        value = f"paused by {who} at {datetime.now(UTC):%Y-%m-%d %H:%M} UTC: {reason}"
        ssm.put_parameter(Name=switch, Value=value, Overwrite=True)
    typer.echo(f"{switch}: {value}\n{STOPS}\nTo go on: trainops resume")


def resume(*, region: Region = None, deployment: Name = "trainops") -> None:
    """Turns the switch off; what a person sees as help is `RESUME`."""
    with said_plainly():
        ssm, switch = _switch(Foundation.found(deployment, region))
        before = _value(ssm, switch)
        if before == OFF:
            typer.echo(f"{deployment} was not paused; nothing was changed")
            return
        ssm.put_parameter(Name=switch, Value=OFF, Overwrite=True)
    typer.echo(
        f"It was on: {before}\nNow {deployment} acts again, within half a minute. What was suppressed stays unsent."
    )


def paused(foundation: Foundation) -> str | None:
    """What the switch says while it is on, else None."""
    value = _value(*_switch(foundation))
    return None if value == OFF else value


def _switch(foundation: Foundation) -> tuple[Any, str]:
    return foundation.session.client("ssm"), foundation.output(OUTPUT)


def _value(ssm: Any, switch: str) -> str:
    """The value as the functions understand it, who take `OFF ` for off too."""
    try:
        value = str(ssm.get_parameter(Name=switch)["Parameter"]["Value"]).strip()
    except ssm.exceptions.ParameterNotFound as error:
        raise Mistake(
            f"the kill switch {switch} was deleted, and the functions wait for it; put it back: "
            f"aws ssm put-parameter --name {switch} --type String --value off"
        ) from error
    return OFF if value.lower() == OFF else value
