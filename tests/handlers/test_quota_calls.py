"""What each course of events costs in Service Quotas calls, with its limits on: the table of docs/quotas.md."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from local.service_quotas.catalogue import by_code
from tests.handlers.quota_world import TRAINING, TrackerWorld, asked, world
from tests.quota_fakes import Deployer
from trainops.domain.quota_records import OPEN
from trainops.errors import QuotaShort

DOCUMENT = Path("docs/quotas.md")
WANTED = {"ml.g5.xlarge": {"training": 8}}
READS = ("GetServiceQuota", "GetAWSDefaultServiceQuota")
LISTS = ("ListServiceQuotas", "ListAWSDefaultServiceQuotas")
REQUESTS = ("GetRequestedServiceQuotaChange", "ListRequestedServiceQuotaChangeHistoryByQuota")
COLUMNS = (READS, LISTS, REQUESTS, ("RequestServiceQuotaIncrease",))
STATUSES = ("PENDING", "CASE_OPENED", "APPROVED", "DENIED", "CASE_CLOSED", "NOT_APPROVED", "INVALID_REQUEST")
Rows = list[tuple[str, dict[str, int]]]


def one_deployment() -> Rows:
    desk, _, stack = world()
    stack.deploy(WANTED)
    rows = [("Deployed: too low, code published", desk.counted())]
    stack.deploy(WANTED)
    rows.append(("Updated, the same is wanted", desk.counted()))
    stack.destroy()
    rows.append(("Deleted", desk.counted()))
    desk, _, stack = world()
    desk.grant(TRAINING, 8)
    stack.deploy(WANTED)
    return [*rows, ("Deployed: already enough", desk.counted())]


def names_to_find() -> Rows:
    desk, _, stack = world()
    stack.deploy({"ml.m5.xlarge": {"processing": 4}})
    rows = [(f"Deployed: no published code, found by name among {len(by_code()):,}", desk.counted())]
    desk, _, stack = world()
    stack.deploy({"ml.x9.xlarge": {"training": 1}})
    return [*rows, ("Deployed: not offered in the Region", desk.counted())]


def two_stacks() -> Rows:
    desk, ledger, blue = world()
    green = Deployer(desk, ledger, "green")
    blue.deploy(WANTED)
    desk.counted()
    green.deploy(WANTED)
    assert len(desk.requests) == 1
    return [("A second stack wants the same quota", desk.counted())]


def a_failed_update() -> Rows:
    desk, _, stack = world()
    stack.deploy(WANTED)
    desk.counted()
    wanted = stack.wanted({**WANTED, "ml.x9.xlarge": {"training": 1}}, FailOnRefusal="true")
    with pytest.raises(QuotaShort):
        stack.send("Update", wanted, stack.deployed)
    rows = [("An update fails: one of two is not offered", desk.counted())]
    stack.roll_back(wanted, stack.deployed)
    rows.append(("Its rollback", desk.counted()))
    stack.destroy()
    rows.append(("Then deleted", desk.counted()))
    assert len(desk.requests) == 1
    return rows


def twice() -> Rows:
    desk, _, stack = world()
    calls = []
    for _ in range(2):
        stack.deploy(WANTED)
        calls.append(desk.counted())
        stack.destroy()
        calls.append(desk.counted())
    assert len(desk.requests) == 1
    names = ("Two lives: deployed", "destroyed", "deployed again", "destroyed again")
    return list(zip(names, calls, strict=True))


def every_status() -> Rows:
    rows = []
    for status in STATUSES:
        tracked = asked()
        if status != "PENDING":
            tracked.desk.decide(status)
        tracked.tick()
        rows.append((f"A tick that finds the request {status}", tracked.desk.counted()))
        if status not in OPEN:
            tracked.tick()
            rows.append((f"Every later tick after {status}", tracked.desk.counted()))
    return rows


def a_refused_request() -> Rows:
    tracked = TrackerWorld()
    tracked.desk.failures.add({"operation": "RequestServiceQuotaIncrease", "code": "AccessDeniedException", "times": 9})
    tracked.stack.deploy(WANTED)
    tracked.desk.counted()
    tracked.tick()
    rows = [("A tick while a refused request is put off", tracked.desk.counted())]
    tracked.desk.clock.advance(timedelta(hours=1))
    tracked.tick()
    return [*rows, ("The tick that asks again", tracked.desk.counted())]


COURSES: tuple[Callable[[], Rows], ...] = (
    one_deployment,
    names_to_find,
    two_stacks,
    a_failed_update,
    twice,
    every_status,
    a_refused_request,
)


def test_the_documented_calls_are_those_that_are_made() -> None:
    rows = [row for course in COURSES for row in course()]
    lines = [
        "| what happens | reads of the quota | pages listed | looks at requests | requests made | together |",
        "|---|---|---|---|---|---|",
        *(_line(what, calls) for what, calls in rows),
    ]
    table = "\n".join(lines)
    assert table in DOCUMENT.read_text(encoding="utf-8"), f"docs/quotas.md should have:\n{table}"


def _line(what: str, calls: dict[str, int]) -> str:
    counts = [sum(calls.get(name, 0) for name in column) for column in COLUMNS]
    assert sum(counts) == sum(calls.values()), "a call that no column counts"
    return f"| {' | '.join([what, *(str(count or '') for count in counts), str(sum(counts))])} |"


@pytest.mark.parametrize("region", ["eu-central-1", "eu-south-1"])
def test_a_hundred_quotas_at_once_are_not_throttled(region: str) -> None:
    desk, _, stack = world(region)
    types = [
        quota.name.partition(" ")[0] for quota in by_code().values() if quota.name.endswith("spot training job usage")
    ]
    stack.deploy({kind: {"training": 8, "spot": 8} for kind in types[:50]})
    assert desk.throttled == 0
    assert desk.monotonic < 240, "the function's four minutes, at four calls a second"
    assert len(desk.requests) == (20 if region == "eu-central-1" else 2)
