"""What SageMaker says of failed jobs, one text for each class of failure that is told apart."""

from collections.abc import Mapping

from trainops.domain.failure_classes import FailureClass


def _script(message: str, code: int = 1) -> str:
    """As the SageMaker training toolkit reports what a script said last."""
    command = "/usr/bin/python3 train.py --epochs 12 --lr 3e-4"
    return f'AlgorithmError: ExecuteUserScriptError:\nExitCode {code}\nErrorMessage "{message}"\nCommand "{command}"'


REASONS: Mapping[FailureClass, str | None] = {
    FailureClass.GPU_OUT_OF_MEMORY: _script(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of"
        " 21.99 GiB of which 1.12 GiB is free."
    ),
    FailureClass.HOST_OUT_OF_MEMORY: "AlgorithmError: Exit Code: 137",
    FailureClass.DISK_FULL: _script("OSError: [Errno 28] No space left on device: '/opt/ml/model/epoch-7.pt'"),
    FailureClass.CRASH: "AlgorithmError: Exit Code: 139",
    FailureClass.START_ERROR: "AlgorithmError: Exit Code: 127",
    FailureClass.SCRIPT_ERROR: _script(
        "ValueError: Target size (torch.Size([32, 10])) must be the same as input size (torch.Size([32, 12]))"
    ),
    FailureClass.IMPORT_ERROR: _script("ModuleNotFoundError: No module named 'albumentations'"),
    FailureClass.DATA_NOT_FOUND: (
        'ClientError: Data download failed:No S3 objects found under S3 URL "s3://vision-data/crops/2026-02/" given in'
        " input data source. Please ensure that the bucket exists in the selected region, that objects exist under that"
        " S3 prefix, and that the role has s3:ListBucket permissions on the bucket."
    ),
    FailureClass.ACCESS_DENIED: (
        "ClientError: User: arn:aws:sts::111122223333:assumed-role/training-vision/SageMaker is not authorized to"
        ' perform: s3:GetObject on resource: "arn:aws:s3:::language-data/corpus/train.jsonl" because no identity-based'
        " policy allows the s3:GetObject action"
    ),
    FailureClass.QUOTA: (
        "ResourceLimitExceeded: The account-level service limit 'ml.g5.2xlarge for spot training job usage' is 4"
        " Instances, with current utilization of 3 Instances and a request delta of 2 Instances. Please use AWS"
        " Service Quotas to request an increase for this quota."
    ),
    FailureClass.NO_CAPACITY: (
        "CapacityError: Unable to provision requested ML compute capacity. Please retry using a different ML instance"
        " type."
    ),
    FailureClass.IMAGE_PULL: (
        "ClientError: Cannot find image '111122223333.dkr.ecr.us-east-1.amazonaws.com/detector:v41' in the registry."
    ),
    FailureClass.NODE_COMMUNICATION: _script(
        "RuntimeError: NCCL error in: ProcessGroupNCCL.cpp:1970, remote process exited or there was a network error"
    ),
    FailureClass.INTERNAL_ERROR: "InternalServerError: We encountered an internal error. Please try again.",
    FailureClass.UNKNOWN: None,
}
"""Of all classes but those of a limit that was reached: SageMaker stops such a job, and gives no reason."""
