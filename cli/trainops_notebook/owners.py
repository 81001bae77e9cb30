"""Whose job it is, when nobody says: the person behind the credentials.

In Studio that is the user profile (from the metadata file of the app, or the owner of its space), elsewhere the name of
the IAM user or the session name that single sign-on gives to an assumed role.
"""

import json
from pathlib import Path

import boto3
from botocore.exceptions import ClientError

from trainops.domain.callers import is_person
from trainops_notebook.job_defaults import Owner

STUDIO_METADATA = Path("/opt/ml/metadata/resource-metadata.json")
"""Written by Studio into its apps (developer guide, "Get app metadata")."""


class OwnerUnknown(LookupError):
    """The credentials do not say who it is; `owner=` does."""


def owner_of(session: boto3.Session, metadata: Path = STUDIO_METADATA) -> Owner:
    """Who runs this. Raises OwnerUnknown when the identity is a machine's, the account's, or may not be looked up."""
    try:
        return _in_studio(session, metadata) or _of_identity(session.client("sts").get_caller_identity()["Arn"])
    except ClientError as error:
        raise OwnerUnknown(f"could not find out who you are ({error}): pass owner='…'") from error


def _in_studio(session: boto3.Session, metadata: Path) -> Owner | None:
    if not metadata.exists():
        return None
    app = json.loads(metadata.read_text())
    if profile := app.get("UserProfileName"):
        return Owner(profile, "the Studio user profile")
    if not app.get("SpaceName"):
        return None
    space = session.client("sagemaker").describe_space(DomainId=app["DomainId"], SpaceName=app["SpaceName"])
    profile = space.get("OwnershipSettings", {}).get("OwnerUserProfileName")
    return Owner(profile, "the owner of this Studio space") if profile else None


def _of_identity(arn: str) -> Owner:
    kind, _, name = arn.split(":", 5)[5].rpartition("/")
    if kind.startswith("assumed-role/") and is_person(name):
        return Owner(name, "the session name of your role")
    if kind.split("/")[0] == "user":
        return Owner(name, "your IAM user")
    raise OwnerUnknown(f"{arn} does not say who you are: pass owner='…'")
