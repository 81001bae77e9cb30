"""What can keep the local AWS from starting, found before anything is started and said in one line."""

import fcntl
import shutil
import socket
from pathlib import Path
from typing import IO

HOST = "127.0.0.1"


class LaptopError(Exception):
    """One clear line for the person at the keyboard: what is wrong and what to do."""


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.create_server((HOST, 0)) as listener:
        return int(listener.getsockname()[1])


def need_port(port: int, option: str = "--port") -> None:
    """Refuse a port that somebody listens on; `option` chooses another."""
    with socket.socket() as probe:
        probe.settimeout(1)
        if probe.connect_ex((HOST, port)) == 0:
            raise LaptopError(f"port {port} is in use: stop what listens there or choose another with {option}")


def need_file(path: Path, what: str) -> Path:
    """Refuse to go on without a file that `make setup` makes."""
    if not path.exists():
        raise LaptopError(f"{what} is missing ({path}): run `make setup`")
    return path


def need_command(name: str, why: str) -> None:
    """Refuse to go on without a program on PATH."""
    if shutil.which(name) is None:
        raise LaptopError(f"{name} is not on PATH: {why}")


def lock(folder: Path) -> IO[str]:
    """Hold a state folder for this process; a second copy is refused. Released when the process ends."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = (folder / "lock").open("w")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        handle.close()
        raise LaptopError(f"another local AWS already runs with the state folder {folder}") from error
    return handle
