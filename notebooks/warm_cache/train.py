"""Prepares its data once for each warm pool: what it puts into the pool's cache folder, the next job finds there."""

import json
import os
import random
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

CACHE = Path(os.environ["SAGEMAKER_MANAGED_WARMPOOL_CACHE_DIRECTORY"])
LETTERS, TEXTS = "etaoinshrdlucmfwyp", 40_000


def pairs_of_letters():
    """How often letters follow each other in texts that it makes; it takes a moment."""
    rng = random.Random(1)  # noqa: S311 - texts, no secrets
    counts = Counter()
    for _ in range(TEXTS):
        text = rng.choices(LETTERS, k=60)
        counts.update(first + second for first, second in pairwise(text))
    return dict(counts)


began = time.monotonic()
table = CACHE / "pairs.json"
if table.exists():
    pairs, how = json.loads(table.read_text()), "found in the pool's cache"
else:
    pairs, how = pairs_of_letters(), "made anew"
    table.write_text(json.dumps(pairs))
print(f"{len(pairs)} pairs {how}: ready after {time.monotonic() - began:.2f} s", flush=True)
(Path(os.environ["SM_MODEL_DIR"]) / "pairs.json").write_text(json.dumps(pairs))
