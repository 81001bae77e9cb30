"""One attempt of a training process, in a thread of its own: fetch, run, mirror checkpoints and logs, deliver.

A spot interruption kills the process at once and copies nothing more; StopTrainingJob gives it SIGTERM and 120 s of
the simulated clock, then SIGKILL (API shape StopTrainingJob).
"""

import signal
import subprocess
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from local.training.container import Container
from local.training.files import Files
from local.training.logs import Log

GRACE = timedelta(seconds=120)
LOOK_EVERY = 0.1  # real seconds
Client = Callable[[str], Any]


@dataclass
class Attempt:
    """`client` makes boto3 clients with the execution role's credentials, `environ` are these for the process itself.

    `done` is told, from this thread, why the process failed; None when it ended well. Nothing is told of one that was
    interrupted.
    """

    container: Container
    python: Path
    client: Client
    environ: dict[str, str]
    now: Callable[[], datetime]
    done: Callable[[str | None], None]
    before: "Attempt | None" = None
    _interrupted: threading.Event = field(default_factory=threading.Event)
    _stop_at: datetime | None = None
    _read: int = 0
    _thread: threading.Thread = field(init=False)

    def start(self) -> None:
        """Begin, once the attempt before it has come to its end."""
        self._thread = threading.Thread(target=self._run, name=self.container.name, daemon=True)
        self._thread.start()

    def interrupt(self) -> None:
        """The instance is taken away."""
        self._interrupted.set()

    def stop(self, at: datetime) -> None:
        """SIGTERM from the next look on; from `at` on the grace counts."""
        self._stop_at = self._stop_at or at

    def _run(self) -> None:
        if self.before is not None:
            self.before._thread.join()
        try:
            failure = self._train()
        except Exception:  # a fault here is the job's failure and is read in its FailureReason, not lost in a thread
            failure = f"InternalServerError: {traceback.format_exc()[-900:]}"
        if not self._interrupted.is_set():
            self.done(failure)

    def _train(self) -> str | None:
        files, log = Files(self.client("s3"), self.container), Log(self.client("logs"), self.container.name)
        log.open()
        try:
            files.fetch()
            command = self.container.command(self.python)
        except ValueError as error:
            return f"ClientError: {error}"
        with self._printed.open("wb") as printed:
            process = subprocess.Popen(
                command, cwd=self.container.code, env=self.environ, stdin=subprocess.DEVNULL, stdout=printed,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            code = self._watch(process, files, log)
        if self._interrupted.is_set():
            return None
        files.mirror(ended=True)
        files.deliver()
        return self.container.failure(code) if code else None

    def _watch(self, process: subprocess.Popen[bytes], files: Files, log: Log) -> int:
        """The exit code; the process is gone when this returns, however it returns."""
        told = False
        try:
            while process.poll() is None and not self._interrupted.wait(LOOK_EVERY):
                self._forward(log)
                files.mirror()
                if self._stop_at is not None and not told:
                    process.send_signal(signal.SIGTERM)
                    told = True
                if self._stop_at is not None and self.now() >= self._stop_at + GRACE:
                    process.kill()
        finally:
            process.kill()
            code = process.wait()
        self._forward(log)
        return code

    @property
    def _printed(self) -> Path:
        return self.container.root / "printed"

    def _forward(self, log: Log) -> None:
        """Whole lines that were printed since the last time; at the end what is left as well."""
        with self._printed.open("rb") as printed:
            printed.seek(self._read)
            new = printed.read()
        self._read += len(new)
        if new:
            log.write(new.decode(errors="replace"))
