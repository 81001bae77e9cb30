"""The project's own CDK command line, run against the local AWS exactly as against a real account."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from local.problems import LaptopError, need_command, need_file

ROOT = Path(__file__).resolve().parent.parent
TAIL = 40
KEPT = ("HOME", "LANG", "TERM", "NODE_EXTRA_CA_CERTS")


def child_environment(endpoint_url: str, region: str) -> dict[str, str]:
    """A whole environment in which any AWS client reaches the local account and cannot reach another."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {
        **kept,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_ENDPOINT_URL": endpoint_url,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "CDK_DISABLE_CLI_TELEMETRY": "true",
        "CDK_DISABLE_VERSION_CHECK": "true",
        "NO_COLOR": "1",
        "NO_PROXY": "127.0.0.1",
        "PYTHONPATH": str(ROOT),
    }


@dataclass(frozen=True)
class Cdk:
    """Runs `cdk` with an environment that only reaches the local AWS; output goes to a log file."""

    environ: Mapping[str, str]
    logs: Path

    def run(self, arguments: Sequence[str], *, cwd: Path = ROOT, environ: Mapping[str, str] | None = None) -> None:
        """Run one command to its end; a failure raises LaptopError with the end of the output."""
        need_command("node", "the CDK command line needs Node.js 20 or newer")
        command = need_file(ROOT / "node_modules/.bin/cdk", "the CDK command line")
        self.logs.mkdir(parents=True, exist_ok=True)
        log = self.logs / f"cdk-{arguments[0]}.log"
        with log.open("w") as output:
            status = _to_the_end(
                [str(command), *arguments], cwd=cwd, env={**self.environ, **(environ or {})}, stdout=output
            )
        if status:
            tail = "\n".join(log.read_text().splitlines()[-TAIL:])
            sys.stderr.write(tail + "\n")
            raise LaptopError(f"`cdk {arguments[0]}` failed with exit status {status}, see above")


def _to_the_end(command: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdout: IO[str]) -> int:
    """The exit status; when this process is interrupted, the command and its children are killed first."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait()
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
