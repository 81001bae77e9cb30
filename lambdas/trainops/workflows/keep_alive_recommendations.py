"""Publishes what keep-alive periods a team should ask for, once the sweep has learned something of its jobs."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from trainops.domain.keep_alive_recommendations import digest, document, recommendations
from trainops.errors import NotConfigured
from trainops.history_ports import Histories
from trainops.ports import Documents, TeamSettings


@dataclass(frozen=True, slots=True)
class Recommendations:
    """Writes a team's document; `name` has {team} where the team's name goes."""

    histories: Histories
    settings: TeamSettings
    documents: Documents
    name: str

    def __call__(self, teams: Collection[str], now: datetime) -> list[str]:
        """The teams whose document was written: of the configured ones among these those for whom something else is
        recommended than before. A team whose settings cannot be read keeps its document; the sweep's plans say so.
        """
        return [team for team in sorted(teams) if self._configured(team) and self._published(team, now)]

    def _configured(self, team: str) -> bool:
        """A tag is free text: only teams that the deployment names have a place for documents."""
        try:
            return self.settings.counted_as(team) == team
        except NotConfigured:
            return False

    def _published(self, team: str, now: datetime) -> bool:
        try:
            settings = self.settings.for_team(team)
        except NotConfigured:
            return False
        known = self.histories.history((), {team}).teams.get(team)
        history = self.histories.history(known.kinds if known else (), {team})
        found = recommendations(team, history, settings, now)
        content = digest(found)
        if self.histories.published(team) == content:
            return False
        self.documents.put(
            self.name.format(team=team), json.dumps(document(team, found, now), indent=2, ensure_ascii=False)
        )
        self.histories.put_published(team, content)
        return True
