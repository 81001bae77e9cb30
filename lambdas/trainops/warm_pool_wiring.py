"""Puts the two warm-pool functions together: the same ledger, settings and pace on both sides."""

from trainops.adapters.aws import client
from trainops.adapters.current_prices import CurrentPrices
from trainops.adapters.documents import S3Documents
from trainops.adapters.histories import DynamoHistories
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import EventBridgeBus, SqsQueue
from trainops.adapters.pace import Pace
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.pool_settings import SsmTeamSettings
from trainops.adapters.press_ledger import DynamoPresses
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.scheduled import ScheduledTask
from trainops.adapters.training_jobs import SageMakerTrainingJobs
from trainops.adapters.warm_pools import SageMakerWarmPools
from trainops.environment import WarmPoolControl as ControlEnvironment
from trainops.environment import WarmPoolSweep as SweepEnvironment
from trainops.workflows.keep_alive_recommendations import Recommendations
from trainops.workflows.warm_pool_control import WarmPoolControl
from trainops.workflows.warm_pool_discovery import PoolDiscovery
from trainops.workflows.warm_pool_lessons import Lessons
from trainops.workflows.warm_pool_plans import PoolPlans
from trainops.workflows.warm_pool_presses import PoolPresses
from trainops.workflows.warm_pool_release import PoolRelease
from trainops.workflows.warm_pool_reuse import PoolReuse
from trainops.workflows.warm_pool_sweep import WarmPoolSweep
from trainops.workflows.warm_pool_turn import PoolTurn


def warm_pool_control(env: ControlEnvironment, region: str) -> SqsConsumer:
    """The consumer of control's queue, which is also where it sends its own looks."""
    dynamodb, sagemaker, sqs, ssm = (client(name) for name in ("dynamodb", "sagemaker", "sqs", "ssm"))
    table = LedgerTable(dynamodb, env.ledger_table)
    ledger, pools = DynamoLedger(table), DynamoPoolLedger(table, env.ledger_retention)
    jobs = SageMakerTrainingJobs(sagemaker, Pace(env.describe_spacing))
    histories, looks = DynamoHistories(table), SqsQueue(sqs, env.queue_url)
    warm_pools = SageMakerWarmPools(sagemaker, Pace(env.update_spacing))
    settings = SsmTeamSettings.of(ssm, env.settings_prefix)
    release, switch = PoolRelease(jobs, warm_pools), SsmKillSwitch.of(ssm, env.kill_switch_parameter)
    turn = PoolTurn(
        pools=pools,
        histories=histories,
        settings=settings,
        release=release,
        kill_switch=switch,
        bus=EventBridgeBus(client("events"), env.bus_name),
        looks=looks,
    )
    discovery = PoolDiscovery(ledger, jobs, CurrentPrices.of(table, region, env.price_overrides), env.scope_tags)
    presses = PoolPresses(
        ledger=ledger,
        pools=pools,
        presses=DynamoPresses(table, env.ledger_retention),
        settings=settings,
        discovery=discovery,
        release=release,
        warm_pools=warm_pools,
        turn=turn,
        kill_switch=switch,
        answers=SqsQueue(sqs, env.presses_queue_url or ""),
    )
    control = WarmPoolControl(
        ledger=ledger,
        pools=pools,
        histories=histories,
        looks=looks,
        turn=turn,
        reuse=PoolReuse(pools, histories, turn),
        discovery=discovery,
        presses=presses if env.presses_queue_url else None,
    )
    return SqsConsumer(env, control, sqs)


def warm_pool_sweep(env: SweepEnvironment, log_group: str | None) -> ScheduledTask:
    """The scheduled sweep; `log_group` is its own, where the full list of a digest is found."""
    table = LedgerTable(client("dynamodb"), env.ledger_table)
    histories, settings = DynamoHistories(table), SsmTeamSettings.of(client("ssm"), env.settings_prefix)
    documents = S3Documents(client("s3"), env.artifact_bucket)
    sweep = WarmPoolSweep(
        pools=DynamoPoolLedger(table),
        warm_pools=SageMakerWarmPools(client("sagemaker"), Pace(env.list_spacing)),
        plans=PoolPlans(settings, histories),
        lessons=Lessons(histories, Recommendations(histories, settings, documents, env.recommendations_name)),
        control=SqsQueue(client("sqs"), env.warm_pools_queue_url),
        bus=EventBridgeBus(client("events"), env.bus_name),
        log_group=log_group,
    )
    return ScheduledTask(sweep)
