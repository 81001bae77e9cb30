"""The product's Price List adapter against the simulated list, which has several rows for each type."""

from decimal import Decimal
from typing import Any

import pytest

from local.price_list.api import PriceListApi
from local.price_list.products import prices
from local.sagemaker.simulator import Scope
from tests.local.simulator.bench import Everyone
from trainops.adapters.price_list import AwsPriceList, endpoint_region


class Client:
    """The one operation, answered in this process, at the endpoint of a Region."""

    def __init__(self, region: str) -> None:
        self.caller = Everyone()
        self.caller.scope = Scope(self.caller.scope.account, region)
        self.pages = 0

    def get_products(self, **request: Any) -> dict[str, Any]:
        self.pages += 1
        return PriceListApi().call("GetProducts", self.caller, {**request, "MaxResults": 5})


@pytest.mark.parametrize(("region", "dearer"), [("us-east-1", "1"), ("eu-west-1", "1.12"), ("ap-northeast-1", "1.3")])
def test_every_type_has_the_price_of_its_training_in_its_region(region: str, dearer: str) -> None:
    client = Client(endpoint_region(region))
    found = AwsPriceList(client).training_prices(region)
    assert found == {kind: usd * Decimal(dearer) for kind, usd in prices().items()}
    assert client.pages > 1


def test_a_region_without_prices_has_none() -> None:
    assert AwsPriceList(Client("us-east-1")).training_prices("us-west-2") == {}
