"""The rows of AmazonSageMaker in the Price List, made from `prices.tsv`.

Prices are those of a third party's reading of the public price list for training in us-east-1; other Regions and
other components carry a made-up surcharge. A type has several rows, and `instanceType` is empty, as reported of the
real list: a caller has to keep the row whose usage type says training.
"""

import csv
import hashlib
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

Json = dict[str, Any]
SERVICE_CODE = "AmazonSageMaker"
VERSION = "20260925000000"
EFFECTIVE = "2026-09-01T00:00:00Z"
# Region: usage-type prefix, name of the location, surcharge
REGIONS = {
    "us-east-1": ("USE1-", "US East (N. Virginia)", Decimal(1)),
    "eu-west-1": ("EU-", "EU (Ireland)", Decimal("1.12")),
    "ap-northeast-1": ("APN1-", "Asia Pacific (Tokyo)", Decimal("1.3")),
    "ap-south-1": ("APS3-", "Asia Pacific (Mumbai)", Decimal("1.08")),
}
# Component: word of the usage type, operation, surcharge
COMPONENTS = {
    "Training": ("Train", "RunInstance", Decimal(1)),
    "Notebook": ("Notebk", "RunInstance", Decimal("1.01")),
    "Hosting": ("Host", "RunInstance", Decimal("1.05")),
}
# In their first Region these types have usage types without the Region's prefix.
PREFIX_LESS = ("us-east-1", "ml.m5.")


@cache
def prices() -> dict[str, Decimal]:
    """US dollars an instance-hour of training in us-east-1, by type."""
    with (Path(__file__).parent / "prices.tsv").open(encoding="utf-8", newline="") as file:
        return {row["type"]: Decimal(row["usd_per_hour"]) for row in csv.DictReader(file, delimiter="\t")}


@cache
def products() -> tuple[Json, ...]:
    """Every row, in the order of its SKU."""
    return tuple(sorted(_rows(), key=lambda row: str(row["product"]["sku"])))


def _rows() -> Iterator[Json]:
    for region in REGIONS:
        for kind, price in prices().items():
            for component in COMPONENTS:
                yield _row(region, kind, component, price)


def _row(region: str, kind: str, component: str, price: Decimal) -> Json:
    prefix, location, dearer = REGIONS[region]
    word, operation, factor = COMPONENTS[component]
    home, family = PREFIX_LESS
    usage = f"{'' if region == home and kind.startswith(family) else prefix}{word}:{kind}"
    sku = hashlib.sha256(f"{region}/{usage}".encode()).hexdigest()[:16].upper()
    attributes = {
        "servicecode": SERVICE_CODE,
        "servicename": "Amazon SageMaker",
        "location": location,
        "locationType": "AWS Region",
        "regionCode": region,
        "usagetype": usage,
        "operation": operation,
        "component": component,
        "instanceName": kind,
        "instanceType": "",
    }
    return {
        "product": {"productFamily": "ML Instance", "attributes": attributes, "sku": sku},
        "serviceCode": SERVICE_CODE,
        "terms": _terms(sku, price * dearer * factor, f"{kind} {component}"),
        "version": VERSION,
        "publicationDate": EFFECTIVE,
    }


def _terms(sku: str, price: Decimal, what: str) -> Json:
    """On-demand terms with one price an hour, in the decimal text of the list."""
    offer, rate = f"{sku}.JRTCKXETXF", f"{sku}.JRTCKXETXF.6YS6EN2CT7"
    dimension = {
        "rateCode": rate,
        "unit": "Hrs",
        "beginRange": "0",
        "endRange": "Inf",
        "description": f"${price:f} per hour for {what}",
        "appliesTo": [],
        "pricePerUnit": {"USD": f"{price:.10f}"},
    }
    term = {
        "priceDimensions": {rate: dimension},
        "sku": sku,
        "offerTermCode": "JRTCKXETXF",
        "effectiveDate": EFFECTIVE,
        "termAttributes": {},
    }
    return {"OnDemand": {offer: term}}
