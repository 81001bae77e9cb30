"""The server process of the local AWS: `python -m local.server --port N --state DIR [--smtp HOST:PORT]`.

Runs with the interpreter of `.venv-local`; deployed functions run with it too. Listens on 127.0.0.1 only, keeps
everything in memory or under the state folder, and ends when its parent process is gone, removing that folder then.
"""

import argparse
import asyncio
import importlib
import os
import shutil
import signal
import sys
from pathlib import Path

HOST = "127.0.0.1"
# Taken away again, because functions inherit the environment and their logger obeys LOG_LEVEL.
READ_AT_IMPORT = ("LOG_LEVEL",)


def clean_environment(port: int, state: Path, smtp: str) -> dict[str, str]:
    """All that the server and the functions inherit: nothing of the person who starts it."""
    return {
        "AUTH": "true",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_EC2_METADATA_DISABLED": "true",
        "BIND_HOST": HOST,
        "DOCKER_HOST": f"unix://{state}/no-docker.sock",
        "GATEWAY_PORT": str(port),
        "HOME": str(state),
        "IOT_MTLS_ENABLED": "0",
        "LANG": "C.UTF-8",
        "LOG_LEVEL": "WARNING",
        "PATH": os.defpath,
        "S3_DATA_DIR": str(state / "s3"),
        "SFTP_ENABLED": "0",
        "SMTP_HOST": smtp,
        "STATE_DIR": str(state / "ministack"),
        "TMPDIR": str(state / "tmp"),
        "TZ": "UTC",
    }


def main() -> None:
    """Read the arguments, clean the environment, serve until told to end or left alone."""
    parser = argparse.ArgumentParser(prog="python -m local.server", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--state", type=Path, required=True, help="folder for all files of this run")
    parser.add_argument("--smtp", default="", help="host:port that e-mail is relayed to")
    parser.add_argument("--clock-rate", type=float, default=1.0, help="simulated seconds per second")
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="what training scripts run with")
    options = parser.parse_args()
    state, parent = options.state.resolve(), os.getppid()
    environment = clean_environment(options.port, state, options.smtp)
    (state / "tmp").mkdir(parents=True, exist_ok=True)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(state)  # functions start here: nothing of the project is importable for them
    try:
        composition = importlib.import_module("local.composition")
        for name in READ_AT_IMPORT:
            del os.environ[name]
        asyncio.run(composition.run(HOST, options.port, parent, options.clock_rate, options.python.absolute()))
    finally:
        if os.getppid() != parent:  # nobody is left to read the log or to tidy up
            shutil.rmtree(state, ignore_errors=True)
        sys.stdout.flush()
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # the workers of functions, which share this process's own group


if __name__ == "__main__":
    main()
