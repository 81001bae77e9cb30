"""`defaults(keep_alive="recommended")` asks for what the deployment learned of such jobs, and says why."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from tests.builders import CREATED
from tests.team_facts import facts
from trainops.domain.keep_alive_recommendations import Recommendation, UnreadableRecommendations, document
from trainops.domain.pool_matching import match_fingerprint
from trainops_notebook import JobDefaults, RecommendationsUnknown, RequestRefused, defaults

KEY = "vision/trainops/recommendations.json"


def made(instance_type: str = "ml.g5.xlarge", **choices: Any) -> JobDefaults:
    chosen: dict[str, Any] = {"facts": facts(), "keep_alive": "recommended", **choices}
    return defaults(team="vision", experiment="anchors-7", instance_type=instance_type, owner="vision-oncall", **chosen)


@pytest.fixture
def bucket() -> Iterator[Any]:
    with mock_aws():
        s3 = boto3.client("s3", region_name="us-east-1")
        s3.create_bucket(Bucket="artifacts")
        yield s3


def publish(s3: Any, seconds: int, pool: str | None = None, spot: str | None = None) -> None:
    """Recommend so much for jobs on one ml.g5.xlarge, and nothing else."""
    like = match_fingerprint(made(keep_alive=0).request())
    found = document("vision", {like: Recommendation(seconds, "they follow each other closely", pool, spot)}, CREATED)
    s3.put_object(Bucket="artifacts", Key=KEY, Body=json.dumps(found).encode())


def test_jobs_like_those_that_were_learned_of_get_their_period_and_its_reason(bucket: Any) -> None:
    publish(bucket, 600)
    job = made()
    assert job.request()["ResourceConfig"]["KeepAlivePeriodInSeconds"] == 600
    assert "warm for 600 s afterwards\n" in str(job)
    assert "recommended: they follow each other closely" in str(job)


def test_other_jobs_get_none_and_that_is_said(bucket: Any) -> None:
    publish(bucket, 600)
    job = made("ml.m5.xlarge")
    assert job.keep_alive == 0
    assert "no warm pool" in str(job)
    assert "recommended: nothing is known of jobs like it" in str(job)


def test_the_period_stays_within_what_the_team_may_ask_for(bucket: Any) -> None:
    publish(bucket, 7200)
    assert made().keep_alive == facts().limits.keep_alive_seconds == 1800


@pytest.mark.case("WP-07")
def test_a_spot_job_is_recommended_no_pool_and_told_which_is_cheaper(bucket: Any) -> None:
    publish(bucket, 600, pool="1.20", spot="0.80")
    job = made(spot=True)
    assert job.keep_alive == 0
    assert "recommended: managed spot jobs leave no warm pool; " in str(job)
    assert str(job).count("a warm pool is cheaper") == 1


@pytest.mark.case("WP-07")
@pytest.mark.parametrize(
    ("pool", "spot", "cheaper"),
    [
        ("1.20", "0.80", "managed spot has saved $0.80 on a job like it, a warm pool $1.20 "
         "(they follow each other closely): a warm pool is cheaper"),
        ("0.20", "0.80", "a warm pool $0.20 (they follow each other closely): managed spot is cheaper"),
        (None, "0.80", "which is cheaper is unknown: what a warm pool would save on jobs like it is not known yet"),
    ],
)  # fmt: skip
def test_who_asks_for_both_is_refused_and_told_which_is_cheaper_by_history(
    bucket: Any, pool: str | None, spot: str | None, cheaper: str
) -> None:
    publish(bucket, 600, pool=pool, spot=spot)
    with pytest.raises(RequestRefused) as refused:
        made(spot=True, keep_alive=1800)
    [finding] = refused.value.findings
    assert "keeps no warm pool for managed spot" in finding.problem
    assert cheaper.lower() in finding.remedy.lower()


def test_a_team_without_a_document_gets_what_its_facts_say(bucket: Any) -> None:
    assert bucket.list_objects_v2(Bucket="artifacts")["KeyCount"] == 0
    assert made().keep_alive == made(facts=facts(recommendations_uri=None)).keep_alive == 900


def test_what_somebody_chose_is_not_looked_up() -> None:
    job = made(keep_alive=300)
    assert job.keep_alive == 300
    assert "recommended" not in str(job)


def test_a_document_of_another_version_is_said(bucket: Any) -> None:
    bucket.put_object(Bucket="artifacts", Key=KEY, Body=b'{"version": 2}')
    with pytest.raises(UnreadableRecommendations, match="version 1"):
        made()


def test_who_asks_for_both_is_refused_for_that_though_history_cannot_be_read(bucket: Any) -> None:
    bucket.put_object(Bucket="artifacts", Key=KEY, Body=b'{"version": 2}')
    with pytest.raises(
        RequestRefused, match="Which is cheaper is unknown: not a recommendations document of version 1"
    ):
        made(spot=True, keep_alive=1800)


def test_who_may_not_read_it_is_told_which_permission_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    denied = boto3.client("s3", region_name="us-east-1")
    denied.meta.events.register("before-call.s3.GetObject", _denied)
    session = boto3.Session()
    monkeypatch.setattr(session, "client", lambda _name: denied)
    with pytest.raises(RecommendationsUnknown, match="s3:GetObject, which members of vision have"):
        made(session=session)


def _denied(**_: Any) -> tuple[Any, dict[str, Any]]:
    class Answer:
        status_code = 403

    return Answer(), {"Error": {"Code": "AccessDenied", "Message": "no"}}
