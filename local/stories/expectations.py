"""What a story expects: of jobs and their pools, of messages about them, and of the account."""

from typing import Any, Literal

from pydantic import Field, model_validator

from local.stories.values import Duration, JobName, Part, Range, SomeJobs, said

Count = Range[int]
Length = Range[Duration]
OF_A_JOB = ("status", "secondary", "failure", "pool", "startup", "training", "billable", "interruptions", "events")
MESSAGES = ("messages", "slack", "mail")
OF_THE_ACCOUNT = ("dead_letters", "rates", "delivery")


class Pool(Part):
    """A job's WarmPoolStatus; written plainly it is the status, and `none` says that the API shows no pool."""

    status: Literal["none", "Available", "InUse", "Reused", "Terminated"]
    reused_by: JobName | None = None
    retained: Length | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"status": value} if isinstance(value, str) else value


class Messages(Part):
    """Messages about a job; written plainly it is their number.

    At least one must hold each text of `says`, none may hold one of `never_says`; case does not matter.
    """

    times: Count | None = None
    says: tuple[str, ...] = ()
    never_says: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"times": value} if isinstance(value, str) else value


class Rate(Part):
    """Calls of one SageMaker operation in the story so far; `peak` is the most within any one second."""

    peak: Count | None = None
    allowed: Count | None = None
    throttled: Count | None = None


class Expectation(Part):
    """One entry of `finally`; `job` is a name or a pattern and then every job that it matches is meant.

    `startup` is the time from the creation to the first Training, `status: none` a job that does not exist.
    """

    job: SomeJobs | None = None
    status: Literal["none", "InProgress", "Stopping", "Stopped", "Completed", "Failed"] | None = None
    secondary: str | None = None
    failure: str | None = None
    pool: Pool | None = None
    startup: Length | None = None
    training: Length | None = None
    billable: Length | None = None
    interruptions: Count | None = None
    events: Count | None = None
    messages: Messages | None = None
    slack: Messages | None = None
    mail: Messages | None = None
    dead_letters: Count | None = None
    rates: dict[str, Rate] = Field(default_factory=dict)
    delivery: dict[Literal["genuine", "lost", "duplicated", "delivered"], Count] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _complete(self) -> "Expectation":
        given = self.given()
        if about_jobs := given & {*OF_A_JOB, *MESSAGES}:
            if self.job is None:
                raise said(f"needs `job` beside {', '.join(sorted(about_jobs))}")
        elif self.job is not None or not given:
            raise said(f"expects nothing; add one of {', '.join((*OF_A_JOB, *MESSAGES, *OF_THE_ACCOUNT))}")
        return self

    def given(self) -> set[str]:
        """The names of what is expected."""
        return self.model_fields_set - {"job", "at"}


class Moment(Expectation):
    """One entry of `expect`: what holds at a moment of the day."""

    at: Duration
