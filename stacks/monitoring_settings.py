"""When trainops calls for a person, where that person reads on, and what its metrics may cost."""

from typing import Annotated

from pydantic import Field

from stacks.setting_types import Addresses, Choices, HttpsUrl

Usd = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
Percent = Annotated[float, Field(strict=True, ge=1, le=99)]
Hours = Annotated[float, Field(strict=True, gt=0, le=1_000_000)]


class AlarmSettings(Choices):
    """Who is told, where the runbook is, and at which figures a person should look."""

    emails: Addresses = ()
    runbook_url: HttpsUrl | None = None
    idle_usd_per_day: Usd = 100.0
    spot_savings_percent: Percent = 30.0
    spot_savings_after_instance_hours: Hours = 10.0


class MetricSettings(Choices):
    """What CloudWatch may cost in a month; a dearer configuration is refused before anything is deployed."""

    monthly_budget_usd: Usd = 60.0
