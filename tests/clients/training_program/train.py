"""What the clients train: counts to `--steps`, says so, and leaves the number in the model folder."""

import argparse
import os
import time
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, required=True)
parser.add_argument("--pause", type=float, default=0.1)
arguments = parser.parse_args()
for step in range(1, arguments.steps + 1):
    time.sleep(arguments.pause)
    print(f"step {step} of {arguments.steps}", flush=True)  # noqa: T201 - a training script's log
Path(os.environ["SM_MODEL_DIR"], "steps.txt").write_text(str(arguments.steps))
