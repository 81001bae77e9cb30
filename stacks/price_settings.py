"""How prices are kept up to date; what is paid instead of list prices is the section `prices`."""

from datetime import timedelta

from pydantic import field_validator

from stacks.setting_types import Choices, Duration, refusal


class PriceListSettings(Choices):
    """How often prices are read anew."""

    refresh_every: Duration = timedelta(days=7)

    @field_validator("refresh_every")
    @classmethod
    def _whole_days(cls, value: timedelta) -> timedelta:
        if not timedelta(days=1) <= value <= timedelta(days=30) or value % timedelta(days=1):
            raise refusal("whole days from P1D to P30D")
        return value
