"""The failures that are told apart, each with how it is recognised in FailureReason, what it means and what to do.

The first rule that matches wins, so what SageMaker itself says (capacity, quota, internal error) comes before what the
user's code printed. Texts name groups of the pattern in braces. The wording of AWS and of the frameworks changes;
a text that no longer matches falls back to its exit code or to "unknown", never to a wrong cause.
"""

import re

from trainops.domain.failure_classes import FailureClass, Rule


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


SPOT_WAIT = Rule(
    FailureClass.SPOT_WAIT_EXCEEDED,
    "waited too long for spot capacity",
    _any(r"MaxWaitTimeExceeded"),
    "Waiting for spot capacity and training together took longer than the maximum wait time.",
    "Allow a longer wait, try another instance type, or run on demand.",
    user_error=False,
)
RUNTIME_LIMIT = Rule(
    FailureClass.RUNTIME_LIMIT,
    "hit max runtime",
    _any(r"MaxRuntimeExceeded"),
    "The job reached its maximum runtime and SageMaker stopped it.",
    "Raise MaxRuntimeInSeconds, or resume from a checkpoint.",
)
DENIED_STEP = "Allow it for the job's role, or ask the platform team; check bucket and key policies too."

RULES: tuple[Rule, ...] = (
    SPOT_WAIT,
    RUNTIME_LIMIT,
    Rule(
        FailureClass.NO_CAPACITY,
        "no capacity",
        _any(
            r"\bCapacityError\b",
            r"InsufficientInstanceCapacity",
            r"insufficient (?:\w+ )?capacity",
            r"unable to provision",
        ),
        "AWS had no instances of this type to give; the code is not at fault.",
        "Start it again later, or try another instance type or Region.",
        user_error=False,
    ),
    Rule(
        FailureClass.QUOTA,
        "quota too low",
        _any(r"ResourceLimitExceeded", r"account-level service limit"),
        "A SageMaker quota of this account does not allow these instances.",
        "Ask Service Quotas for more; training, spot and warm pool have separate quotas.",
        user_error=False,
    ),
    Rule(
        FailureClass.INTERNAL_ERROR,
        "SageMaker internal error",
        _any(r"\bInternalServerError\b", r"encountered an internal error", r"\bInternalFailure\b"),
        "SageMaker had an internal error; the code is not at fault.",
        "Start it again; a RetryStrategy does so by itself.",
        user_error=False,
    ),
    Rule(
        FailureClass.IMAGE_PULL,
        "cannot get the image",
        _any(
            r"Cannot find image",
            r"CannotPullContainer",
            r"(?:failed|unable|could not) (?:to )?pull (?:\w+ )?image",
            r"RepositoryNotFound",
            r"ImageNotFound",
            r"manifest (?:unknown|for \S+ not found)",
            r"ecr:(?:BatchGetImage|GetDownloadUrlForLayer|BatchCheckLayerAvailability)",
            r"exec format error",
        ),
        "The training image could not be pulled or does not run on this instance type.",
        "Check the image's name, tag and architecture, and that the job's role may pull it from ECR.",
    ),
    Rule(
        FailureClass.GPU_OUT_OF_MEMORY,
        "GPU out of memory",
        _any(
            r"(?:CUDA|HIP) out of memory",
            r"CUDA error: out of memory",
            r"cuda\.OutOfMemoryError",
            r"CUDA_ERROR_OUT_OF_MEMORY",
            r"CUBLAS_STATUS_ALLOC_FAILED",
            r"OOM when allocating tensor",
            r"RESOURCE_EXHAUSTED: out of memory",
        ),
        "The model and its batch do not fit into the GPU's memory.",
        "Lower the batch size, use gradient accumulation or mixed precision, or take a GPU with more memory.",
    ),
    Rule(
        FailureClass.ACCESS_DENIED,
        "access denied",
        re.compile(
            r"is not authorized to perform:? [\"']?(?P<action>[\w-]+:\w+)[\"']?"
            r"(?: on (?:the )?resource:? [\"']?(?P<resource>[^\s\"',]+))"
        ),
        "The job's role may not {action} on {resource}.",
        DENIED_STEP,
    ),
    Rule(
        FailureClass.ACCESS_DENIED,
        "access denied",
        re.compile(r"is not authorized to perform:? [\"']?(?P<action>[\w-]+:\w+)"),
        "The job's role may not {action}.",
        DENIED_STEP,
    ),
    Rule(
        FailureClass.DATA_NOT_FOUND,
        "data not found",
        re.compile(r"(?i)No S3 objects found under S3 URL [\"']?(?P<uri>s3://[^\s\"',]+)"),
        "There is nothing under {uri}, or the job's role may not list it.",
        "Check the input's address, the bucket's Region, and that the role may list the bucket.",
    ),
    Rule(
        FailureClass.ACCESS_DENIED,
        "access denied",
        _any(
            r"\bAccess ?Denied",
            r"\b403\b[^\n]{0,40}\bForbidden",
            r"\bForbidden\b[^\n]{0,40}\b403\b",
            r"UnauthorizedOperation",
        ),
        "An AWS call of the job was refused; the text does not say which action.",
        DENIED_STEP,
    ),
    Rule(
        FailureClass.DATA_NOT_FOUND,
        "data not found",
        re.compile(r"No such file or directory:? [\"'](?P<path>[^\"'\n]+)|\b(?P<code>NoSuchKey|NoSuchBucket)\b"),
        "Not found: {path}{code}.",
        "Check the input channels' addresses and the path inside /opt/ml/input/data.",
    ),
    Rule(
        FailureClass.DATA_NOT_FOUND,
        "data not found",
        _any(r"Data download failed", r"Could not download s3://", r"FileNotFoundError", r"does not exist in bucket"),
        "Input data could not be found or downloaded.",
        "Check the input channels' addresses, and that the job's role may read them.",
    ),
    Rule(
        FailureClass.IMPORT_ERROR,
        "missing module",
        re.compile(r"No module named [\"'](?P<module>[^\"'\n]+)"),
        "Python found no module \u201c{module}\u201d in the container.",
        "Add it to requirements.txt beside the script, or to the image.",
    ),
    Rule(
        FailureClass.IMPORT_ERROR,
        "import error",
        re.compile(r"\bImportError: (?P<what>[^\n]+)|(?P<library>\S+\.so[\d.]*): cannot open shared object"),
        "An import failed: {what}{library}",
        "Check that the versions in requirements.txt and in the image fit each other.",
    ),
    Rule(
        FailureClass.DISK_FULL,
        "disk full",
        _any(r"No space left on device", r"\bENOSPC\b", r"Disk quota exceeded"),
        "The storage volume of the instance is full.",
        "Raise VolumeSizeInGB, stream the input (FastFile), or keep fewer checkpoints.",
    ),
    Rule(
        FailureClass.HOST_OUT_OF_MEMORY,
        "out of memory",
        _any(
            r"\bMemoryError\b",
            r"Cannot allocate memory",
            r"instance type with more memory",
            r"java\.lang\.OutOfMemoryError",
            r"killed by signal: Killed",
        ),
        "The instance's main memory was not enough.",
        "Load less data at a time, use fewer loader workers, or take an instance with more memory.",
    ),
    Rule(
        FailureClass.NODE_COMMUNICATION,
        "instances lost touch",
        _any(r"NCCL (?:error|failure|timeout)", r"nccl(?:SystemError|InternalError|RemoteError)", r"ProcessGroupNCCL"),
        "The instances or GPUs of the job lost touch with each other (NCCL).",
        "Look for the first instance that failed in the logs; check that the security group lets its members talk.",
    ),
)
