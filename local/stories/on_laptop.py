"""A story's world on a running laptop: boto3 and the control routes, with everything put back afterwards."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self

from botocore import xform_name
from botocore.exceptions import ClientError

from local.account import furnish_role
from local.laptop import Laptop
from local.limits import SAGEMAKER
from local.sagemaker.scope import Scope
from local.service_quotas.catalogue import by_code, by_name
from local.stories.bare import by_operation
from local.stories.deployed import DeployedProduct
from local.stories.format import Clock
from local.stories.world import Json, Refused
from local.waiting import LOOK_SECONDS

ONCE = {"total_max_attempts": 1}
"""A story's own calls are never repeated: it says itself whether they are refused."""
LONGER = 1.05  # than the rate asks for, since client and server do not look at the same instant


class LaptopWorld:
    """To be entered for one story. Time runs by the clock's rate, or stands still between steps.

    State of the account that the story changes, and pools that its jobs leave, are put back when it is left.
    """

    def __init__(self, laptop: Laptop, clock: Clock) -> None:
        self._laptop, self._control, self._clock = laptop, laptop.control, clock
        self._undo = ExitStack()
        self._sagemaker = laptop.client("sagemaker", retries=ONCE)
        self._called: dict[str, float] = {}
        self._created: list[str] = []

    def __enter__(self) -> Self:
        control, limits = self._control, self._control.limits()
        self._limited = bool(limits["on"])
        self.product = DeployedProduct(self._laptop, self._undo, self._running)
        with self._undo:  # puts back what was changed when one of these steps fails
            self._undo.callback(control.set_rate, control.health()["rate"])
            self._undo.callback(control.set_limits, on=limits["on"], burst=limits["burst"])
            self._undo.callback(control.enforce_quotas, on=control.quotas_enforced())
            self._undo.callback(control.set_event_faults)
            self._undo.callback(control.switch, **control.switch())
            self._undo.callback(self._end_jobs)
            control.set_rate(self._clock.rate or 0)
            control.enforce_quotas(on=True)
            control.clear_limits()
            control.set_limits(on=self._limited, burst=limits["burst"])  # full again: others called a moment ago
            kept = self._undo.pop_all()
        self._undo.push(kept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()

    def now(self) -> datetime:
        return self._control.now()

    def pass_until(self, moment: datetime, look: Callable[[], None]) -> None:
        while (left := moment - self.now()) > timedelta(0):
            if self._clock.rate:
                time.sleep(LOOK_SECONDS)
            else:
                self.product.settle()
                self._control.advance(min(left, self._clock.step or left))
            look()

    def call(self, operation: str, **request: Any) -> Json:
        self._keep_pace(operation)
        try:
            answer: Json = getattr(self._sagemaker, xform_name(operation))(**request)
        except ClientError as error:
            raise Refused(error.response["Error"]["Code"], error.response["Error"]["Message"]) from error
        finally:
            self._called[operation] = time.monotonic()
        if operation == "CreateTrainingJob":
            self._created.append(request["TrainingJobName"])
        return answer

    def role_arn(self, name: str) -> str:
        return furnish_role(self._laptop, name)

    def plan(self, job: str, fields: Json) -> None:
        self._control.plan(job, **fields)

    def switch(self, positions: Json) -> None:
        self._control.switch(**positions)

    def set_quota(self, quota: str, value: float) -> None:
        self._undo.callback(self._control.set_quota, quota, self._applied(quota))
        self._control.set_quota(quota, value)
        self.product.track_quotas(self.now())

    def set_limits(self, *, on: bool) -> None:
        self._limited = on
        self._control.set_limits(on=on)

    def set_event_faults(self, fields: Json) -> None:
        self._control.set_event_faults(**fields)

    def delivery(self) -> Mapping[str, int]:
        return self._control.event_faults()

    def events(self) -> Sequence[Json]:
        return self._control.sagemaker_events()

    def rates(self) -> Mapping[str, Mapping[str, int]]:
        home = Scope(self._laptop.account, self._laptop.region)
        return by_operation(self._control.limits()["operations"], home)

    @contextmanager
    def _running(self) -> Iterator[None]:
        """Time runs like the machine's while the product is waited for, so that what it retries comes to pass."""
        self._control.set_rate(1)
        try:
            yield
        finally:
            self._control.set_rate(self._clock.rate or 0)

    def _keep_pace(self, operation: str) -> None:
        """Wait until the account's request rate allows one more call, as far as this story made them: since the last
        one's answer, because when a busy machine took it in is not known.
        """
        rate = SAGEMAKER.per_second.get(operation)
        if rate is None or not self._limited:
            return
        time.sleep(max(0.0, self._called.get(operation, 0.0) + LONGER / rate - time.monotonic()))

    def _applied(self, quota: str) -> float | None:
        """The value to put back; None when the account has only AWS' default."""
        code = quota if quota in by_code() else by_name()[quota].code
        quotas = self._laptop.client("service-quotas")
        try:
            return float(quotas.get_service_quota(ServiceCode="sagemaker", QuotaCode=code)["Quota"]["Value"])
        except quotas.exceptions.NoSuchResourceException:
            return None

    def _end_jobs(self) -> None:
        """Stop what still runs and let pools go, so that the story's clusters are in nobody's way."""
        for name in self._created:
            with suppress(Refused):  # deleted by the story, or ended by itself just now
                job = self.call("DescribeTrainingJob", TrainingJobName=name)
                if job["TrainingJobStatus"] == "InProgress":
                    self.call("StopTrainingJob", TrainingJobName=name)
                if job.get("WarmPoolStatus", {}).get("Status") == "Available":
                    period = {"KeepAlivePeriodInSeconds": 0}
                    self.call("UpdateTrainingJob", TrainingJobName=name, ResourceConfig=period)
