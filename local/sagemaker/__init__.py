"""A simulator of SageMaker training jobs that answers ordinary AWS clients and sends genuine events."""
