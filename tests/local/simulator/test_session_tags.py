"""Tags of an assumed session reach the simulator: chained pools, inherited tags, conditions on the caller."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from local.laptop import Laptop
from tests.local.simulator.bench import Bench, Everyone, pool_request

RUN = timedelta(minutes=20)
CHAINING = {"EnableSessionTagChaining": True}


def statement(**members: Any) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **members}]})


class Team:
    """An account with a role for people, which may tag its sessions, and one for training jobs."""

    def __init__(self, laptop: Laptop) -> None:
        self.laptop = laptop
        laptop.control.set_limits(on=False)
        laptop.control.enforce_quotas(on=False)
        iam = laptop.client("iam")
        trust = statement(Action=["sts:AssumeRole", "sts:TagSession"], Principal={"AWS": "*"})
        self.role = iam.create_role(RoleName="person", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
        condition = {"StringEquals": {"aws:PrincipalTag/team": "vision"}}
        allowed = statement(Action=["sagemaker:*", "iam:PassRole"], Resource="*", Condition=condition)
        iam.put_role_policy(RoleName="person", PolicyName="team", PolicyDocument=allowed)
        chained = statement(Action=["sts:AssumeRole", "sts:TagSession"], Resource="*")
        iam.put_role_policy(RoleName="person", PolicyName="chain", PolicyDocument=chained)
        service = statement(Action="sts:AssumeRole", Principal={"Service": "sagemaker.amazonaws.com"})
        self.training = iam.create_role(RoleName="training", AssumeRolePolicyDocument=service)["Role"]["Arn"]

    def session(self, tags: dict[str, str], *, transitive: tuple[str, ...] = (), by: Any = None) -> boto3.Session:
        """A session of the role with these tags, assumed by the account's root or by another session."""
        given = [{"Key": key, "Value": value} for key, value in tags.items()]
        keys = self.client(by, "sts").assume_role(
            RoleArn=self.role, RoleSessionName="somebody", Tags=given, TransitiveTagKeys=list(transitive)
        )["Credentials"]
        return boto3.Session(
            keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"], region_name="us-east-1"
        )

    def client(self, session: boto3.Session | None, service: str) -> Any:
        if session is None:
            return self.laptop.client(service)
        return session.client(service, endpoint_url=self.laptop.endpoint_url)  # type: ignore[call-overload]

    def run(self, name: str, session: boto3.Session) -> str | None:
        """Run a job with a pool and session chaining to its end; the status of its pool while it ran.

        Jobs of another stem never share a pool.
        """
        request = pool_request(name, keep_alive=3600, RoleArn=self.training, SessionChainingConfig=CHAINING)
        request["ResourceConfig"]["VolumeSizeInGB"] = len(name.rpartition("-")[0])
        sagemaker = self.client(session, "sagemaker")
        sagemaker.create_training_job(**request)
        running = sagemaker.describe_training_job(TrainingJobName=name).get("WarmPoolStatus", {}).get("Status")
        self.laptop.control.advance(RUN)
        return running if running is None else str(running)


@pytest.fixture(scope="module")
def team() -> Iterator[Team]:
    with Laptop() as laptop:
        yield Team(laptop)


@pytest.mark.parametrize(("keys", "taken"), [({"project"}, True), ({"project", "team"}, False), (set(), False)])
def test_the_callers_session_keys_decide_about_a_chained_pool(keys: set[str], *, taken: bool) -> None:
    bench = Bench(Everyone(session_keys=frozenset({"project"})))
    bench.call("CreateTrainingJob", **pool_request("job-1", SessionChainingConfig=CHAINING))
    bench.pass_time(RUN.total_seconds() - 400)
    bench.caller.session_keys = frozenset(keys)
    bench.call("CreateTrainingJob", **pool_request("job-2", SessionChainingConfig=CHAINING))
    assert ("WarmPoolStatus" in bench.describe("job-2")) is taken


@pytest.mark.local
def test_two_assumed_sessions_share_a_pool_only_with_the_same_session_keys(team: Team) -> None:
    one = team.session({"team": "vision", "project": "a"})
    same = team.session({"project": "b", "team": "vision"})
    fewer = team.session({"team": "vision"})
    assert team.run("chain-1", one) is None, "nothing to take"
    assert team.run("chain-2", fewer) is None, "other keys start cold"
    assert team.run("chain-3", same) == "InUse", "the same keys, whatever their values"


@pytest.mark.local
def test_transitive_tags_are_inherited_by_the_next_session_of_a_chain(team: Team) -> None:
    first = team.session({"team": "vision", "cost": "12"}, transitive=("team",))
    second = team.session({"project": "a"}, by=first)
    third = team.session({}, by=second)
    assert team.run("inherit-1", second) is None
    assert team.run("inherit-2", team.session({"team": "vision", "project": "b"})) == "InUse"
    assert team.run("inherit-3", third) is None, "a tag that was not declared transitive goes no further"
    assert team.run("inherit-4", team.session({"team": "vision"})) == "InUse"


@pytest.mark.local
def test_a_policy_may_ask_for_the_tags_of_the_session(team: Team) -> None:
    vision, speech = team.session({"team": "vision"}), team.session({"team": "speech"})
    assert "TrainingJobSummaries" in team.client(vision, "sagemaker").list_training_jobs()
    with pytest.raises(ClientError) as caught:
        team.client(speech, "sagemaker").list_training_jobs()
    assert caught.value.response["Error"]["Code"] == "AccessDeniedException"
