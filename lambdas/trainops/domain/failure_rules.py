"""The failures that are told apart, each with how it is recognised in FailureReason, what it means and what to do.

The first rule that matches wins, so what SageMaker itself says (capacity, quota, internal error) comes before what the
user's code printed (`script_failures`). Texts name groups of the pattern in braces. The wording of AWS and of the
frameworks changes; a text that no longer matches falls back to its exit code or to "unknown", never to a wrong cause.
"""

from trainops.domain.failure_classes import FailureClass, Rule, any_of
from trainops.domain.script_failures import SCRIPT_RULES

SPOT_WAIT = Rule(
    FailureClass.SPOT_WAIT_EXCEEDED,
    "waited too long for spot capacity",
    any_of(r"MaxWaitTimeExceeded"),
    "Waiting for spot capacity and training together took longer than the maximum wait time.",
    "Allow a longer wait, try another instance type, or run on demand.",
    user_error=False,
)
RUNTIME_LIMIT = Rule(
    FailureClass.RUNTIME_LIMIT,
    "hit max runtime",
    any_of(r"MaxRuntimeExceeded"),
    "The job reached its maximum runtime and SageMaker stopped it.",
    "Raise MaxRuntimeInSeconds, or resume from a checkpoint.",
)

RULES: tuple[Rule, ...] = (
    SPOT_WAIT,
    RUNTIME_LIMIT,
    Rule(
        FailureClass.NO_CAPACITY,
        "no capacity",
        any_of(
            r"\bCapacityError\b",
            r"\bInsufficient(?:Instance)?Capacity",
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
        any_of(r"ResourceLimitExceeded", r"account-level service limit"),
        "A SageMaker quota of this account does not allow these instances.",
        "Ask Service Quotas for more; training, spot and warm pool have separate quotas.",
        user_error=False,
    ),
    Rule(
        FailureClass.INTERNAL_ERROR,
        "SageMaker internal error",
        any_of(r"\bInternalServerError\b", r"encountered an internal error", r"\bInternalFailure\b"),
        "SageMaker had an internal error; the code is not at fault.",
        "Start it again; a RetryStrategy does so by itself.",
        user_error=False,
    ),
    Rule(
        FailureClass.INTERNAL_ERROR,
        "GPU hardware fault",
        any_of(
            r"uncorrectable ECC error", r"\bXid \(PCI", r"GPU has fallen off the bus", r"uncorrectable NVLink error"
        ),
        "A GPU of the instance is broken; the code is not at fault.",
        "Start it again: it gets another instance. Resume from a checkpoint if it wrote one.",
        user_error=False,
    ),
    Rule(
        FailureClass.IMAGE_PULL,
        "cannot get the image",
        any_of(
            r"Cannot find image",
            r"CannotPullContainer",
            r"(?:failed|unable|could not|not authorized) (?:to )?pull (?:\w+ )?image",
            r"pull access denied",
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
        FailureClass.START_ERROR,
        "container does not start",
        any_of(
            r"CannotStartContainerError",
            r"OCI runtime create failed",
            r"executable file not found in \$PATH",
        ),
        "The image was pulled, but its container could not be started.",
        "Check the entry point: SageMaker runs the image with the argument train, unless the job names another.",
    ),
    *SCRIPT_RULES,
)
