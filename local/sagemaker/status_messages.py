"""StatusMessage of each transition, in Describe and in events; the API asks nobody to program on it.

Wordings of Starting and Training are among those that the API model lists (SecondaryStatusTransition); the rest is
ours or reported.
"""

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.timeline import Transition

MESSAGES = {
    "Starting": "Preparing the instances for training",
    "Downloading": "Downloading the training image",
    "Training": "Training image download completed. Training in progress.",
    "Interrupted": "Training job was interrupted, waiting for capacity",
    "Uploading": "Uploading generated training model",
    "Stopping": "Stopping the training job",
    "Completed": "Training job completed",
    "Stopped": "Training job stopped",
    "MaxRuntimeExceeded": "Training job runtime exceeded MaxRuntimeInSeconds provided",
    "MaxWaitTimeExceeded": "Training job runtime exceeded MaxWaitTimeInSeconds provided",
}


def message_of(job: TrainingJob, step: Transition) -> str:
    """What the transition says: the job's failure, what is unusual about it, or the usual text."""
    if step.status == "Failed":
        return job.plan.failure_reason
    return step.message or MESSAGES[step.status]
