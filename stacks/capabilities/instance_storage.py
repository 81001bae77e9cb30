"""Which instance types have a volume that a customer key can encrypt.

A type with storage of its own takes no VolumeKmsKeyId (ResourceConfig, API model), so a key must not be demanded for
it. Families are listed from botocore's TrainingInstanceType and EC2's pages; of a family that is in neither list no key
is demanded, since a job that cannot be written any way would be worse.
"""

EBS_ONLY = (
    "c4", "c5", "c5n", "c6i", "c7i", "c7i-flex", "c8i", "c8i-flex",
    "m4", "m5", "m6i", "m7i", "m7i-flex", "m8i", "m8i-flex",
    "p2", "p3", "r5", "r6i", "r7i", "r8i", "r8i-flex", "t3",
)  # fmt: skip
"""Their only storage is the volume, which takes a key."""
INSTANCE_STORE = (
    "g4dn", "g5", "g6", "g6e", "g7", "g7e", "p3dn", "p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300",
    "p6e-gb200", "r5d", "trn1", "trn1n", "trn2",
)  # fmt: skip
"""They have storage of their own, encrypted by its hardware."""
TAKE_A_KEY = (
    "ml.c?.*", "ml.m?.*", "ml.r5.*", "ml.c?i.*", "ml.m?i.*", "ml.r?i.*", "ml.??i-flex.*",
    "ml.c5n.*", "ml.p2.*", "ml.p3.*", "ml.t3.*",
)  # fmt: skip
"""The families of `EBS_ONLY` as the fewest patterns of IAM, whose policies are short of room."""
