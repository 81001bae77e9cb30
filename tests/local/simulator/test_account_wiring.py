"""The account's services answer real boto3 clients of the running server, under its IAM and its control routes."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from local.laptop import Laptop
from tests.local.simulator.bench import create_request

pytestmark = pytest.mark.local
CODE = "L-B6D80D9C"
ARN = f"arn:aws:servicequotas:us-east-1:000000000000:sagemaker/{CODE}"
TRUST = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "sagemaker.amazonaws.com"}}


@pytest.fixture(scope="module")
def account() -> Iterator[Laptop]:
    """A server of its own, because request rates concern everybody in the account."""
    with Laptop() as laptop:
        yield laptop


def once(laptop: Laptop, service: str, **keys: str) -> Any:
    """A client that does not retry."""
    chosen = keys or {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    settings = Config(retries={"total_max_attempts": 1}, proxies={})
    return boto3.client(  # type: ignore[call-overload]
        service, endpoint_url=laptop.endpoint_url, region_name="us-east-1", config=settings, **chosen
    )


def person(laptop: Laptop, name: str, **statement: Any) -> dict[str, str]:
    """Keys of a user with that one statement."""
    iam = laptop.client("iam")
    iam.create_user(UserName=name)
    document = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})
    iam.put_user_policy(UserName=name, PolicyName="only", PolicyDocument=document)
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return {"aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}


def code(call: Callable[[], object]) -> str:
    with pytest.raises(ClientError) as caught:
        call()
    return str(caught.value.response["Error"]["Code"])


def test_all_callers_of_the_account_share_its_rate(account: Laptop) -> None:
    other = person(account, "stopper", Action="sagemaker:StopTrainingJob", Resource="*")
    clients = [once(account, "sagemaker"), once(account, "sagemaker", **other)]
    stops = [lambda client=client: client.stop_training_job(TrainingJobName="nobody") for client in clients]
    account.control.clear_limits()
    assert [code(stop) for stop in stops] == ["ResourceNotFound", "ThrottlingException"]
    [listed] = account.control.limits()["operations"]
    assert (listed["operation"], listed["allowed"], listed["throttled"]) == ("StopTrainingJob", 1, 1)


def test_users_may_be_spared_and_neither_use_up_the_rate_of_the_others_nor_are_counted(account: Laptop) -> None:
    keys = person(account, "deleter", Action="sagemaker:DeleteTrainingJob", Resource="*")
    user, other = once(account, "sagemaker"), once(account, "sagemaker", **keys)

    def deleted(client: Any) -> str:
        return code(lambda: client.delete_training_job(TrainingJobName="nobody"))

    account.control.clear_limits()
    with account.control.users_unthrottled():
        assert [deleted(user) for _ in range(9)] == ["ResourceNotFound"] * 9
        assert [deleted(other) for _ in range(2)] == ["ResourceNotFound", "ThrottlingException"]
    assert deleted(user) == "ThrottlingException"
    [listed] = account.control.limits()["operations"]
    assert (listed["operation"], listed["allowed"], listed["throttled"]) == ("DeleteTrainingJob", 1, 2)


def test_limits_are_on_from_the_start_and_can_be_turned_off(account: Laptop) -> None:
    control, client = account.control, once(account, "sagemaker")
    assert (control.limits()["on"], control.limits()["root_spared"]) == (True, False)
    control.set_limits(on=False)
    try:
        stops = [code(lambda: client.stop_training_job(TrainingJobName="nobody")) for _ in range(9)]
    finally:
        control.set_limits(on=True)
    assert stops == ["ResourceNotFound"] * 9


def test_a_quota_is_raised_by_a_decision_and_read_under_a_policy_for_that_quota(account: Laptop) -> None:
    change = account.client("service-quotas").request_service_quota_increase(
        ServiceCode="sagemaker", QuotaCode=CODE, DesiredValue=3
    )["RequestedQuota"]
    account.control.decide_quota(change["Id"], "APPROVED")
    condition = {"StringEquals": {"servicequotas:service": "sagemaker"}}
    keys = person(account, "reader", Action="servicequotas:*", Resource=ARN, Condition=condition)
    reader = once(account, "service-quotas", **keys)
    assert reader.get_service_quota(ServiceCode="sagemaker", QuotaCode=CODE)["Quota"]["Value"] == 3
    refused = code(lambda: reader.get_service_quota(ServiceCode="sagemaker", QuotaCode="L-8E6F4665"))
    assert refused == code(lambda: reader.list_service_quotas(ServiceCode="sagemaker")) == "AccessDeniedException"
    assert [entry["Status"] for entry in account.control.quota_requests()] == ["APPROVED"]


def test_all_quotas_are_read_through_the_paginator(account: Laptop) -> None:
    account.control.set_quota("ml.g5.2xlarge for training job usage", 7)
    pages = account.client("service-quotas").get_paginator("list_service_quotas").paginate(ServiceCode="sagemaker")
    values = {quota["QuotaName"]: quota["Value"] for page in pages for quota in page["Quotas"]}
    assert len(values) > 1500
    assert values["ml.g5.2xlarge for training job usage"] == 7


def test_prices_are_read_by_whoever_may(account: Laptop) -> None:
    wanted = [{"Type": "TERM_MATCH", "Field": "instanceName", "Value": "ml.g5.xlarge"}]
    found = account.client("pricing").get_products(ServiceCode="AmazonSageMaker", Filters=wanted)["PriceList"]
    assert all(json.loads(item)["terms"]["OnDemand"] for item in found)
    keys = person(account, "stranger", Action="s3:ListAllMyBuckets", Resource="*")
    stranger = once(account, "pricing", **keys)
    assert code(lambda: stranger.get_products(ServiceCode="AmazonSageMaker")) == "AccessDeniedException"


def test_faults_and_api_calls_reach_a_rule(account: Laptop) -> None:
    document = json.dumps({"Version": "2012-10-17", "Statement": [TRUST]})
    role = account.client("iam").create_role(RoleName="training", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    sqs, events = account.client("sqs"), account.client("events")
    queue = sqs.create_queue(QueueName="seen")["QueueUrl"]
    events.put_rule(Name="seen", EventPattern=json.dumps({"source": ["aws.sagemaker"]}))
    target = {"Id": "seen", "Arn": "arn:aws:sqs:us-east-1:000000000000:seen"}
    events.put_targets(Rule="seen", Targets=[target])
    account.control.set_quota("ml.g5.xlarge for training job usage", 2)
    account.control.set_event_faults(duplicates=1, delay_seconds=60)
    account.control.set_api_call_events(on=True)
    account.client("sagemaker").create_training_job(**create_request(RoleArn=role))
    account.control.advance(timedelta(hours=3))
    told = account.control.event_faults()
    assert (told["genuine"], told["delivered"], told["waiting"]) == (5, 10, 0)
    seen: list[dict[str, Any]] = []
    while found := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
        seen += [json.loads(message["Body"]) for message in found]
        for message in found:
            sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
    kinds = [event["detail-type"].rpartition(" ")[2] for event in seen]
    assert (kinds.count("CloudTrail"), kinds.count("Change")) == (1, 10)
    assert len(account.control.sagemaker_events()) == 5
    assert len(account.control.api_call_events()) == 1


def test_quotas_refuse_jobs_by_name_and_silently_keep_no_pool(account: Laptop) -> None:
    account.client("iam").create_role(
        RoleName="quota-training", AssumeRolePolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [TRUST]})
    )
    sagemaker = account.client("sagemaker")
    request = create_request(
        "quota-1",
        RoleArn=f"arn:aws:iam::{account.account}:role/quota-training",
        ResourceConfig={
            "InstanceType": "ml.g6.xlarge",
            "InstanceCount": 1,
            "VolumeSizeInGB": 30,
            "KeepAlivePeriodInSeconds": 600,
        },
    )
    with pytest.raises(ClientError, match=re.escape("'ml.g6.xlarge for training job usage' is 0 Instances")):
        sagemaker.create_training_job(**request)
    account.control.set_quota("ml.g6.xlarge for training job usage", 2)
    sagemaker.create_training_job(**request)
    account.control.advance(timedelta(minutes=20))
    ended = sagemaker.describe_training_job(TrainingJobName="quota-1")
    assert (ended["TrainingJobStatus"], "WarmPoolStatus" in ended) == ("Completed", False)
    account.control.set_quota("ml.g6.xlarge for training warm pool usage", 1)
    sagemaker.create_training_job(**{**request, "TrainingJobName": "quota-2"})
    account.control.advance(timedelta(minutes=14))
    kept = sagemaker.describe_training_job(TrainingJobName="quota-2")
    assert kept["WarmPoolStatus"]["Status"] == "Available"
