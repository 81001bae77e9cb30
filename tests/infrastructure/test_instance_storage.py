"""Which instance types take a volume key."""

from fnmatch import fnmatchcase

from botocore.session import get_session

from stacks.capabilities.instance_storage import EBS_ONLY, INSTANCE_STORE, TAKE_A_KEY


def families() -> set[str]:
    shape = get_session().get_service_model("sagemaker").shape_for("TrainingInstanceType")
    return {name.split(".")[1] for name in shape.enum}  # type: ignore[attr-defined]


def test_every_family_of_the_api_is_known_to_have_storage_of_its_own_or_not() -> None:
    """A new family is decided here; until then no key is demanded for it."""
    assert not set(EBS_ONLY) & set(INSTANCE_STORE)
    assert set(EBS_ONLY) | set(INSTANCE_STORE) == families()


def test_the_patterns_mean_exactly_the_families_whose_volume_takes_a_key() -> None:
    meant = {name for name in families() if any(fnmatchcase(f"ml.{name}.xlarge", pattern) for pattern in TAKE_A_KEY)}
    assert meant == set(EBS_ONLY)
