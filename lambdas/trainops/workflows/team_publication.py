"""Publishes what teams need to know into their own part of the artifact bucket, at each deployment."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainops.domain.publications import Changes, Publication, changes, withdrawal
from trainops.outcomes import Outcome
from trainops.ports import Documents


@dataclass(frozen=True, slots=True)
class TeamPublication:
    """Implements `adapters.at_deployment.Resource`. Its properties are two maps of keys and texts."""

    documents: Documents

    def create(self, wanted: Mapping[str, Any]) -> Outcome:
        """Write every document."""
        return self._apply(changes(_publication(wanted), None))

    def update(self, wanted: Mapping[str, Any], before: Mapping[str, Any]) -> Outcome:
        """Write every document and remove those of teams that are gone."""
        return self._apply(changes(_publication(wanted), _publication(before)))

    def delete(self, _before: Mapping[str, Any]) -> Outcome:
        """Call nothing."""
        return self._apply(withdrawal())

    def _apply(self, decided: Changes) -> Outcome:
        for key, text in decided.write.items():
            self.documents.put(key, text)
        for key, text in decided.begin.items():
            self.documents.put_if_absent(key, text)
        for key in decided.remove:
            self.documents.remove(key)
        return Outcome(decided.reason)


def _publication(properties: Mapping[str, Any]) -> Publication:
    return Publication(kept=properties["Kept"], begun=properties["Begun"])
