"""The same job for the SageMaker SDK v3, whose ModelTrainer takes configuration objects."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trainops_notebook.job_defaults import JobDefaults


class SdkMissing(ImportError):
    """The SageMaker SDK v3 is not installed, or it is the v2."""


def arguments(job: "JobDefaults") -> dict[str, Any]:
    """`role`, `compute`, `stopping_condition` and so on. The runtime is always said: the SDK would send 1 hour."""
    configs = _configs()
    limits = job.facts.limits
    chosen = {
        "role": job.facts.role_arn,
        "compute": configs.Compute(
            instance_type=job.instance_type,
            instance_count=job.instance_count,
            volume_size_in_gb=job.volume_gb,
            volume_kms_key_id=job.volume_key,
            keep_alive_period_in_seconds=job.keep_alive or None,
            enable_managed_spot_training=job.spot,
        ),
        "stopping_condition": configs.StoppingCondition(
            max_runtime_in_seconds=job.max_run, **({"max_wait_time_in_seconds": job.max_wait} if job.max_wait else {})
        ),
        "output_data_config": configs.OutputDataConfig(s3_output_path=job.output_uri, kms_key_id=job.facts.output_key),
        "networking": configs.Networking(
            subnets=list(job.facts.subnets) or None,
            security_group_ids=list(job.facts.security_groups) or None,
            enable_network_isolation=limits.network_isolation,
            enable_inter_container_traffic_encryption=limits.encrypt_between_containers,
        ),
        "tags": [configs.Tag(key=key, value=value) for key, value in job.tags.items()],
    }
    if job.checkpoint_uri:
        chosen["checkpoint_config"] = configs.CheckpointConfig(s3_uri=job.checkpoint_uri)
    return chosen


def _configs() -> Any:
    """The SDK's module of configuration classes; `sagemaker.train.configs` is its deprecated name."""
    try:
        from sagemaker.core.training import configs  # noqa: PLC0415 - an optional and heavy dependency
    except ImportError as error:
        raise SdkMissing("ModelTrainer is in the SageMaker SDK v3: pip install 'sagemaker>=3.20'") from error
    return configs
