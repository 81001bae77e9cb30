"""Variables of a dashboard: what a person chooses at its top stands in for a pattern everywhere in its body.

Source: CloudWatch user guide, "Dashboard variables". Only pattern variables with given values are known here.
"""

import json
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


def chosen(body: str, choices: Mapping[str, str]) -> tuple[Json, list[Json]]:
    """The body with its variables filled in, and what can be chosen; a choice that is none of the values is ignored."""
    shown = []
    for variable in json.loads(body).get("variables", ()):
        if variable.get("type") != "pattern":
            continue
        values = [
            {"value": one["value"], "label": one.get("label", one["value"])} for one in variable.get("values", ())
        ]
        asked, known = choices.get(variable["id"]), [one["value"] for one in values]
        value = asked if asked in known else variable.get("defaultValue", next(iter(known), ""))
        body = body.replace(variable["pattern"], json.dumps(value)[1:-1])
        shown.append(
            {"id": variable["id"], "label": variable.get("label", variable["id"]), "values": values, "value": value}
        )
    return json.loads(body), shown
