"""Where a job's checkpoints lie: the one directory in the container that SageMaker copies, and its place in S3.

Source: CheckpointConfig (API model), developer guide "Checkpoints in Amazon SageMaker". At a job's start S3 is copied
into the directory once; from then on the directory is copied to S3, deletions included.
"""

DEFAULT_DIRECTORY = "/opt/ml/checkpoints"
"""What is copied when CheckpointConfig names no LocalPath."""


def copied(directory: str | None, uri: str) -> str:
    """Both ends, so that nobody writes into another directory and finds nothing after an interruption."""
    return f"{(directory or DEFAULT_DIRECTORY).rstrip('/')} \N{RIGHTWARDS ARROW} {uri}"


def taken_along(uri: str) -> str | None:
    """What else a location without "/" at its end means, or None for one that has it.

    S3 knows no folders: everything whose name begins with the location is copied into the container, also another job's
    checkpoints. Those of live jobs are not looked up; the fault is in the location, whoever is its neighbour today.
    """
    if uri.endswith("/"):
        return None
    return f"Its checkpoint location {uri} also means every prefix that begins so, such as {uri}0/."
