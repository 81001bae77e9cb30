"""Programs that know nothing of this project, unmodified, against the local AWS; `make clients`."""

from collections.abc import Mapping

import pytest

from local.waiting import until
from tests.clients.conftest import HERE, SECONDS, Account, Client

pytestmark = pytest.mark.clients
ENDED = ("Completed", "Failed", "Stopped")


@pytest.mark.parametrize("name", ["sdk_v2", "sdk_v3", "boto3_lists", "aws_cli"])
def test_the_client_runs_to_its_end(clients: Mapping[str, Client], name: str) -> None:
    clients[name].succeeded()


def test_the_sdk_v3_shows_the_log_of_each_of_its_jobs(clients: Mapping[str, Client]) -> None:
    client = clients["sdk_v3"]
    client.succeeded()
    assert client.printed.count("step 5 of 5") >= 4, client.printed[-6000:]


def test_cloud_custodian_stops_the_marked_job_and_asks_for_the_quota(account: Account) -> None:
    sagemaker = account.laptop.client("sagemaker")
    for name, tags in {"custodian-marked": [{"Key": "stop", "Value": "please"}], "custodian-other": []}.items():
        sagemaker.create_training_job(
            TrainingJobName=name,
            RoleArn=account.role,
            AlgorithmSpecification={"TrainingImage": "image", "TrainingInputMode": "File"},
            OutputDataConfig={"S3OutputPath": account.output},
            ResourceConfig={"InstanceType": "ml.c5.9xlarge", "InstanceCount": 1, "VolumeSizeInGB": 10},
            StoppingCondition={"MaxRuntimeInSeconds": 86_400},
            Tags=tags,
        )
    arguments = ("run", "--region", account.laptop.region, "--output-dir", "custodian", "--cache-period", "0")
    program = ("custodian", *arguments, str(HERE / "custodian.yaml"))
    account.start("custodian", ".venv-clients/cloud-custodian", *program).succeeded()

    def status(name: str) -> str:
        return str(sagemaker.describe_training_job(TrainingJobName=name)["TrainingJobStatus"])

    until(lambda: status("custodian-marked") in ENDED, "the end of the marked job", seconds=SECONDS)
    assert (status("custodian-marked"), status("custodian-other")) != ("Stopped", "Stopped")
    assert status("custodian-marked") == "Stopped"
    [request] = [one for one in account.laptop.control.quota_requests() if "c5.9xlarge" in one["QuotaName"]]
    assert request["DesiredValue"] == 40
