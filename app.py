"""What `cdk` runs: reads the settings and makes the stacks.

The file is named by `cdk -c config=…`, else by TRAINOPS_CONFIG, else it is config/dev.yaml.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "lambdas"))  # the stacks share the environment contract with the functions

from aws_cdk import App  # noqa: E402

from stacks.alarm_limits import RefusedAlarm  # noqa: E402
from stacks.building_blocks.layer import LayerError  # noqa: E402
from stacks.deployment import synthesise  # noqa: E402
from stacks.running_cost import OverBudget  # noqa: E402
from stacks.settings_file import SettingsError, load_settings  # noqa: E402

DEFAULT_CONFIG = "config/dev.yaml"


def main() -> None:
    """Write the cloud assembly; what a person has to repair ends the program with its text alone."""
    app = App(analytics_reporting=False)
    config = app.node.try_get_context("config") or os.environ.get("TRAINOPS_CONFIG") or DEFAULT_CONFIG
    try:
        cost = synthesise(app, load_settings(Path(config)))
    except (SettingsError, LayerError, RefusedAlarm, OverBudget) as fault:
        print(fault, file=sys.stderr)  # noqa: T201
        sys.exit(2)
    print(cost, file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
