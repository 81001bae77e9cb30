"""`make notebooks`: executes the example notebooks against an AWS on this machine and keeps their outputs.

They run in an environment of their own, `.venv-notebooks`, with the SageMaker SDK, as a data scientist of a team that
trainops was deployed with: IAM is enforced, and only SageMaker itself is simulated.
"""

import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from local.cdk import ROOT
from local.data_scientist import sign_on
from local.laptop import Laptop
from local.problems import LaptopError, need_file

FOLDER = ROOT / "notebooks"
PYTHON = ROOT / ".venv-notebooks/bin/python"
CONFIG, DEPLOYMENT, TEAM = Path(__file__).with_suffix(".yaml"), "trainops", "vision"
RATE = 20.0
QUOTAS = (
    "ml.g5.xlarge for training job usage",
    "ml.g5.xlarge for training warm pool usage",
    "ml.g5.2xlarge for spot training job usage",
)
INSTANCES = 4
SDK_CONFIG = """\
SchemaVersion: '1.0'
SageMaker:
  PythonSDK:
    Modules:
      TelemetryOptOut: true
"""
"""The SDK reports each use to an address of AWS unless told not to; nothing may leave this machine."""
Files = Annotated[list[Path] | None, typer.Argument(help="Notebooks; all of them by default.", exists=True)]


def notebooks(files: Files = None) -> None:
    """Execute the example notebooks in place; the first error in one ends with exit status 1."""
    with Laptop(clock_rate=RATE, python=PYTHON) as laptop:
        for quota in QUOTAS:
            laptop.control.set_quota(quota, INSTANCES, account=laptop.account, region=laptop.region)
        laptop.bootstrap()
        laptop.deploy(config=CONFIG)
        environ = kernel_environment(laptop, sign_on(laptop, DEPLOYMENT, TEAM))
        for path in files or sorted(FOLDER.glob("*.ipynb")):
            began = time.monotonic()
            execute(path.resolve(), environ)
            Console().print(f"{path.name}: executed in {time.monotonic() - began:.0f} s", highlight=False)


def execute(notebook: Path, environ: Mapping[str, str]) -> None:
    """Run every cell in a new kernel; outputs are written into the file, without the times of execution."""
    command = [
        str(need_file(PYTHON, "the notebooks' environment .venv-notebooks")),
        "-m",
        "nbconvert",
        "--to",
        "notebook",
        "--execute",
        "--inplace",
        str(notebook),
    ]
    command += [
        "--log-level",
        "WARN",
        "--ConnectionFileMixin.transport=ipc",
        "--ExecutePreprocessor.record_timing=False",
    ]
    status = subprocess.run(command, cwd=notebook.parent, env=environ, check=False).returncode
    if status:
        raise LaptopError(f"{notebook.name} failed with exit status {status}, see above")


def kernel_environment(laptop: Laptop, credentials: Mapping[str, str]) -> dict[str, str]:
    """What a cell sees: this AWS and no other, the package under `cli`, and a home that goes with the laptop."""
    config = laptop.state / "sagemaker-config.yaml"
    config.write_text(SDK_CONFIG)
    return {
        **laptop.environ,
        **credentials,
        "HOME": str(laptop.state),
        "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in (".", "cli", "lambdas")),
        "SAGEMAKER_ADMIN_CONFIG_OVERRIDE": str(config),
        "SAGEMAKER_USER_CONFIG_OVERRIDE": str(config),
        "SAGEMAKER_SUPPRESS_V2_WARNING": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
