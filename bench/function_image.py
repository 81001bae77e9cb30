"""What a function finds on its disk, laid out in a folder: our code, the layer, and the AWS SDK of the runtime.

Code and layer are copied as they ship, without bytecode, since Lambda's folders are read-only and it is compiled
again at each cold start; the SDK is compiled beforehand, as a runtime's own packages are. The sizes are taken of the
same files.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from local.cdk import ROOT
from local.problems import LaptopError

CODE, LAYER = ROOT / "lambdas", ROOT / "build/layer/python"
PACKAGES = ("handlers", "trainops")
"""What ships of lambdas/ (see stacks/building_blocks/function.py)."""
SDK = ("boto3", "botocore", "s3transfer", "dateutil", "urllib3", "jmespath", "six.py")
"""boto3 and what it needs: the only third-party packages that Lambda's Python runtime promises."""


@dataclass(frozen=True)
class Image:
    """The three folders in the order in which a function searches them."""

    root: Path

    @property
    def paths(self) -> list[Path]:
        """Code, layer, SDK."""
        return [self.root / name for name in ("code", "layer", "sdk")]


def handler_names() -> list[str]:
    """Every function: the modules of `handlers`."""
    return sorted(path.stem for path in (CODE / "handlers").glob("[!_]*.py"))


def shipped_code() -> Iterator[tuple[str, Path]]:
    """Every file of the code asset, with its name in it."""
    for package in PACKAGES:
        yield from files_below(CODE / package, CODE)


def files_below(folder: Path, start: Path) -> Iterator[tuple[str, Path]]:
    """Every file in a folder but bytecode, with its path from `start`, in a stable order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            yield path.relative_to(start).as_posix(), path


def build_image(root: Path, python: Path) -> Image:
    """Lay a function's disk out below `root`; `python` is the interpreter that the SDK is compiled for."""
    image = Image(root)
    code, layer, sdk = image.paths
    _copy(shipped_code(), code)
    _copy(files_below(LAYER, LAYER), layer)
    for name in SDK:
        source = _site_packages() / name
        _copy(files_below(source, source.parent) if source.is_dir() else [(name, source)], sdk)
    subprocess.run([str(python), "-I", "-S", "-m", "compileall", "-q", str(sdk)], check=True)
    return image


def _copy(files: Iterator[tuple[str, Path]] | Sequence[tuple[str, Path]], folder: Path) -> None:
    for name, source in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def _site_packages() -> Path:
    """Where .venv-local keeps boto3: the same release for every measurement."""
    found = [*(ROOT / ".venv-local").glob("lib/python3*/site-packages")]
    if len(found) != 1 or not all((found[0] / name).exists() for name in SDK):
        raise LaptopError(f"boto3 and what it needs are missing in .venv-local{os.sep}lib; run: make setup")
    return found[0]
