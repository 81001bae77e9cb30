"""Start latencies by input mode: medians and ninetieths of what was measured, cold and warm apart."""

from datetime import timedelta

from trainops.domain.start_latency import Latency, Start, latencies


def starts(mode: str | None, *seconds: int, warm: bool = False) -> list[Start]:
    return [Start(timedelta(seconds=value), warm, mode) for value in seconds]


def test_cold_and_warm_starts_of_a_mode_are_told_apart() -> None:
    rows = latencies([*starts("File", *range(1, 102)), *starts("File", 70, warm=True), *starts("FastFile", 21)])
    one, seventy = timedelta(seconds=21), timedelta(seconds=70)
    assert rows == [
        Latency("FastFile", warm=False, starts=1, p50=one, p90=one),
        Latency("File", warm=False, starts=101, p50=timedelta(seconds=51), p90=timedelta(seconds=91)),
        Latency("File", warm=True, starts=1, p50=seventy, p90=seventy),
    ]


def test_one_slow_start_moves_the_ninetieth_and_not_the_median() -> None:
    [row] = latencies(starts(None, 100, 100, 100, 100, 900))
    assert (row.input_mode, row.p50, row.p90) == ("unknown", timedelta(seconds=100), timedelta(seconds=580))


def test_nothing_measured_is_no_row() -> None:
    assert latencies([]) == []
