"""The keep-alive period that a deployment recommends for jobs like one, from the team's published document."""

import json
from dataclasses import replace

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from trainops.domain.findings import Finding
from trainops.domain.keep_alive_recommendations import Recommendation, UnreadableRecommendations, recommended_for
from trainops.domain.pool_matching import match_fingerprint
from trainops.domain.team_facts import TeamFacts
from trainops_notebook.job_defaults import JobDefaults


class RecommendationsUnknown(LookupError):
    """What is recommended to the team may not be read by this identity."""


def with_recommendation(job: JobDefaults, session: boto3.Session) -> JobDefaults:
    """The job with its recommended period and the reason, within what the team may ask for."""
    found = _recommendation(job, session)
    if job.spot:
        return replace(job, keep_alive=0, keep_alive_reason=f"managed spot jobs leave no warm pool; {found.cheaper}")
    seconds = min(found.seconds, job.facts.limits.keep_alive_seconds)
    return replace(job, keep_alive=seconds, keep_alive_reason=found.reason)


def with_advice(finding: Finding, job: JobDefaults, session: boto3.Session) -> Finding:
    """The finding that a job asks for managed spot and for a warm pool, with which of them is cheaper by history; that
    history could not be read is said in its place, since the finding holds without it.
    """
    try:
        advice = _recommendation(job, session).cheaper
    except (RecommendationsUnknown, UnreadableRecommendations, BotoCoreError, ClientError) as error:
        advice = f"which is cheaper is unknown: {error}"
    return replace(finding, remedy=f"{finding.remedy} {_sentence(advice)}")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _recommendation(job: JobDefaults, session: boto3.Session) -> Recommendation:
    """One call (`s3:GetObject`); a team without a document gets what its facts say."""
    facts = job.facts
    if not facts.recommendations_uri:
        return _of_facts(facts)
    bucket, _, key = facts.recommendations_uri.removeprefix("s3://").partition("/")
    s3 = session.client("s3")
    try:
        text = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    except s3.exceptions.NoSuchKey:
        return _of_facts(facts)
    except ClientError as error:
        if error.response["Error"]["Code"] != "AccessDenied":
            raise
        raise RecommendationsUnknown(
            f"you may not read {facts.recommendations_uri}: it needs s3:GetObject, which members of {facts.team} have"
        ) from error
    return recommended_for(json.loads(text), match_fingerprint(job.request()))


def _of_facts(facts: TeamFacts) -> Recommendation:
    return Recommendation(
        facts.recommended_keep_alive_seconds, f"for all jobs of {facts.team}, nothing was learned yet"
    )
