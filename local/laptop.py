"""AWS on this machine as a context manager: server, Slack and mailbox, with bootstrap and deploy.

    with Laptop() as laptop:
        laptop.bootstrap()
        laptop.deploy(config=Path("config/dev.yaml"))
        laptop.client("sagemaker").create_training_job(...)

Everything listens on 127.0.0.1 and is gone when the block is left, also by Ctrl-C or a killed parent.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import boto3
import httpx
from botocore.config import Config

from local.cdk import ROOT, Cdk, child_environment
from local.control import Control
from local.problems import LaptopError, free_port, lock, need_file, need_port
from local.receivers import Mailbox, SlackReceiver

HOST = "127.0.0.1"
PATIENT: Any = {"mode": "standard", "total_max_attempts": 8}


class Laptop:
    """One local AWS account; `port` 0 takes a free port, `state` None a temporary folder.

    `clock_rate` is simulated seconds per real second. `python` runs the scripts of jobs whose image is local/python, by
    default the server's own, which has boto3. The state folder is removed at the end.
    """

    account = "000000000000"

    def __init__(
        self,
        *,
        port: int = 0,
        state: Path | None = None,
        region: str = "us-east-1",
        clock_rate: float = 1.0,
        python: Path | None = None,
    ) -> None:
        self.region = region
        self.port = port or free_port()
        self.state = (state or Path(tempfile.mkdtemp(prefix="trainops-local-"))).resolve()
        self.endpoint_url = f"http://{HOST}:{self.port}"
        self.control = Control(self.endpoint_url)
        self.slack = SlackReceiver(self.control.now)
        self.mailbox = Mailbox(self.control.now)
        self._clock_rate = clock_rate
        self._python = python
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start everything; returns when the server answers. LaptopError says in one line what is in the way."""
        python = need_file(ROOT / ".venv-local/bin/python", "the server's environment .venv-local")
        self._stack.enter_context(lock(self.state))
        self._stack.callback(shutil.rmtree, self.state, ignore_errors=True)
        need_port(self.port)
        for receiver in (self.slack, self.mailbox):
            receiver.start()
            self._stack.callback(receiver.stop)
        self._stack.callback(self.control.close)
        self._server = self._launch(python)
        self._stack.callback(self._end_server)
        self._wait_until_ready()

    def stop(self) -> None:
        """End everything and remove the state folder; harmless when called twice."""
        self._stack.close()

    def client(self, service: str, *, retries: Any = None, **credentials: str) -> Any:
        """A boto3 client of the account's root, or of the given `aws_access_key_id` and so on.

        `retries` is botocore's setting of that name. When it is not given, a patient user's: an account may make one
        CreateTrainingJob call a second.
        """
        chosen = credentials or {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
        config = Config(proxies={}, retries=retries or PATIENT)
        return boto3.client(  # type: ignore[call-overload]
            service, endpoint_url=self.endpoint_url, region_name=self.region, config=config, **chosen
        )

    def as_role(self, role_arn: str, service: str, session_name: str = "laptop") -> Any:
        """A boto3 client under a role, whose policies are then enforced."""
        found = self.client("sts").assume_role(RoleArn=role_arn, RoleSessionName=session_name)["Credentials"]
        return self.client(
            service,
            aws_access_key_id=found["AccessKeyId"],
            aws_secret_access_key=found["SecretAccessKey"],
            aws_session_token=found["SessionToken"],
        )

    @property
    def environ(self) -> dict[str, str]:
        """A whole environment for a child process that reaches this AWS and no other."""
        return child_environment(self.endpoint_url, self.region)

    def addresses(self) -> dict[str, str]:
        """What listens where, for a person to read."""
        return {
            "AWS": self.endpoint_url,
            "control": f"{self.endpoint_url}/_local/health",
            "Slack": self.slack.url(),
            "e-mail": f"smtp://{self.mailbox.address}",
        }

    def is_running(self) -> bool:
        """Whether the server process lives."""
        return self._server.poll() is None

    def bootstrap(self) -> None:
        """`cdk bootstrap`, unchanged: the default roles and staging bucket."""
        self._cdk.run(["bootstrap", f"aws://{self.account}/{self.region}"], cwd=self.state)

    def reachable(self, url: str) -> str:
        """A function URL (`https://<id>.lambda-url.<region>.on.aws/…`) at its address on this machine."""
        parts = urlsplit(url)
        return f"{self.endpoint_url}/_aws/lambda-url/{parts.netloc.split('.')[0]}{parts.path}"

    def deploy(self, *, config: Path | None = None, app_dir: Path = ROOT, app: str | None = None,
               environ: Mapping[str, str] | None = None) -> None:  # fmt: skip
        """`cdk deploy --all` of the app in `app_dir`; `config` is the YAML file of choices, `app` another command."""
        self._app = [*(["--app", app] if app else []), "--output", str(self.state / "cdk.out")]
        chosen = {} if config is None else {"TRAINOPS_CONFIG": str(config.resolve())}
        self._app_dir, self._app_environ = app_dir, {**chosen, **(environ or {})}
        self._run_app("deploy", "--all", "--require-approval", "never", "--ci")

    def destroy(self) -> None:
        """`cdk destroy --all` of what was deployed last."""
        self._run_app("destroy", "--all", "--force", "--ci")

    @property
    def _cdk(self) -> Cdk:
        return Cdk(self.environ, self.state / "logs")

    def _run_app(self, *arguments: str) -> None:
        self._cdk.run([*arguments, *self._app], cwd=self._app_dir, environ=self._app_environ)

    def _launch(self, python: Path) -> subprocess.Popen[bytes]:
        log = self._stack.enter_context((self.state / "server.log").open("wb"))
        arguments = ["--port", str(self.port), "--state", str(self.state), "--clock-rate", str(self._clock_rate)]
        if self._python:
            arguments += ["--python", str(self._python)]
        return subprocess.Popen(
            [str(python), "-m", "local.server", *arguments, "--smtp", self.mailbox.address],
            cwd=ROOT,
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches this process only, which then ends the server in order
        )

    def _wait_until_ready(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self._server.poll() is not None:
                tail = (self.state / "server.log").read_text() if self.state.exists() else ""
                raise LaptopError(f"the local AWS ended at once: {tail[-2000:] or 'no output'}")
            with suppress(httpx.TransportError):
                self.control.health()
                return
            time.sleep(0.05)
        raise LaptopError(f"the local AWS did not answer within {seconds:.0f} s")

    def _end_server(self) -> None:
        """Ask, then insist; the group holds the functions' workers too."""
        with suppress(ProcessLookupError):
            self._server.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._server.wait(timeout=10)
            os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait()
