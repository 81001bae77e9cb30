"""Jobs whose image is `local/python` on the local AWS: their script is a process, and what it does decides the job."""

import io
import json
import tarfile
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from local.account import furnish_role
from local.laptop import Laptop
from local.waiting import until

BUCKET, TYPE = "training-files", "ml.m5.large"
COUNTER = """
import json, os, pathlib, signal, sys, time
arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
opt_ml = pathlib.Path(os.environ["LOCAL_OPT_ML"])
checkpoints = opt_ml / "checkpoints"
last = checkpoints / "last.json"
steps = json.loads(last.read_text()) if last.exists() else []
print("starts with", len(steps), "steps", flush=True)
while len(steps) < int(arguments["--steps"]):
    steps.append(len(steps) ** 2)
    time.sleep(0.15)
    for old in checkpoints.glob("step-*"):
        old.unlink()
    (checkpoints / f"step-{len(steps)}").write_text("x")
    written = checkpoints / "written"
    written.write_text(json.dumps(steps))
    written.replace(last)
(pathlib.Path(os.environ["SM_MODEL_DIR"]) / "steps.json").write_text(json.dumps(steps))
"""
OBEDIENT = """
import os, pathlib, signal, sys, time
def leave(*_):
    (pathlib.Path(os.environ["SM_MODEL_DIR"]) / "half.txt").write_text("saved at SIGTERM")
    sys.exit(0)
signal.signal(signal.SIGTERM, leave)
print("runs", flush=True)
while True:
    time.sleep(0.05)
"""
BROKEN = """
import os, pathlib, sys
pathlib.Path(os.environ["SM_OUTPUT_DIR"], "failure").write_text("no images in " + os.environ["SM_CHANNEL_TRAIN"][-5:])
sys.exit(3)
"""
KEEPS = """
import os, pathlib
cache = pathlib.Path(os.environ["SAGEMAKER_MANAGED_WARMPOOL_CACHE_DIRECTORY"])
print("found", sorted(path.name for path in cache.iterdir()), flush=True)
(cache / os.environ["TRAINING_JOB_NAME"]).write_text("x")
"""


@pytest.fixture(scope="module")
def account() -> Iterator[Laptop]:
    """An account with a bucket, data and an execution role that may use them; time stands until a test moves it."""
    with Laptop(clock_rate=20) as laptop:
        laptop.client("s3").create_bucket(Bucket=BUCKET)
        laptop.client("s3").put_object(Bucket=BUCKET, Key="data/one.txt", Body=b"1")
        furnish_role(laptop, "training")
        allowed = {"Effect": "Allow", "Action": ["s3:*", "logs:*"], "Resource": "*"}
        document = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
        laptop.client("iam").put_role_policy(RoleName="training", PolicyName="files", PolicyDocument=document)
        for kind in ("training job", "spot training job", "training warm pool"):
            laptop.control.set_quota(f"{TYPE} for {kind} usage", 4, account=laptop.account, region=laptop.region)
        yield laptop


def create(laptop: Laptop, name: str, script: str, **more: Any) -> None:
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w:gz") as archive:
        member = tarfile.TarInfo("train.py")
        member.size = len(script)
        archive.addfile(member, io.BytesIO(script.encode()))
    laptop.client("s3").put_object(Bucket=BUCKET, Key=f"{name}/source.tar.gz", Body=body.getvalue())
    resources = {"InstanceType": TYPE, "InstanceCount": 1, "VolumeSizeInGB": 10, **more.pop("resources", {})}
    own = {"sagemaker_program": "train.py", "sagemaker_submit_directory": f"s3://{BUCKET}/{name}/source.tar.gz"}
    source = {"S3DataType": "S3Prefix", "S3Uri": f"s3://{BUCKET}/data/"}
    laptop.client("sagemaker").create_training_job(
        TrainingJobName=name,
        AlgorithmSpecification={"TrainingImage": "local/python:3", "TrainingInputMode": "File"},
        RoleArn=f"arn:aws:iam::{laptop.account}:role/training",
        InputDataConfig=[{"ChannelName": "train", "DataSource": {"S3DataSource": source}}],
        OutputDataConfig={"S3OutputPath": f"s3://{BUCKET}/out"},
        ResourceConfig=resources,
        HyperParameters=own | {key: json.dumps(value) for key, value in more.pop("hyperparameters", {}).items()},
        **{"StoppingCondition": {"MaxRuntimeInSeconds": 86_400}, **more},
    )


def described(laptop: Laptop, name: str, *statuses: str) -> dict[str, Any]:
    """The job's description once it has one of these statuses."""
    client = laptop.client("sagemaker")

    def look() -> dict[str, Any] | None:
        description: dict[str, Any] = client.describe_training_job(TrainingJobName=name)
        return (
            description
            if description["TrainingJobStatus"] in (statuses or ("Completed", "Failed", "Stopped"))
            else None
        )

    return until(look, f"the end of {name}", seconds=120)


def files_of(laptop: Laptop, name: str) -> dict[str, bytes]:
    """What is in the job's model.tar.gz."""
    body = laptop.client("s3").get_object(Bucket=BUCKET, Key=f"out/{name}/output/model.tar.gz")["Body"].read()
    with tarfile.open(fileobj=io.BytesIO(body)) as archive:
        return {each.name.lstrip("./"): archive.extractfile(each).read() for each in archive if each.isfile()}  # type: ignore[union-attr]


def printed(laptop: Laptop, name: str) -> list[str]:
    group = "/aws/sagemaker/TrainingJobs"
    logs = laptop.client("logs")
    streams = logs.describe_log_streams(logGroupName=group, logStreamNamePrefix=f"{name}/")["logStreams"]
    names = sorted(stream["logStreamName"] for stream in streams)
    events = [logs.get_log_events(logGroupName=group, logStreamName=each)["events"] for each in names]
    return [event["message"] for some in events for event in some]


def steps_in_s3(laptop: Laptop) -> int:
    """How far the last mirrored checkpoint came."""
    s3 = laptop.client("s3")
    try:
        body = s3.get_object(Bucket=BUCKET, Key="checkpoints/interrupted/last.json")["Body"].read()
    except s3.exceptions.NoSuchKey:
        return 0
    return len(json.loads(body))


def trained(laptop: Laptop, least: int) -> bool:
    return steps_in_s3(laptop) >= least


def test_a_job_interrupted_twice_resumes_and_ends_with_the_same_result(account: Laptop) -> None:
    attempt = timedelta(hours=2)
    fate: dict[str, Any] = {
        "interruptions": 2,
        "training_seconds": 3 * attempt.total_seconds(),
        "interrupted_seconds": 60,
    }
    account.control.plan("interrupted", starting_seconds=5, downloading_seconds=5, **fate)
    spot = {
        "EnableManagedSpotTraining": True,
        "StoppingCondition": {"MaxRuntimeInSeconds": 86_400, "MaxWaitTimeInSeconds": 86_400},
        "CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints/interrupted/"},
    }
    create(account, "interrupted", COUNTER, hyperparameters={"steps": 40}, **spot)
    create(account, "undisturbed", COUNTER, hyperparameters={"steps": 40})
    for begun in (1, 2):  # the checkpoint of each attempt is seen in S3 before its instance is taken away
        until(partial(trained, account, 8 * begun), f"progress of attempt {begun}", seconds=120)
        account.control.advance(attempt)
    found = described(account, "interrupted")
    assert found["TrainingJobStatus"] == "Completed", found.get("FailureReason")
    assert [each["Status"] for each in found["SecondaryStatusTransitions"]].count("Interrupted") == 2
    assert described(account, "undisturbed")["TrainingJobStatus"] == "Completed"
    assert files_of(account, "interrupted") == files_of(account, "undisturbed")
    began = [int(line.split()[2]) for line in printed(account, "interrupted") if line.startswith("starts with")]
    assert began[0] == 0
    assert 0 < began[1] < began[2] < 40
    keys = account.client("s3").list_objects_v2(Bucket=BUCKET, Prefix="checkpoints/interrupted/")["Contents"]
    assert sorted(each["Key"].rpartition("/")[2] for each in keys) == ["last.json", "step-40"]


def test_a_stopped_job_gets_sigterm_and_what_it_saves_is_kept(account: Laptop) -> None:
    create(account, "stopped", OBEDIENT)
    described(account, "stopped", "InProgress")
    until(lambda: "runs" in printed(account, "stopped"), "the process", seconds=60)
    account.client("sagemaker").stop_training_job(TrainingJobName="stopped")
    assert described(account, "stopped")["TrainingJobStatus"] == "Stopped"
    until(lambda: files_of(account, "stopped") == {"half.txt": b"saved at SIGTERM"}, "the model", seconds=30)


def test_a_failed_process_fails_its_job_with_the_reason_it_wrote(account: Laptop) -> None:
    create(account, "broken", BROKEN)
    found = described(account, "broken")
    assert found["FailureReason"] == "AlgorithmError: no images in train, exit code: 3"


def test_the_next_job_on_a_warm_pool_finds_the_cache_of_the_one_before(account: Laptop) -> None:
    pool = {"KeepAlivePeriodInSeconds": 1800}
    create(account, "first", KEEPS, resources=pool)
    described(account, "first")
    account.control.advance(timedelta(seconds=10))
    create(account, "second", KEEPS, resources=pool)
    assert described(account, "second")["TrainingJobStatus"] == "Completed"
    assert [*printed(account, "first"), *printed(account, "second")] == ["found []", "found ['first']"]
