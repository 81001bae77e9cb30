"""Addresses in the AWS console, from a job's ARN: the partition and the Region are in it.

Used by every message and event about a job. A partition whose console is not publicly documented has no links (None),
rather than a guessed one. Sources: public console addresses; the log group is the one SageMaker writes to (developer
guide, "Log groups and streams that Amazon SageMaker AI sends to Amazon CloudWatch Logs").
"""

from datetime import UTC, datetime
from urllib.parse import quote

from trainops.domain.cards import Link
from trainops.domain.training_jobs import TrainingJob

CONSOLES = {
    "aws": "console.aws.amazon.com",
    "aws-cn": "console.amazonaws.cn",
    "aws-us-gov": "console.amazonaws-us-gov.com",
}
LOG_GROUP = "/aws/sagemaker/TrainingJobs"


def links_for(job: TrainingJob) -> tuple[Link, ...]:
    """What to open about a job, most useful first: its page, its logs, its output, its checkpoints."""
    arn = job.key.arn
    found = (
        ("Job", job_page(arn, job.name)),
        ("Logs", log_streams(arn, job.name)),
        ("Output", s3_location(job.output_uri, arn)),
        ("Checkpoints", s3_location(job.checkpoint_uri, arn)),
    )
    return tuple(Link(label, url) for label, url in found if url)


def job_page(arn: str, name: str) -> str | None:
    """The job's page in the SageMaker console, or None in a partition without a public console."""
    console, region = _console(arn), _region(arn)
    return (
        f"https://{region}.{console}/sagemaker/home?region={region}#/jobs/{quote(name, safe='')}" if console else None
    )


def tuning_page(arn: str, name: str) -> str | None:
    """A hyperparameter tuning job's page, or None in a partition without a public console."""
    console, region = _console(arn), _region(arn)
    if not console:
        return None
    return f"https://{region}.{console}/sagemaker/home?region={region}#/hyper-tuning-jobs/{quote(name, safe='')}"


def log_streams(arn: str, name: str) -> str | None:
    """The list of the job's log streams (`name/algo-1-…`), or None. The prefix ends with a slash, so that `job-1` does
    not list the streams of `job-10`.
    """
    console, region = _console(arn), _region(arn)
    if not console:
        return None
    group, prefix = _fragment(LOG_GROUP), _fragment(f"{name}/")
    return (
        f"https://{region}.{console}/cloudwatch/home?region={region}"
        f"#logsV2:log-groups/log-group/{group}$3FlogStreamNameFilter$3D{prefix}"
    )


def log_group_page(arn: str, group: str) -> str | None:
    """A log group's page in CloudWatch's console, in the Region of an ARN; None in a partition without a console."""
    console, region = _console(arn), _region(arn)
    if not console:
        return None
    return f"https://{region}.{console}/cloudwatch/home?region={region}#logsV2:log-groups/log-group/{_fragment(group)}"


def log_query_page(arn: str, group: str, query: str, since: datetime, until: datetime) -> str | None:
    """A query of CloudWatch Logs Insights over one group, ready to run; None in a partition without a console. The
    console writes its state as "~(name~'value)" with "*" for a percent sign in values, and "$" for one in the fragment.
    """
    console, region = _console(arn), _region(arn)
    if not console:
        return None
    first, last = (f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%S.000Z}" for when in (since, until))
    state = "~(" + "~".join(
        f"{name}~{value}"
        for name, value in (
            ("end", _insights(last)),
            ("start", _insights(first)),
            ("timeType", "'ABSOLUTE"),
            ("tz", "'UTC"),
            ("editorString", _insights(query)),
            ("source", f"(~{_insights(group)})"),
        )
    )
    detail = quote(f"?queryDetail={state})", safe="~()'*").replace("%", "$")
    return f"https://{region}.{console}/cloudwatch/home?region={region}#logsV2:logs-insights{detail}"


def quotas_page(arn: str) -> str | None:
    """SageMaker's quotas in Service Quotas, to be searched by name, in the Region of an ARN; None without a console."""
    console, region = _console(arn), _region(arn)
    return f"https://{region}.{console}/servicequotas/home/services/sagemaker/quotas" if console else None


def quota_page(arn: str) -> str | None:
    """One quota's page, by the quota's ARN; the list of all when the ARN ends without a code."""
    page, code = quotas_page(arn), quote(arn.rpartition("/")[2], safe="")
    return f"{page}/{code}" if page and code else page


def s3_location(uri: str | None, arn: str) -> str | None:
    """Where an S3 URI is seen in the console of the job's partition: a file's own page, or the folder it names. None
    when there is no URI, it is not of the form s3://bucket/…, or the partition has no public console.
    """
    console, region = _console(arn), _region(arn)
    if not console or not uri or not uri.startswith("s3://"):
        return None
    bucket, _, key = uri.removeprefix("s3://").partition("/")
    if not bucket:
        return None
    is_file = "." in key.rpartition("/")[2]
    page = "object" if is_file else "buckets"
    prefix = key if is_file or not key or key.endswith("/") else f"{key}/"
    query = f"region={region}&prefix={quote(prefix, safe='')}"
    return f"https://{region}.{console}/s3/{page}/{quote(bucket, safe='')}?{query}"


def _console(arn: str) -> str | None:
    return CONSOLES.get(_part(arn, 1))


def _region(arn: str) -> str:
    return quote(_part(arn, 3), safe="")


def _part(arn: str, place: int) -> str:
    parts = arn.split(":")
    return parts[place] if len(parts) > place else ""


def _insights(text: str) -> str:
    return "'" + quote(text, safe="").replace("%", "*")


def _fragment(text: str) -> str:
    """CloudWatch's console writes a fragment percent-encoded twice, with "$" for the outer percent sign."""
    return quote(quote(text, safe=""), safe="").replace("%", "$")
