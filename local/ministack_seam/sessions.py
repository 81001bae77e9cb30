"""Credentials of a role for a service that MiniStack does not know, as Lambda gets them for a function's role."""

import os
import secrets
from collections.abc import Mapping

from ministack.services import sts


def role_session(role_arn: str, session_name: str) -> Mapping[str, str]:
    """A session of the role as environment variables, with the address of this AWS."""
    account, role = role_arn.split(":")[4], role_arn.rpartition("/")[2]
    key, secret, token = f"ASIA{secrets.token_hex(8).upper()}", secrets.token_hex(20), secrets.token_hex(32)
    sts.register_session(
        key,
        {
            "Arn": f"arn:aws:sts::{account}:assumed-role/{role}/{session_name}",
            "UserId": f"{role}:{session_name}",
            "SecretAccessKey": secret,
            "SessionToken": token,
        },
    )
    return {
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_SESSION_TOKEN": token,
        "AWS_ENDPOINT_URL": f"http://{os.environ['BIND_HOST']}:{os.environ['GATEWAY_PORT']}",
    }
