"""The ledger's table as moto plays it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from moto import mock_aws

TABLE = "ledger"


@contextmanager
def table() -> Iterator[Any]:
    """A DynamoDB client of an account that has the table, with its index."""
    with mock_aws():
        dynamodb: Any = boto3.client("dynamodb")
        dynamodb.create_table(
            TableName=TABLE,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "look", "look_at")
            ],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            GlobalSecondaryIndexes=[
                {
                    "IndexName": "look",
                    "KeySchema": [
                        {"AttributeName": "look", "KeyType": "HASH"},
                        {"AttributeName": "look_at", "KeyType": "RANGE"},
                    ],
                    "Projection": {"ProjectionType": "KEYS_ONLY"},
                }
            ],
        )
        yield dynamodb
