"""Failure texts are read for their class, cause and next step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainops.domain.exit_codes import exit_code
from trainops.domain.failure_classes import FailureClass
from trainops.domain.failures import (
    SHOWN_REASON,
    QuotaShortage,
    classify,
    cut_by_sagemaker,
    quota_shortage,
    shown_reason,
)

SPOT_QUOTA = (
    "ResourceLimitExceeded: The account-level service limit 'ml.g5.2xlarge for spot training job usage' is 4 "
    "Instances, with current utilization of 3 Instances and a request delta of 2 Instances. Please use AWS "
    "Service Quotas to request an increase for this quota."
)


def toolkit(message: str) -> str:
    """A reason as the SageMaker training toolkit writes it."""
    return f'AlgorithmError: ExecuteUserScriptError:\nExitCode 1\nErrorMessage "{message}"\nCommand "python train.py"'


@pytest.mark.parametrize(
    ("reason", "name"),
    [
        (toolkit("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB"), "gpu_out_of_memory"),
        (toolkit("RuntimeError: CUDA error: out of memory"), "gpu_out_of_memory"),
        (toolkit("ResourceExhaustedError: OOM when allocating tensor with shape[64,512]"), "gpu_out_of_memory"),
        ("AlgorithmError: Exit Code: 137", "host_out_of_memory"),
        (toolkit("MemoryError: Unable to allocate 8 GiB"), "host_out_of_memory"),
        ("ClientError: Please use an instance type with more memory, or reduce the size", "host_out_of_memory"),
        ("exitcode  : -9 (pid: 42)", "host_out_of_memory"),
        (toolkit("OSError: [Errno 28] No space left on device"), "disk_full"),
        ("AlgorithmError: Exit Code: 134", "crash"),
        ("AlgorithmError: Exit Code: 132", "crash"),
        ("AlgorithmError: Exit Code: 255", "script_error"),
        ("AlgorithmError: Exit Code: 127", "start_error"),
        (toolkit("ValueError: shapes do not match"), "script_error"),
        ("AlgorithmError: Exit Code: 1", "script_error"),
        ("AlgorithmError: exit code: 42", "script_error"),
        (toolkit("ModuleNotFoundError: No module named 'lightning'"), "import_error"),
        (toolkit("ImportError: libcudart.so.11.0: cannot open shared object file"), "import_error"),
        ('ClientError: Data download failed:No S3 objects found under S3 URL "s3://acme/x" given', "data_not_found"),
        (toolkit("FileNotFoundError: [Errno 2] No such file or directory: '/opt/ml/input/x.csv'"), "data_not_found"),
        (toolkit("botocore.exceptions.ClientError: An error occurred (NoSuchKey)"), "data_not_found"),
        (toolkit("ClientError: An error occurred (AccessDenied) when calling PutObject"), "access_denied"),
        (SPOT_QUOTA, "quota"),
        ("CapacityError: Unable to provision requested ML compute capacity. Please retry", "no_capacity"),
        ("ClientError: Cannot find image 'acme:1' in region", "image_pull"),
        ("InternalServerError: We encountered an internal error. Please try again.", "internal_error"),
        (toolkit("RuntimeError: NCCL error in ProcessGroupNCCL.cpp"), "node_communication"),
        ("Something nobody has seen before", "unknown"),
        (None, "unknown"),
    ],
)
def test_a_reason_is_read_for_its_class(reason: str | None, name: str) -> None:
    failure = classify(reason)
    assert failure.name == name
    assert failure.headline
    assert failure.explanation
    assert failure.next_step


@pytest.mark.case("NO-12")
def test_exit_code_139_is_said_to_be_a_segmentation_fault() -> None:
    failure = classify("AlgorithmError: Exit Code: 139")
    assert failure.headline == "segmentation fault"
    assert "Exit code 139" in failure.explanation
    assert "SIGSEGV" in failure.explanation


@pytest.mark.case("NO-12")
def test_a_reason_of_full_length_is_known_to_be_cut() -> None:
    reason = ("AlgorithmError: Traceback (most recent call last): " * 30)[:1024]
    assert cut_by_sagemaker(reason)
    assert not cut_by_sagemaker(reason[:1023])
    assert not cut_by_sagemaker(None)


@pytest.mark.case("SP-12")
def test_no_capacity_is_not_the_users_error() -> None:
    failure = classify("CapacityError: Unable to provision requested ML compute capacity")
    assert failure.name is FailureClass.NO_CAPACITY
    assert not failure.user_error
    assert "later" in failure.next_step
    assert classify(toolkit("ValueError: x")).user_error


@pytest.mark.case("SP-13")
def test_the_exact_quota_and_the_value_it_needs_are_named() -> None:
    failure = classify(SPOT_QUOTA)
    assert quota_shortage(SPOT_QUOTA) == QuotaShortage("ml.g5.2xlarge for spot training job usage", 4, 3, 2)
    assert "ml.g5.2xlarge for spot training job usage" in failure.next_step
    assert "at least 5" in failure.next_step
    assert not failure.user_error


def test_access_denied_names_the_action_and_the_resource() -> None:
    failure = classify(
        "ClientError: User: arn:aws:sts::1:assumed-role/train/SageMaker is not authorized to perform: s3:GetObject on "
        'resource: "arn:aws:s3:::acme/data.csv" because no identity-based policy allows the s3:GetObject action'
    )
    assert failure.explanation == "The job's role may not s3:GetObject on arn:aws:s3:::acme/data.csv."


@pytest.mark.parametrize(
    ("secondary", "name"), [("MaxWaitTimeExceeded", "spot_wait_exceeded"), ("MaxRuntimeExceeded", "runtime_limit")]
)
def test_the_secondary_status_says_more_than_any_text(secondary: str, name: str) -> None:
    assert classify("AlgorithmError: Exit Code: 137", secondary).name == name


def test_a_scripts_own_exception_is_found_inside_the_wrappers() -> None:
    failure = classify(toolkit("ValueError: shapes do not match."))
    assert failure.headline == "ValueError"
    assert failure.explanation == "The script ended with ValueError: shapes do not match."


def test_the_last_exit_code_of_a_text_counts() -> None:
    assert exit_code("ExitCode 1\nCommand, exit code: 137") == 137
    assert exit_code("exitcode: -11") == 139
    assert exit_code("no code") is None


def test_secrets_are_masked_before_anything_is_said() -> None:
    reason = toolkit("ValueError: bad password=hunter2")
    assert "hunter2" not in classify(reason).explanation
    assert "hunter2" not in str(shown_reason(reason))


@pytest.mark.parametrize("before", range(SHOWN_REASON // 3 - 40, SHOWN_REASON // 3))
def test_a_secret_at_the_cut_is_masked_and_not_halved(before: int) -> None:
    reason = "x" * before + ":hf_" + "Ab1" * 12 + " y" * 2000
    assert "hf_A" not in str(shown_reason(reason))


@given(st.text(max_size=1200))
def test_any_text_at_all_is_read_without_an_error(reason: str) -> None:
    assert classify(reason).headline
    assert len(shown_reason(reason) or "") <= SHOWN_REASON


def test_braces_in_a_reason_are_only_text() -> None:
    assert "{0.__class__}" in classify("No module named '{0.__class__}'").explanation
