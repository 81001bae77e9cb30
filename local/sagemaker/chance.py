"""Chance that repeats: numbers drawn from a seed and labels, the same in every run and on every machine."""

import hashlib
from math import exp, log
from statistics import NormalDist

P90_SCORE = NormalDist().inv_cdf(0.9)
SPREAD = 0.25  # of the logarithm; our choice, the benchmark published no more than its P90


def uniform(*labels: object) -> float:
    """A number between 0 and 1, both excluded, that the labels alone decide."""
    digest = hashlib.sha256("\n".join(map(str, labels)).encode()).digest()
    return (int.from_bytes(digest[:6]) + 0.5) / 2**48


def around_p90(p90: float, *labels: object) -> float:
    """A duration whose distribution (log-normal) exceeds `p90` once in ten draws."""
    return p90 * exp(SPREAD * (NormalDist().inv_cdf(uniform(*labels)) - P90_SCORE))


def until_next(rate: float, *labels: object) -> float:
    """The time until the next event of a Poisson process with `rate` events per unit of time."""
    return -log(uniform(*labels)) / rate
