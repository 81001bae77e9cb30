"""Where a training job lives: the account and Region that the credentials of a request name."""

from dataclasses import dataclass

from local.sagemaker.model import partition_of


@dataclass(frozen=True)
class Scope:
    """One account in one Region; names of training jobs are unique within it."""

    account: str
    region: str

    def arn(self, name: str, *, lower: bool = True) -> str:
        """The ARN of a training job of this scope; real ones are reported with the name in lower case."""
        prefix = f"arn:{partition_of(self.region)}:sagemaker:{self.region}:{self.account}"
        return f"{prefix}:training-job/{name.lower() if lower else name}"
