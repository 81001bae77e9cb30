"""What an account has before trainops comes: a webhook in a secret, a verified sender, a role for jobs, quotas."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from local.laptop import Laptop

CONFIG = Path(__file__).with_name("demo.yaml")
"""Deploys both channels to what `furnish` makes."""
SECRET = "trainops/slack"  # noqa: S105 - the secret's name
SENDER = "trainops@example.com"
ROLE = "training"
TRUST = {"Effect": "Allow", "Principal": {"Service": "sagemaker.amazonaws.com"}, "Action": "sts:AssumeRole"}
QUOTAS = {
    "ml.g5.xlarge for training job usage": 4,
    "ml.g5.12xlarge for training job usage": 1,
    "ml.g5.2xlarge for spot training job usage": 2,
    "ml.g5.xlarge for training warm pool usage": 2,
}
"""What was granted for the demonstration's jobs; every other quota has AWS's default, which mostly is 0."""


def furnish(laptop: Laptop, quotas: Mapping[str, float] = QUOTAS) -> None:
    """Make them; the webhook is the laptop's own receiver, and `quotas` are granted by their exact names."""
    for quota, value in quotas.items():
        laptop.control.set_quota(quota, value, account=laptop.account, region=laptop.region)
    webhook = json.dumps({"webhook_url": laptop.slack.url()})
    laptop.client("secretsmanager").create_secret(Name=SECRET, SecretString=webhook)
    laptop.client("sesv2").create_email_identity(EmailIdentity=SENDER)
    furnish_role(laptop, ROLE)


def furnish_role(laptop: Laptop, name: str) -> str:
    """Make an execution role for training jobs unless it is there; its ARN."""
    iam, document = laptop.client("iam"), json.dumps({"Version": "2012-10-17", "Statement": [TRUST]})
    with suppress(iam.exceptions.EntityAlreadyExistsException):
        iam.create_role(RoleName=name, AssumeRolePolicyDocument=document)
    return f"arn:aws:iam::{laptop.account}:role/{name}"


def role_arn(laptop: Laptop) -> str:
    """The execution role to create training jobs with."""
    return f"arn:aws:iam::{laptop.account}:role/{ROLE}"
