"""The least that a function's start can cost: its third-party imports and AWS clients, without a line of ours.

Both are found by starting the function once: the import statements of every module of ours that was loaded, and the
services that boto3 was asked a client for. So the floor cannot grow stale.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.function_image import PACKAGES

PROBE = """
import boto3, sys
made, original = [], boto3.client
def recording(service, *args, **kwargs):
    made.append(service)
    return original(service, *args, **kwargs)
boto3.client = recording
import handlers.{handler}
handlers.{handler}.wire()
files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
answer = {{"clients": made, "files": [file for file in files if file]}}
"""


@dataclass(frozen=True)
class Floor:
    """Import statements and services of one function."""

    imports: tuple[str, ...]
    clients: tuple[str, ...]

    @property
    def packages(self) -> list[str]:
        """The third-party packages that are imported by name."""
        return sorted({statement.split()[1].split(".")[0] for statement in self.imports})

    @property
    def code(self) -> str:
        """What the floor's process executes; the clients are boto3's own, without settings of ours."""
        return "\n".join([*self.imports, "import boto3", *(f"boto3.client({name!r})" for name in self.clients)])


def floor_of(code: Path, files: Iterable[str], clients: Iterable[str]) -> Floor:
    """The floor of a function that loaded these files, of which ours lie below `code`, and made these clients."""
    own = [path for path in map(Path, files) if path.is_relative_to(code)]
    statements = [text for path in own for text in _third_party(path.read_text(encoding="utf-8"))]
    return Floor(tuple(dict.fromkeys(statements)), tuple(dict.fromkeys(clients)))


def _third_party(source: str) -> Iterator[str]:
    """The import statements at the top of a module that name neither us nor the standard library."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        roots = {name.partition(".")[0] for name in names}
        if not roots & {*PACKAGES, *sys.stdlib_module_names}:
            yield ast.unparse(node)
