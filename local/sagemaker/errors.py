"""Errors as the SageMaker API words them; raised anywhere in the simulator, turned into HTTP in one place."""


class ServiceError(Exception):
    """An AWS error: `code` is what botocore puts in `Error.Code`."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


def validation(message: str) -> ServiceError:
    """The request is wrong in itself (unmodelled in the API, but what the service sends)."""
    return ServiceError("ValidationException", message)


def constraint(value: object, path: str, rule: str) -> ServiceError:
    """A member outside its modelled constraint, in the wording that AWS JSON services share."""
    return validation(
        f"1 validation error detected: Value '{value}' at '{path}' failed to satisfy constraint: Member must {rule}"
    )


def not_found(arn: str) -> ServiceError:
    """The named training job does not exist (API shape ResourceNotFound)."""
    return ServiceError("ResourceNotFound", f"Requested resource not found. ({arn})")


def in_use(message: str) -> ServiceError:
    """The name is taken or the job still runs (API shape ResourceInUse)."""
    return ServiceError("ResourceInUse", message)
