"""How large what is deployed is: the code asset, the layer and each package in it."""

import io
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.function_image import LAYER, files_below, shipped_code
from local.problems import LaptopError

Files = Sequence[tuple[str, Path]]


def measure_sizes() -> dict[str, Any]:
    """Bytes of code and layer, unpacked and as a zip; the layer's packages, largest first."""
    if not LAYER.is_dir():
        raise LaptopError("the layer is not built; run: make layer")
    layer = list(files_below(LAYER, LAYER.parent))
    packages: dict[str, list[tuple[str, Path]]] = defaultdict(list)
    for name, path in layer:
        packages[package_of(name.split("/")[1])].append((name, path))
    measured = [{"package": name, **_size(files)} for name, files in packages.items()]
    return {
        "code": _size(list(shipped_code())),
        "layer": _size(layer),
        "packages": sorted(measured, key=lambda entry: -entry["unpacked"]),
    }


def package_of(entry: str) -> str:
    """The package that an entry of the layer belongs to: `dacite-1.9.2.dist-info` and `dacite` are `dacite`'s."""
    return entry.removesuffix(".py").partition("-")[0]


def _size(files: Files) -> dict[str, Any]:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files:
            archive.write(path, name)
    unpacked = sum(path.stat().st_size for _, path in files)
    return {"files": len(files), "unpacked": unpacked, "zipped": packed.tell()}
