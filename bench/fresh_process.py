"""Runs in a process of its own, as a function's does: executes one piece of code and tells what it took, as JSON.

Called as `python -I -S -B fresh_process.py PATHS CODE`; PATHS, joined as PATH is, is all that can be imported beside
the standard library. Nothing of the project may be imported here, and nothing before the clock starts that is not
built into the interpreter, so that what is measured finds as little loaded as possible.
"""

import sys
import time


def main() -> None:
    """Print `{"ms": …, "peak_mb": …, "answer": …}`; `answer` is what the code left under that name."""
    paths, code = sys.argv[1:]
    sys.path[:0] = paths.split(":")
    names: dict[str, object] = {"__name__": "measured"}
    began = time.perf_counter()
    exec(code, names)  # noqa: S102 - the code to measure is the argument
    took = time.perf_counter() - began
    report = {"ms": took * 1000, "peak_mb": _peak_mb(), "answer": names.get("answer")}
    print(_as_json(report))


def _peak_mb() -> float:
    """The most memory this process had resident, in MiB, before anything is loaded for the report."""
    try:
        # ru_maxrss of a fresh child starts at what its parent held, because vfork shares the memory; this does not.
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - pathlib would be loaded for it
            [line] = [line for line in status if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    except (OSError, ValueError):
        import resource  # noqa: PLC0415

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def _as_json(report: dict[str, object]) -> str:
    import json  # noqa: PLC0415

    return json.dumps(report)


if __name__ == "__main__":
    main()
