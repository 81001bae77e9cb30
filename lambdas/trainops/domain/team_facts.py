"""What a deployment publishes about a team: the parameter `/<deployment>/teams/<team>`, version 1.

Whoever makes or checks a request reads it there, so that limits live in one place and change without a release.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Self

VERSION = 1
AS_THEY_ARE = (
    *("deployment", "team", "role_arn", "checkpoint_uri", "output_uri", "tags"),
    *("recommended_keep_alive_seconds", "recommendations_uri", "remote_access"),
)


class UnreadableFacts(ValueError):
    """A team facts document that this version does not understand; says which member and what was expected."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What its people may ask for, in seconds; no instance types means every type."""

    keep_alive_seconds: int
    runtime_seconds: int
    instance_types: tuple[str, ...] = ()
    network_isolation: bool = False
    encrypt_between_containers: bool = False

    def allows(self, instance_type: str) -> bool:
        """Whether a type is allowed, by name or by family (`ml.g5.*`)."""
        patterns = self.instance_types
        return not patterns or any(fnmatchcase(instance_type, pattern) for pattern in patterns)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFacts:
    """One team. The URIs end with "/". Without a network jobs may run anywhere; a key is None when AWS's is used."""

    deployment: str
    team: str
    role_arn: str
    checkpoint_uri: str
    output_uri: str
    limits: Limits
    subnets: tuple[str, ...] = ()
    security_groups: tuple[str, ...] = ()
    volume_key: str | None = None
    output_key: str | None = None
    tags: Mapping[str, str]
    required_tags: tuple[str, ...] = ()
    recommended_keep_alive_seconds: int = 0
    recommendations_uri: str | None = None
    remote_access: str = "none"

    @classmethod
    def from_document(cls, document: Any) -> Self:
        """Read the published JSON. Members that this version does not know are ignored; one that is missing, or another
        version, raises UnreadableFacts.
        """
        if not isinstance(document, Mapping) or document.get("version") != VERSION:
            raise UnreadableFacts(f"not a team facts document of version {VERSION}: update trainops, or redeploy it")
        try:
            return cls(**_read(document))
        except (KeyError, TypeError, AttributeError) as error:
            raise UnreadableFacts(f"the team facts document lacks or misspells {error}") from error


def _read(document: Mapping[str, Any]) -> dict[str, Any]:
    network, keys, limits = document["network"] or {}, document["keys"], document["limits"]
    return {
        **{name: document[name] for name in AS_THEY_ARE},
        "limits": Limits(
            limits["keep_alive_seconds"],
            limits["runtime_seconds"],
            tuple(limits["instance_types"]),
            limits["network_isolation"],
            limits["encrypt_between_containers"],
        ),
        "subnets": tuple(network.get("subnets", ())),
        "security_groups": tuple(network.get("security_groups", ())),
        "volume_key": keys["volume"],
        "output_key": keys["output"],
        "required_tags": tuple(document["required_tags"]),
    }
