"""What AWS evaluates in IAM for a call: action, every resource and the request's own condition keys.

Used where MiniStack evaluates `*` or an operation name although AWS evaluates something narrower, so that a
least-privilege policy written for AWS works here unchanged. Source: the Service Authorization Reference.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from typing import Any

# Batch operations have no IAM action of their own.
SINGLE_ACTION = {
    "sqs:SendMessageBatch": "sqs:SendMessage",
    "sqs:DeleteMessageBatch": "sqs:DeleteMessage",
    "sqs:ChangeMessageVisibilityBatch": "sqs:ChangeMessageVisibility",
    "sns:PublishBatch": "sns:Publish",
}
LOG_STREAM_ACTIONS = frozenset(
    f"logs:{name}"
    for name in ("CreateLogStream", "DeleteLogStream", "PutLogEvents", "GetLogEvents", "DescribeLogStreams",
                 "FilterLogEvents", "StartQuery")
)  # fmt: skip


class Evaluated(str):
    """A resource ARN that also carries the other resources and condition keys of the same call."""

    __slots__ = ("context", "others")
    others: tuple[str, ...]
    context: Mapping[str, Any]

    @classmethod
    def of(cls, resources: tuple[str, ...], context: Mapping[str, Any]) -> "Evaluated":
        """The first resource, with the rest at hand."""
        made = cls(resources[0])
        made.others, made.context = resources[1:], context
        return made


@dataclass(frozen=True)
class Call:
    """One request to an AWS service, as far as authorisation looks at it."""

    service: str
    action: str
    path: str
    body: bytes
    query: Mapping[str, Any]
    region: str
    account: str
    generic: str
    ses_identities: Callable[[], frozenset[str]] = field(default=frozenset)

    def arn(self, service: str, rest: str, *, region: str | None = None) -> str:
        """An ARN in the caller's account."""
        return f"arn:aws:{service}:{self.region if region is None else region}:{self.account}:{rest}"

    def json(self) -> dict[str, Any]:
        """The JSON body, empty when there is none."""
        try:
            body = json.loads(self.body or b"{}")
        except (ValueError, UnicodeDecodeError):
            return {}
        return body if isinstance(body, dict) else {}

    def value(self, name: str) -> str:
        """A parameter from the JSON body or the query."""
        found = self.json().get(name) or self.query.get(name) or ""
        found = found[0] if isinstance(found, list) and found else found
        return found if isinstance(found, str) else ""


def evaluated(call: Call) -> Evaluated:
    """The resources and condition keys for the call; the generic resource when nothing is known to be better."""
    narrower = NARROWER.get(call.service)
    resources, context = narrower(call) if narrower else ((), {})
    return Evaluated.of(resources or (call.generic,), context)


def _events(call: Call) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Rules of the default bus have no bus in their ARN; targets name their rule as `Rule`."""
    if call.action == "events:PutEvents" or call.generic.endswith(":*"):
        return (), {}
    rule = call.value("Rule") or (call.value("Name") if "Rule" in call.action else "")
    if not rule:
        return (), {}
    bus = call.value("EventBusName").rpartition("/")[2] or "default"
    return (call.arn("events", f"rule/{rule}" if bus == "default" else f"rule/{bus}/{rule}"),), {}


def _ssm(call: Call) -> tuple[tuple[str, ...], dict[str, Any]]:
    """GetParameters is evaluated on every name, GetParametersByPath on its path."""
    body = call.json()
    if call.action == "ssm:GetParametersByPath":
        names = [str(body.get("Path", ""))]
    elif call.action in {"ssm:GetParameters", "ssm:DeleteParameters"}:
        names = [str(name) for name in body.get("Names", [])]
    else:
        return (), {}
    return tuple(call.arn("ssm", f"parameter/{name.lstrip('/')}") for name in names), {}


def _ses(call: Call) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Sending is evaluated on the verified identity (address before domain) and on the configuration set.

    With neither verified the address stands, so that SES itself can say what is wrong.
    """
    if call.action not in {"ses:SendEmail", "ses:SendRawEmail", "ses:SendBulkEmail"}:
        return (), {}
    body = call.json()
    address = parseaddr(call.value("FromEmailAddress") or call.value("Source"))[1]
    if not address:
        return (), {}
    domain, verified = address.rpartition("@")[2], call.ses_identities()
    identity = domain if domain in verified and address not in verified else address
    resources = [str(body.get("FromEmailAddressIdentityArn") or call.arn("ses", f"identity/{identity}"))]
    if name := body.get("ConfigurationSetName"):
        resources.append(call.arn("ses", f"configuration-set/{name}"))
    context: dict[str, Any] = {"ses:FromAddress": address}
    destination = body.get("Destination", {})
    if recipients := [
        to for kind in ("ToAddresses", "CcAddresses", "BccAddresses") for to in destination.get(kind, [])
    ]:
        context["ses:Recipients"] = recipients
    return tuple(resources), context


def _logs(call: Call) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Actions on events are evaluated on the log stream, with an empty name when the call names none."""
    group = call.value("logGroupName")
    if not group or call.action not in LOG_STREAM_ACTIONS:
        return (), {}
    return (call.arn("logs", f"log-group:{group}:log-stream:{call.value('logStreamName')}"),), {}


def _cloudwatch(call: Call) -> tuple[tuple[str, ...], dict[str, Any]]:
    """PutMetricData has no resource but a namespace key; dashboards have an ARN without Region."""
    namespace = call.value("Namespace")
    context = {"cloudwatch:namespace": namespace} if namespace else {}
    if dashboard := call.value("DashboardName"):
        return (call.arn("cloudwatch", f"dashboard/{dashboard}", region=""),), context
    return (), context


def _scheduler(call: Call) -> tuple[tuple[str, ...], dict[str, Any]]:
    """A schedule's ARN names its group."""
    group = call.value("GroupName") or call.value("groupName")
    if not group or ":schedule/default/" not in call.generic:
        return (), {}
    return (call.generic.replace(":schedule/default/", f":schedule/{group}/"),), {}


NARROWER: dict[str, Callable[[Call], tuple[tuple[str, ...], dict[str, Any]]]] = {
    "events": _events,
    "logs": _logs,
    "monitoring": _cloudwatch,
    "scheduler": _scheduler,
    "ses": _ses,
    "ssm": _ssm,
}
