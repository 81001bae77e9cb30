"""How much there is to write, and to keep, for each of the three: lines that are neither empty nor a comment."""

from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = ("lambdas", "stacks")
"""What this project deploys; without its command line, tests and local AWS."""


def written() -> dict[str, int]:
    """Lines of configuration that a team writes, and of Python that this project brings with it."""
    sources = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    return {
        "product": lines([HERE / "product.yaml"]),
        "product_sources": lines([*sources, ROOT / "app.py"]),
        "rule": lines([HERE / "rule.yaml"]),
        "custodian": lines([HERE / "dated.yaml"]),
    }


def lines(paths: Iterable[Path]) -> int:
    """Over all the files."""
    texts = [line.strip() for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return sum(bool(text) and not text.startswith("#") for text in texts)
