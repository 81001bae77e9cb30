"""What can go wrong on the way from a message to its effect, by what must happen to the message next.

Workflows and adapters raise these; `adapters.queue_consumer` is the one place that acts on them. Anything else that
is raised is a fault of ours: it is logged with its trace and the message is retried until its queue gives it up.
"""

from datetime import timedelta


class TrainopsError(Exception):
    """The kind of every error raised on purpose."""


class PoisonMessage(TrainopsError):
    """No retry can help: the message is parked in its dead-letter queue with this reason, alone."""


class TryLater(TrainopsError):
    """Not now: the message goes back to its queue and is seen again after `after`, or after a growing delay."""

    def __init__(self, reason: str, after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.after = after


class LedgerConflict(TryLater):
    """Somebody else wrote the ledger item between our read and our write."""


class NotConfigured(TryLater):
    """A person has to repair a setting, a secret or an access, and hears of it; meanwhile a card goes to the other
    channel, and what has nowhere else to go waits.
    """


class Refused(TrainopsError):
    """A channel will never take this message (archived, unverified); it goes to the fallback channel."""


class UpdateRefused(TrainopsError):
    """SageMaker will not change this job's warm pool: it is reused or gone, or the call is not allowed."""


class IncreaseRefused(TrainopsError):
    """Service Quotas will not take this request for an increase; its answer is the text."""


class IncreaseOpen(TrainopsError):
    """Another request for the same quota is open already."""


class QuotaShort(TrainopsError):
    """A quota was refused, and the settings want a deployment to fail then; CloudFormation shows the text."""
