"""Opens a trace by its name: `.csv` or `.jsonl`, each also as `.gz`."""

import gzip
import zlib
from collections import Counter
from pathlib import Path

from trainops_cli.replay.csv_files import read_csv
from trainops_cli.replay.jobs import Trace, TraceError
from trainops_cli.replay.ledger_export import read_ledger

ACCEPTED = "a file that ends in .csv, .csv.gz, .jsonl, .jsonl.gz or .json.gz"


def read_trace(path: Path) -> Trace:
    """The jobs of a file, in order of creation. Raises TraceError for what cannot be read, and for no jobs at all."""
    kind = path.name.lower().removesuffix(".gz").rpartition(".")[2]
    if kind not in {"csv", "jsonl", "json"}:
        raise TraceError(f"{path.name}: not a known kind of trace; accepted: {ACCEPTED}")
    opener = gzip.open if path.name.lower().endswith(".gz") else open
    skipped = Counter[str]()
    try:
        with opener(path, "rt", encoding="utf-8-sig", newline="") as lines:
            if kind == "csv":
                jobs = read_csv(lines, path.name)
            else:
                jobs, skipped = read_ledger(lines, path.name)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise TraceError(f"{path.name}: cannot be read: {error}") from error
    if not jobs:
        raise TraceError(f"{path.name}: no job in it can be replayed{_told(skipped)}")
    return Trace(sorted(jobs, key=lambda job: job.created), path.name, skipped)


def _told(skipped: Counter[str]) -> str:
    return "".join(f"; {count} left out: {reason}" for reason, count in skipped.items())
