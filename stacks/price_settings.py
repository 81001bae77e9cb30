"""How prices are kept up to date; what is paid instead of list prices is the section `prices`."""

from datetime import timedelta
from typing import Annotated

from stacks.setting_types import Choices, Duration, between

DAY = timedelta(days=1)


class PriceListSettings(Choices):
    """How often prices are read anew."""

    refresh_every: Annotated[Duration, between(DAY, 30 * DAY, "whole days from P1D to P30D", step=DAY)] = 7 * DAY
