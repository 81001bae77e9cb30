"""The comparison as a picture: ratios over break-even times, and what each policy costs."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from trainops_cli.replay.comparison import BREAK_EVENS, Result

COLOURS = {"none": "#8a8f98", "fixed": "#c44e52", "break-even": "#dd8452", "histogram": "#2a6f97"}
CEILING = 3.0
"""Ratios above are cut off: a fixed limit's would flatten all others."""


def write_plot(results: Sequence[Result], source: str, file: Path) -> None:
    """A PNG, SVG or PDF, by the file's ending. Raises ValueError for another, OSError when it cannot be written."""
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    ratios, costs = figure.subplots(1, 2, width_ratios=(3, 2))
    for result in results:
        colour = COLOURS[result.policy]
        ratios.plot(BREAK_EVENS, result.ratios, marker="o", color=colour, label=result.policy)
    ratios.set(xscale="log", ylim=(1, CEILING), xlabel="break-even idle time, s", ylabel="cost ÷ optimum")
    ratios.set_xticks(BREAK_EVENS, [f"{value:,}" for value in BREAK_EVENS])
    ratios.minorticks_off()
    ratios.legend(frameon=False)
    names = [result.policy for result in results]
    idle = [result.outcome.idle_usd for result in results]
    costs.bar(names, idle, color="#2a6f97", label="idle pools")
    costs.bar(names, [result.outcome.cold_usd for result in results], bottom=idle, color="#a9d6e5", label="cold starts")
    costs.axhline(results[0].optimum_usd, color="#333333", linestyle="--", linewidth=1, label="optimum")
    costs.set_ylabel("US dollars")
    costs.margins(y=0.25)
    costs.legend(frameon=False)
    for axes in (ratios, costs):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.25)
    figure.suptitle(f"Keep-alive policies: {source}", fontsize=11)
    figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix == ".svg" else None)
