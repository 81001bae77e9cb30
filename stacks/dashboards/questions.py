"""What people ask of single jobs and pools: queries of Logs Insights over the lines that carry the metrics.

Their fields are no dimensions, so they cost nothing as metrics; a query is billed by the log it reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import aws_logs as logs
from constructs import Construct

from stacks.building_blocks.function import Function
from trainops.telemetry import Field

TYPE, START = Field.INSTANCE_TYPE, Field.START_SECONDS


@dataclass(frozen=True, slots=True)
class Question:
    """A query, its name in the console, and the functions whose logs answer it; without any, all of them.

    Where none of the functions is deployed, nobody can ask it.
    """

    name: str
    lines: Sequence[str]
    functions: Sequence[str] = ("spot_savings",)

    def groups(self, functions: Mapping[str, Function]) -> list[str]:
        """The names of the log groups to ask."""
        return [item.logs.log_group_name for name, item in functions.items() if name in (self.functions or functions)]


ONE_JOB = Question(
    "One job - what was decided, and why",
    (
        "fields @timestamp, service, message, reason",
        'filter job like "NAME-OF-THE-JOB" or message like "NAME-OF-THE-JOB"',
        "sort @timestamp",
    ),
    functions=(),
)
FAILURES = Question(
    "Failures by class",
    (f"filter ispresent({Field.FAILURE_CLASS})", f"stats count(*) as jobs by {Field.FAILURE_CLASS}", "sort jobs desc"),
)
LAST_FAILURES = Question(
    "Failed jobs, latest first",
    (
        f"filter ispresent({Field.FAILURE_CLASS})",
        f"display @timestamp, team, job, {Field.FAILURE_CLASS}, {TYPE}, {Field.COST_USD}",
        "sort @timestamp desc",
        "limit 20",
    ),
)
SPOT_BY_JOB = Question(
    "Managed spot - savings by job",
    (
        f"filter ispresent({Field.SAVINGS_PERCENT})",
        f"display team, job, {TYPE}, {Field.INSTANCES}, {Field.TRAINING_SECONDS}, {Field.BILLABLE_SECONDS}, "
        f"{Field.SAVINGS_PERCENT}, {Field.SAVED_USD}, {Field.WASTED_SECONDS}, {Field.INTERRUPTIONS}, "
        f"{Field.INTERRUPTED_SECONDS}",
        f"sort {Field.SAVED_USD} desc",
    ),
)
SPOT_BY_TYPE = Question(
    "Managed spot - interruptions and waiting by instance type",
    (
        f"filter ispresent({Field.SAVINGS_PERCENT})",
        f"stats count(*) as jobs, sum({Field.INTERRUPTIONS}) as interruptions, "
        f"sum({Field.CAPACITY_WAIT_SECONDS}) / 3600 as hours_waited, "
        f"sum({Field.WASTED_SECONDS}) / 3600 as hours_wasted, "
        f"100 * (1 - sum({Field.BILLABLE_SECONDS}) / sum({Field.TRAINING_SECONDS})) as saved_percent by {TYPE}",
        "sort interruptions desc",
    ),
)
SPOT_OVERRUN = Question(
    "Managed spot - billed for longer than it trained",
    (
        f"filter {Field.OVERRUN_SECONDS} > 0",
        f"display @timestamp, team, job, {TYPE}, {Field.TRAINING_SECONDS}, {Field.BILLABLE_SECONDS}, "
        f"{Field.OVERRUN_SECONDS}, {Field.COST_USD}",
        f"sort {Field.OVERRUN_SECONDS} desc",
    ),
)
STARTS = Question(
    "Start latency by instance type and input mode",
    (
        f"filter ispresent({START})",
        f"stats count(*) as jobs, pct({START}, 50) as p50_seconds, pct({START}, 90) as p90_seconds "
        f"by {Field.START}, {TYPE}, {Field.INPUT_MODE}",
        "sort p90_seconds desc",
    ),
)
DEAREST = Question(
    "Dearest jobs",
    (
        f"filter ispresent({Field.COST_USD})",
        f"display @timestamp, team, job, {Field.STATUS}, {TYPE}, {Field.INSTANCES}, "
        f"{Field.COST_USD}, {Field.SAVED_USD}",
        f"sort {Field.COST_USD} desc",
        "limit 20",
    ),
)
POOLS = Question(
    "Warm pools by team",
    (
        f"filter ispresent({Field.POOLS_OVER})",
        f"stats sum({Field.POOLS_OVER}) as pools, sum({Field.POOLS_REUSED}) as reused, "
        f"sum({Field.RETAINED_HOURS}) as instance_hours, sum({Field.IDLE_HOURS}) as idle_instance_hours, "
        f"sum({Field.AVOIDED_HOURS}) as avoided_instance_hours, "
        f"sum({Field.WOULD_HAVE_MISSED}) as would_have_missed by team",
        "sort idle_instance_hours desc",
    ),
    functions=("warm_pool_control",),
)
MISSING = Question(
    "What is missing from the sums",
    (
        f"filter ispresent({Field.UNKNOWN})",
        f"stats count(*) as lines, max(@timestamp) as latest by {Field.UNKNOWN}, {TYPE}",
        "sort lines desc",
    ),
    functions=("spot_savings", "warm_pool_control"),
)
QUOTAS = Question(
    "Quotas - use, limit and state",
    (
        f"filter ispresent({Field.QUOTA})",
        f"stats latest({Field.STATE}) as stands, latest({Field.USED}) as in_use, latest({Field.VALUE}) as granted, "
        f"latest({Field.WANTED}) as wished_for, max({Field.USED_PERCENT}) as percent by {Field.QUOTA}",
        "sort percent desc",
    ),
    functions=("quota_tracker",),
)
SAVED = (
    *(ONE_JOB, FAILURES, LAST_FAILURES, SPOT_BY_JOB, SPOT_BY_TYPE, SPOT_OVERRUN, STARTS, DEAREST, POOLS, MISSING),
    QUOTAS,
)


class SavedQuestions(Construct):
    """Each question in the console's list of saved queries, under the deployment's name, with its log groups."""

    def __init__(self, scope: Construct, construct_id: str, *, folder: str, functions: Mapping[str, Function]) -> None:
        super().__init__(scope, construct_id)
        for question in (item for item in SAVED if item.groups(functions)):
            logs.CfnQueryDefinition(
                self,
                "".join(word.capitalize() for word in question.name.split() if word.isalpha()),
                name=f"{folder}/{question.name}",
                query_string="\n| ".join(question.lines),
                log_group_names=question.groups(functions),
            )
