"""What every function that takes messages from a queue has in common: telling what is none of its messages in form."""

from collections.abc import Iterator
from contextlib import contextmanager

from trainops.errors import PoisonMessage


@contextmanager
def reading(otherwise: str = "not a trainops event of version 1") -> Iterator[None]:
    """A message that cannot be read for want of its form is a PoisonMessage, and what it is not is said."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise PoisonMessage(f"{otherwise}: {error!r}") from error
