"""Carries out the entries of a day in a world."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from local.stories.format import Account, Entry, Faults, KeepAlive, Story, Tagging
from local.stories.jobs import Create
from local.stories.values import shown
from local.stories.world import Product, World

HOLD_TAG = "trainops:hold-until"
"""By which people keep a warm pool, until a time in UTC."""


@dataclass
class Actions:
    """What is done in one performance that began at `since`; `created` holds the ARN of every job that was asked for,
    None if refused.
    """

    story: Story
    world: World
    since: datetime
    created: dict[str, str | None] = field(default_factory=dict)

    def __call__(self, entry: Entry) -> str:
        """Carry one entry out; says in a few words what was done. Refused when SageMaker refuses it."""
        [action] = entry.model_fields_set - {"at", "refused"}
        known: Mapping[str, Callable[[Any], str]] = {
            "create": self._create,
            "stop": self._stop,
            "update": self._update,
            "delete": self._delete,
            "tag": self._tag,
            "run": self._run,
            "mode": self._mode,
        }
        if action in known:
            return known[action](getattr(entry, action))
        self.set(entry)
        return f"set {action}"

    def set(self, account: Account) -> None:
        """Put the account into the state that a story, or an entry, describes."""
        for written, quota in account.quotas.items():
            for name, value in quota.values(written).items():
                self.world.set_quota(name, value)
        if account.limits is not None:
            self.world.set_limits(on=account.limits)
        if account.switches:
            self.world.switch(account.switches)
        if account.faults is not None:
            self._break(account.faults)

    def _break(self, faults: Faults) -> None:
        if faults.events is not None:
            self.world.set_event_faults(faults.events.fields())
        if faults.slack is not None:
            slack = faults.slack
            self._product().fail_slack(slack.answers, slack.times, slack.retry_after)
        if faults.kill_switch is not None:
            self._product().kill_switch(on=faults.kill_switch)

    def _create(self, asked: Create) -> str:
        person = self.story.people[asked.by]
        self.world.plan(asked.job, asked.plan.fields())
        request = asked.api_request(self.world.role_arn(person.role), person.tags)
        self.created.setdefault(asked.job, None)
        self.created[asked.job] = self.world.call("CreateTrainingJob", **request)["TrainingJobArn"]
        return f"created by {asked.by}: {asked}"

    def _stop(self, job: str) -> str:
        self.world.call("StopTrainingJob", TrainingJobName=job)
        return "told to stop"

    def _update(self, update: KeepAlive) -> str:
        seconds = int(update.keep_alive.total_seconds())
        self.world.call(
            "UpdateTrainingJob", TrainingJobName=update.job, ResourceConfig={"KeepAlivePeriodInSeconds": seconds}
        )
        return f"keep-alive {shown(update.keep_alive)}"

    def _delete(self, job: str) -> str:
        self.world.call("DeleteTrainingJob", TrainingJobName=job)
        return "deleted"

    def _tag(self, tagging: Tagging) -> str:
        arn = self.created[tagging.job]
        adds = dict(tagging.add)
        if tagging.hold is not None:
            adds[HOLD_TAG] = f"{self.since + tagging.hold:%Y-%m-%dT%H:%M:%SZ}"
        if adds:
            tags = [{"Key": key, "Value": value} for key, value in adds.items()]
            self.world.call("AddTags", ResourceArn=arn, Tags=tags)
        if tagging.remove:
            self.world.call("DeleteTags", ResourceArn=arn, TagKeys=list(tagging.remove))
        return f"held until {shown(tagging.hold)}" if tagging.hold is not None else "tagged"

    def _run(self, what: str) -> str:
        product = self._product()
        (product.reconcile if what == "reconciler" else product.sweep)()
        return f"{what} run"

    def _mode(self, modes: Mapping[str, str]) -> str:
        for team, mode in modes.items():
            self._product().pool_mode(team, mode)
        return "warm pools: " + ", ".join(f"{team} {mode}s" for team, mode in modes.items())

    def _product(self) -> Product:
        if self.world.product is None:
            raise RuntimeError("a story that needs the product is refused before it begins")
        return self.world.product
