"""The AWS Price List through boto3. It is served in three Regions, whatever Region the prices are asked for.

Source: Price List Query API (GetProducts); endpoints from botocore's endpoint list.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from trainops.adapters.paging import pages
from trainops.domain.price_tables import training_prices

SERVICE = "AmazonSageMaker"
HOME = "us-east-1"
NEAREST = {"eu": "eu-central-1", "me": "eu-central-1", "af": "eu-central-1", "il": "eu-central-1"} | {
    "ap": "ap-south-1"
}


def endpoint_region(region: str) -> str:
    """The Region of the nearest endpoint."""
    return NEAREST.get(region.partition("-")[0], HOME)


@dataclass(frozen=True, slots=True)
class AwsPriceList:
    """Implements `ports.PriceList` with a boto3 `pricing` client."""

    pricing: Any

    def training_prices(self, region: str) -> Mapping[str, Decimal]:
        """GetProducts, page by page."""
        wanted = [
            {"Type": "TERM_MATCH", "Field": name, "Value": value}
            for name, value in (("regionCode", region), ("component", "Training"))
        ]
        found = pages(
            self.pricing, "GetProducts", ServiceCode=SERVICE, FormatVersion="aws_v1", Filters=wanted, MaxResults=100
        )
        return training_prices([row for page in found for row in page["PriceList"]])
