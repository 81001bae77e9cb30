"""What a measurement was made on."""

import os
import platform
from datetime import UTC, datetime
from typing import Any


def context() -> dict[str, Any]:
    """The day and the machine in general terms: nothing that names it or where anything is on it."""
    machine = {
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
    }
    return {"measured": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine}
