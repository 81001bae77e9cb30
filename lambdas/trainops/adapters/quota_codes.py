"""Published codes of SageMaker's quotas, which are the same in every Region: hints that spare a listing.

Sources: AWS General Reference, SageMaker endpoints and quotas; a few warm-pool codes from public audits. Whoever uses
one compares the name that it comes back with. `-`: there is no such quota; empty: the code was not published.
"""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from trainops.domain.quotas import ACCOUNT_WIDE, QuotaKind, quota_key, quota_name

KINDS = (QuotaKind.TRAINING, QuotaKind.SPOT, QuotaKind.WARM_POOL)


@cache
def published_codes() -> Mapping[str, str]:
    """Code by the quota's name in lower case."""
    text = files("trainops.adapters").joinpath("quota_codes.tsv").read_text(encoding="utf-8")
    codes = {quota.key: quota.code for quota in ACCOUNT_WIDE.values() if quota.code}
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        found = {quota_key(quota_name(kind, row["type"])): row[kind.value] for kind in KINDS}
        codes |= {key: code for key, code in found.items() if code and code != "-"}
    return codes
