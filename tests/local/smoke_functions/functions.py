"""Functions of the smoke stack: each shows one thing that the product's functions rely on."""

import base64
import hashlib
import hmac
import json
import os
from typing import Any

Event = dict[str, Any]


def worker(event: Event, _context: object) -> Event:
    """Store each message of a batch; report the poisonous ones alone."""
    failed = []
    for record in event["Records"]:
        if record["body"].startswith("poison"):
            failed.append({"itemIdentifier": record["messageId"]})
        else:
            _store(record["body"], {"kind": "message"})
    return {"batchItemFailures": failed}


def keep_event(event: Event, _context: object) -> None:
    """Store an event that a rule delivered, whole."""
    _store(event["id"], {"kind": event["detail-type"], "event": json.dumps(event)})


def answer(event: Event, _context: object) -> Event:
    """Check the signature of a raw body with a secret that Powertools reads."""
    from aws_lambda_powertools.utilities import parameters

    secret = parameters.get_secret(os.environ["SECRET"], transform="json")["signing_secret"]
    body = base64.b64decode(event["body"]) if event["isBase64Encoded"] else event["body"].encode()
    wanted = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    genuine = hmac.compare_digest(wanted, event["headers"].get("x-signature", ""))
    return {"statusCode": 200 if genuine else 403, "body": "genuine" if genuine else "forged"}


def provide(event: Event, _context: object) -> Event:
    """A custom resource that records what it was asked and gives an attribute back."""
    wanted = event["ResourceProperties"]["Value"]
    _store(f"custom-{event['RequestType']}", {"kind": "custom", "value": wanted})
    return {"PhysicalResourceId": f"custom-{wanted}", "Data": {"Echo": f"echo of {wanted}"}}


def probe(event: Event, _context: object) -> Event:
    """Call any AWS operation under this function's role and say how it ended."""
    import boto3
    from botocore.exceptions import ClientError

    client = boto3.client(event["service"])
    try:
        getattr(client, event["operation"])(**event["arguments"])
    except ClientError as error:
        return {"code": error.response["Error"]["Code"], "message": error.response["Error"]["Message"]}
    return {"code": "OK"}


def _store(key: str, more: dict[str, str]) -> None:
    import boto3

    item = {"id": key, **more}
    boto3.client("dynamodb").put_item(
        TableName=os.environ["TABLE"], Item={name: {"S": value} for name, value in item.items()}
    )
