"""Values that people change without a deploy, read through Powertools Parameters and remembered for a while."""

from datetime import timedelta

from aws_lambda_powertools.utilities.parameters.base import BaseProvider
from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError

from trainops.errors import NotConfigured


def text_of(provider: BaseProvider, name: str, max_age: timedelta, what: str, *, fresh: bool = False) -> str:
    """A parameter's or secret's text, at most `max_age` old, or read anew. Raises NotConfigured, naming it as `what`,
    when it cannot be read.
    """
    try:
        return str(provider.get(name, max_age=int(max_age.total_seconds()), force_fetch=fresh))
    except GetParameterError as error:
        raise NotConfigured(f"{what} cannot be read: {error}") from error
