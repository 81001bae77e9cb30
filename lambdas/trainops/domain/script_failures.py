"""What people's own code and its frameworks print when they fail, in the manner of `failure_rules`.

The patterns are those of PyTorch, TensorFlow, JAX, NumPy, boto3 and SageMaker's training toolkit; the first that
matches wins, so the cause comes before what follows from it (an instance without memory loses touch with the others).
"""

import re

from trainops.domain.failure_classes import FailureClass, Rule, any_of

DENIED_STEP = "Allow it for the job's role, or ask the platform team; check bucket and key policies too."
MORE_MEMORY = "Load less data at a time, use fewer loader workers, or take an instance with more memory."

SCRIPT_RULES: tuple[Rule, ...] = (
    Rule(
        FailureClass.GPU_OUT_OF_MEMORY,
        "GPU out of memory",
        any_of(
            r"(?:CUDA|HIP) out of memory",
            r"CUDA (?:driver )?error: out of memory",
            r"cudaErrorMemoryAllocation",
            r"cuda\.OutOfMemoryError",
            r"CUDA_ERROR_OUT_OF_MEMORY",
            r"CUBLAS_STATUS_ALLOC_FAILED",
            r"OOM when allocating tensor",
            r"RESOURCE_EXHAUSTED: out of memory",
            r"ResourceExhaustedError: failed to allocate memory",
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
        re.compile(r"\((?:AccessDenied\w*|403)\) when calling the (?P<call>\w{1,60}) operation"),
        "The call {call} of the job was refused; the text does not say on what.",
        DENIED_STEP,
    ),
    Rule(
        FailureClass.ACCESS_DENIED,
        "access denied",
        any_of(
            r"\bAccess ?Denied",
            r"\b403\b[^\n]{0,40}\bForbidden",
            r"\bForbidden\b[^\n]{0,40}\b403\b",
            r"UnauthorizedOperation",
        ),
        "An AWS call of the job was refused; the text does not say which action.",
        DENIED_STEP,
    ),
    Rule(
        FailureClass.DISK_FULL,
        "disk full",
        any_of(r"No space left on device", r"\bENOSPC\b", r"Disk quota exceeded", r"insufficient disk space"),
        "The storage volume of the instance is full.",
        "Raise VolumeSizeInGB, stream the input (FastFile), or keep fewer checkpoints.",
    ),
    Rule(
        FailureClass.DATA_NOT_FOUND,
        "no such input channel",
        re.compile(r"KeyError: [\"']SM_CHANNEL_(?P<channel>\w{1,64})"),
        "The script wants the input channel {channel} (in lower case), and the job has none of that name.",
        "Add it to InputDataConfig (inputs= in the SDK), or correct the name in the script.",
    ),
    Rule(
        FailureClass.DATA_NOT_FOUND,
        "bucket in another Region",
        any_of(r"PermanentRedirect", r"must be addressed using the specified endpoint"),
        "The input lies in a bucket of another Region.",
        "Copy the data into a bucket of the job's Region.",
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
        any_of(r"Data download failed", r"Could not download s3://", r"FileNotFoundError", r"does not exist in bucket"),
        "Input data could not be found or downloaded.",
        "Check the input channels' addresses, and that the job's role may read them.",
    ),
    Rule(
        FailureClass.IMPORT_ERROR,
        "requirements not installed",
        any_of(
            r"Install(?:Requirements|Module)Error",
            r"Could not find a version that satisfies the requirement",
            r"No matching distribution found for",
        ),
        "pip could not install what the script needs.",
        "Read pip's own lines in the log; check the versions, and that the job can reach the package index.",
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
        re.compile(r"\bImportError: (?P<what>[^\n\"]+)|(?P<library>\S+\.so[\d.]*): cannot open shared object"),
        "An import failed: {what}{library}.",
        "Check that the versions in requirements.txt and in the image fit each other.",
    ),
    Rule(
        FailureClass.IMPORT_ERROR,
        "libraries do not fit",
        any_of(r"version [`']\w+_[\d.]+' not found", r"undefined symbol: "),
        "A native library was built for another version than the image has.",
        "Install a build for this image, or take an image that the library was built for.",
    ),
    Rule(
        FailureClass.HOST_OUT_OF_MEMORY,
        "out of shared memory",
        any_of(r"out of shared memory", r"insufficient shared memory", r"killed by signal: Bus error"),
        "The loader's workers used up the container's shared memory.",
        "Use fewer loader workers or smaller batches, or take an instance with more memory.",
    ),
    Rule(
        FailureClass.HOST_OUT_OF_MEMORY,
        "out of memory",
        any_of(
            r"(?<![a-z])_?(?:Array)?MemoryError\b",
            r"can't allocate memory",
            r"std::bad_alloc",
            r"Out of Memory\. Please use a larger instance",
            r"Cannot allocate memory",
            r"instance type with more memory",
            r"java\.lang\.OutOfMemoryError",
            r"killed by signal: Killed",
        ),
        "The instance's main memory was not enough.",
        MORE_MEMORY,
    ),
    Rule(
        FailureClass.NODE_COMMUNICATION,
        "instances lost touch",
        any_of(
            r"NCCL (?:error|failure|timeout)",
            r"nccl(?:SystemError|InternalError|RemoteError)",
            r"ProcessGroupNCCL",
            r"collective operation timeout",
            r"Connection closed by (?:remote )?peer",
        ),
        "The instances or GPUs of the job lost touch with each other.",
        "Look for the first instance that failed in the logs; check that the security group lets its members talk.",
    ),
    Rule(
        FailureClass.CRASH,
        "segmentation fault",
        any_of(r"\bSegmentation fault\b", r"\bSIGSEGV\b"),
        "Native code of the script or its libraries crashed (SIGSEGV).",
        "Look at the last log lines; check that native libraries fit each other and the CUDA driver.",
    ),
)
