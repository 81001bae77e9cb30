"""Failure texts as AWS and the frameworks write them, in their length and with what stands around the cause."""

import pytest

from trainops.domain.failures import classify


def toolkit(message: str, *, code: int = 1, error: str = "ExecuteUserScriptError") -> str:
    """A reason as the SageMaker training toolkit writes it, with the command line that follows the message."""
    command = f'Command "/opt/conda/bin/python3.10 train.py --epochs 3", exit code: {code}'
    return f'AlgorithmError: {error}:\nExitCode {code}\nErrorMessage "{message}"\n{command}'


TEXTS = [
    (
        "gpu_out_of_memory",
        toolkit(
            "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate "
            "12345 bytes."
        ),
    ),
    ("gpu_out_of_memory", toolkit("RuntimeError: CUDA driver error: out of memory")),
    ("gpu_out_of_memory", toolkit("cudaErrorMemoryAllocation: out of memory")),
    ("gpu_out_of_memory", toolkit("ResourceExhaustedError: failed to allocate memory [Op:Mul]")),
    (
        "host_out_of_memory",
        toolkit("numpy.core._exceptions._ArrayMemoryError: Unable to allocate 8.00 GiB for an array"),
    ),
    (
        "host_out_of_memory",
        toolkit(
            "RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: can't allocate "
            "memory: you tried to allocate 2048 bytes."
        ),
    ),
    (
        "host_out_of_memory",
        (
            "ClientError: Out of Memory. Please use a larger instance and/or reduce the values of other "
            "parameters (e.g. batch size, num_layers etc.) if applicable"
        ),
    ),
    ("host_out_of_memory", toolkit("terminate called after throwing an instance of 'std::bad_alloc'", code=134)),
    ("host_out_of_memory", toolkit("", code=137)),
    (
        "host_out_of_memory",
        toolkit(
            "RuntimeError: DataLoader worker (pid 177) is killed by signal: Bus error. It is possible that "
            "dataloader's workers are out of shared memory."
        ),
    ),
    ("host_out_of_memory", toolkit("RuntimeError: DataLoader worker (pid 177) is killed by signal: Killed.")),
    ("data_not_found", "ClientError: Data download failed:NoSuchKey (404): The specified key does not exist."),
    ("disk_full", "ClientError: Data download failed:Could not download s3://acme/train.tar: insufficient disk space"),
    ("disk_full", "ClientError: Artifact upload failed:Insufficient disk space"),
    ("data_not_found", toolkit("KeyError: 'SM_CHANNEL_TRAIN'")),
    (
        "data_not_found",
        (
            "ClientError: Data download failed:PermanentRedirect (301): The bucket is in this region: eu-west-1. "
            "Please use this region to retry the request"
        ),
    ),
    ("access_denied", "ClientError: Data download failed:AccessDenied (403): Access Denied"),
    (
        "access_denied",
        toolkit(
            "botocore.exceptions.ClientError: An error occurred (403) when calling the HeadObject operation: Forbidden"
        ),
    ),
    (
        "access_denied",
        toolkit(
            "botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the PutObject "
            "operation: Access Denied"
        ),
    ),
    (
        "access_denied",
        toolkit(
            "An error occurred (AccessDeniedException) when calling the Decrypt operation: The ciphertext refers "
            "to a customer master key that does not exist, does not exist in this region, or you are not allowed "
            "to access."
        ),
    ),
    (
        "access_denied",
        toolkit(
            "An error occurred (AccessDeniedException) when calling the GetSecretValue operation: User: "
            "arn:aws:sts::111122223333:assumed-role/train/SageMaker is not authorized to perform: "
            "secretsmanager:GetSecretValue on resource: example because no identity-based policy allows the "
            "secretsmanager:GetSecretValue action"
        ),
    ),
    (
        "access_denied",
        (
            "ClientError: User: arn:aws:sts::1:assumed-role/t/SageMaker is not authorized to perform: "
            "kms:GenerateDataKey on this resource because the resource does not exist in this Region, no "
            "resource-based policies allow access, or a resource-based policy explicitly denies access"
        ),
    ),
    (
        "quota",
        (
            "ResourceLimitExceeded: The account-level service limit 'Number of instances for a training job' is "
            "20 Instances, with current utilization of 0 Instances and a request delta of 32 Instances."
        ),
    ),
    ("no_capacity", "CapacityError: Insufficient capacity error. Please retry using a different ML instance type"),
    ("no_capacity", "InsufficientCapacityError: no capacity for ml.p5.48xlarge"),
    (
        "image_pull",
        (
            "ClientError: Failed to pull image 111122223333.dkr.ecr.eu-west-1.amazonaws.com/x:1: pull access "
            "denied, repository does not exist or may require authorization"
        ),
    ),
    (
        "image_pull",
        "ClientError: Not authorized to pull image from ECR: 111122223333.dkr.ecr.eu-west-1.amazonaws.com/x:1",
    ),
    (
        "start_error",
        (
            "AlgorithmError: CannotStartContainerError. Please ensure the model container for variant 'train' "
            "starts correctly when invoked with 'docker run <image> train'"
        ),
    ),
    (
        "start_error",
        ('AlgorithmError: OCI runtime create failed: exec: "train": executable file not found in $PATH: unknown'),
    ),
    ("import_error", toolkit("", error="InstallRequirementsError")),
    (
        "import_error",
        toolkit("ERROR: Could not find a version that satisfies the requirement torch==9.9 (from versions: none)"),
    ),
    (
        "import_error",
        toolkit("OSError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by x.so)"),
    ),
    ("import_error", toolkit("ImportError: cannot import name 'AdamW' from 'transformers'")),
    ("internal_error", toolkit("RuntimeError: CUDA error: uncorrectable ECC error encountered")),
    ("internal_error", "InternalServerError: We encountered an internal error.  Please try again., exit code: 1"),
    ("internal_error", toolkit("NVRM: Xid (PCI:0000:00:1d): 79, GPU has fallen off the bus.")),
    (
        "node_communication",
        toolkit(
            "torch.distributed.DistBackendError: [Rank 0] Watchdog caught collective operation timeout: "
            "WorkNCCL(SeqNum=12, OpType=ALLREDUCE"
        ),
    ),
    (
        "node_communication",
        toolkit("RuntimeError: [../gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.1.2]:1234"),
    ),
    ("crash", toolkit("Segmentation fault (core dumped)")),
    ("script_error", toolkit("KeyError: 'label'")),
    ("script_error", toolkit("ValueError: Tokenizer class LlamaTokenizer does not exist")),
    ("script_error", toolkit("RuntimeError: mat1 and mat2 shapes cannot be multiplied")),
    ("unknown", "ClientError: Unable to initialize the algorithm. Failed to validate input data configuration."),
    (
        "disk_full",
        toolkit(
            "RuntimeError: [enforce fail at inline_container.cc:471] . PytorchStreamWriter failed writing file "
            "data/1: file write failed. OSError: [Errno 28] No space left on device: '/opt/ml/checkpoints/x'"
        ),
    ),
    (
        "data_not_found",
        toolkit("FileNotFoundError: [Errno 2] No such file or directory: '/opt/ml/input/data/train/x.csv'"),
    ),
]


@pytest.mark.case("NO-12")
@pytest.mark.parametrize(("name", "reason"), TEXTS)
def test_a_text_from_the_field_is_read_for_its_cause(name: str, reason: str) -> None:
    failure = classify(reason)
    assert failure.name == name
    assert len(failure.headline) <= 40
    assert failure.explanation.endswith(".")
    assert "{" not in failure.explanation


def test_a_missing_channel_a_refused_call_and_a_broken_gpu_are_said_as_such() -> None:
    channel = classify(toolkit("KeyError: 'SM_CHANNEL_TRAIN'"))
    assert (channel.headline, "the input channel TRAIN" in channel.explanation) == ("no such input channel", True)
    refused = classify(toolkit("An error occurred (403) when calling the HeadObject operation: Forbidden"))
    assert refused.explanation == "The call HeadObject of the job was refused; the text does not say on what."
    broken = classify(toolkit("CUDA error: uncorrectable ECC error encountered"))
    assert (broken.headline, broken.user_error) == ("GPU hardware fault", False)
