"""Which instance types bring storage of their own, whose encryption cannot be chosen.

ResourceConfig.VolumeKmsKeyId is refused for them. The API's text names none; EC2 marks most by a d after the
generation (m5d, g4dn, p4d), and the accelerated families without that letter are listed here.
"""

import re

FAMILIES = frozenset(
    {"g5", "g6", "g6e", "g7", "g7e", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200", "trn1", "trn1n", "trn2"}
)
DISK = re.compile(r"[a-z]+\d+[a-z]*d[a-z]*")


def has_instance_storage(instance_type: str) -> bool:
    """Whether `ml.<family>.<size>` brings its own storage; what has another form has none."""
    family = instance_type.removeprefix("ml.").partition(".")[0]
    return family in FAMILIES or DISK.fullmatch(family) is not None
