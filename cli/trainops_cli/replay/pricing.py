"""Prices for past jobs: the trace's own, else what was given on the command line, else the table that ships."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from trainops.adapters.prices import ShippedPrices
from trainops_cli.replay.jobs import PastJob

ACCEPTED = "TYPE=USD per instance-hour, such as ml.g5.12xlarge=7.09"


def given_prices(texts: Iterable[str]) -> dict[str, Decimal]:
    """Prices by instance type. Raises ValueError naming what cannot be read and the accepted form."""
    prices = {}
    for text in texts:
        kind, _, usd = text.partition("=")
        try:
            price = Decimal(usd)
        except InvalidOperation:
            price = Decimal(0)
        if not kind.startswith("ml.") or not price.is_finite() or price <= 0:
            raise ValueError(f"{text!r}; accepted: {ACCEPTED}")
        prices[kind] = price
    return prices


def priced(jobs: Sequence[PastJob], region: str, given: dict[str, Decimal]) -> list[PastJob]:
    """The jobs with every price that is known."""
    table = ShippedPrices.of(region, given)
    return [job if job.price else replace(job, price=table.training_price(job.instance_type)) for job in jobs]
