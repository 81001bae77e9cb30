"""Puts the three quota functions together: the same ledger and the same look at a wish on each side."""

from datetime import UTC, datetime

from trainops.adapters.at_deployment import AtDeployment
from trainops.adapters.aws import client
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.live_jobs import SearchedJobs
from trainops.adapters.messaging import EventBridgeBus
from trainops.adapters.pace import Pace
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.quota_codes import published_codes
from trainops.adapters.quota_ledger import DynamoQuotaLedger
from trainops.adapters.scheduled import ScheduledTask
from trainops.adapters.service_quotas import ServiceQuotas
from trainops.environment import QuotaRefusal as RefusalEnvironment
from trainops.environment import QuotaRequest as RequestEnvironment
from trainops.environment import QuotaTracker as TrackerEnvironment
from trainops.workflows.quota_refusal import QuotaRefusal
from trainops.workflows.quota_request import QuotaRequest
from trainops.workflows.quota_tracker import QuotaTracker
from trainops.workflows.quota_turn import QuotaTurn


def quota_request(env: RequestEnvironment) -> AtDeployment:
    """The custom resource's function. CloudFormation's requests carry no time, so this one reads the clock."""
    return AtDeployment(QuotaRequest(_ledger(env.ledger_table), QuotaTurn(_quotas(env)), lambda: datetime.now(UTC)))


def quota_tracker(env: TrackerEnvironment) -> ScheduledTask:
    """The scheduled follow-up."""
    switch = SsmKillSwitch.of(client("ssm"), env.kill_switch_parameter)
    tracker = QuotaTracker(
        ledger=_ledger(env.ledger_table),
        turn=QuotaTurn(_quotas(env), switch.is_on),
        jobs=SearchedJobs(client("sagemaker"), Pace(env.search_spacing)),
        bus=EventBridgeBus(client("events"), env.bus_name),
    )
    return ScheduledTask(tracker)


def quota_refusal(env: RefusalEnvironment) -> SqsConsumer:
    """The consumer of the trail's refusals."""
    refusal = QuotaRefusal(
        ledger=_ledger(env.ledger_table),
        jobs=SearchedJobs(client("sagemaker"), Pace(env.search_spacing)),
        bus=EventBridgeBus(client("events"), env.bus_name),
    )
    return SqsConsumer(env, refusal, client("sqs"))


def _ledger(table: str) -> DynamoQuotaLedger:
    return DynamoQuotaLedger(LedgerTable(client("dynamodb"), table))


def _quotas(env: RequestEnvironment | TrackerEnvironment) -> ServiceQuotas:
    return ServiceQuotas(client("service-quotas"), Pace(env.quota_spacing), published_codes())
