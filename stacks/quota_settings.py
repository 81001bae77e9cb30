"""Which quotas a deployment wants, and how it follows them; `settings` puts it together."""

from datetime import timedelta
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, StrictBool, model_validator

from stacks.setting_types import Choices, Duration, InstanceType, Interval, Text, form, refusal, section

MOST = 100
"""Each takes up to four calls at four a second, and a deployment waits for them."""
Count = Annotated[int, Field(strict=True, ge=0, le=100_000)]
Requester = Annotated[Text, form(r"[\w.+@-]{1,128}", "a name or address of letters, digits and . _ + @ -, at most 128")]


class InstanceQuotas(Choices):
    """Instances of one type, for each use that has a quota of its own. What is left out is neither asked for nor
    watched; 0 is watched.
    """

    training: Count | None = None
    spot: Count | None = None
    warm_pool: Count | None = None
    processing: Count | None = None

    @model_validator(mode="after")
    def _pools_fit(self) -> Self:
        if self.warm_pool and self.training is not None and self.warm_pool > self.training:
            raise refusal("warm_pool up to training: instances of a warm pool count towards both")
        return self


class AccountQuotas(Choices):
    """The limits of the whole account and Region."""

    training_instances: Count | None = None
    spot_training_instances: Count | None = None
    instances_per_job: Count | None = None
    instances_per_spot_job: Count | None = None
    processing_instances: Count | None = None
    longest_run: Duration | None = None
    volume_gb: Count | None = None


class QuotaSettings(Choices):
    """What is asked for at a deployment, and watched from then on."""

    instance_types: Annotated[
        dict[InstanceType, Annotated[InstanceQuotas, BeforeValidator(section)]], BeforeValidator(section)
    ] = Field(default_factory=dict)
    account: Annotated[AccountQuotas, BeforeValidator(section)] = AccountQuotas()
    fail_on_refusal: StrictBool = False
    support_case_allowed: StrictBool = True
    requester: Requester | None = None
    track_every: Interval = timedelta(minutes=15)
    alarm_at_percent: Annotated[int, Field(strict=True, ge=1, le=100)] = 80

    @model_validator(mode="after")
    def _few_enough(self) -> Self:
        if (count := sum(map(len, self.by_type.values())) + len(self.by_account)) > MOST:
            raise refusal(f"at most {MOST} quotas; these are {count}")
        return self

    @property
    def by_type(self) -> dict[str, dict[str, int]]:
        """Instance type → use → instances, without what is left out."""
        chosen = {name: quotas.model_dump(exclude_none=True) for name, quotas in self.instance_types.items()}
        return {name: wanted for name, wanted in chosen.items() if wanted}

    @property
    def by_account(self) -> dict[str, int]:
        """The account's limits that are wanted, the longest run in seconds."""
        chosen = self.account.model_dump(exclude_none=True)
        if longest := chosen.pop("longest_run", None):
            chosen["longest_run_seconds"] = longest // timedelta(seconds=1)
        return chosen

    @property
    def wanted(self) -> bool:
        """Whether there is anything to ask for."""
        return bool(self.by_type or self.by_account)
