"""Service Quotas of the laptop: SageMaker's quotas with their codes, and requests that a script decides."""
