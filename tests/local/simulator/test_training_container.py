"""What a training process finds in its folders, without a process."""

import json
from pathlib import Path

from local.training.container import Container

REQUEST = {
    "TrainingJobName": "job-1",
    "AlgorithmSpecification": {"TrainingImage": "local/python:3"},
    "ResourceConfig": {"InstanceType": "ml.c5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
    "InputDataConfig": [{"ChannelName": "sm_drivers"}],
}


def made(folder: Path) -> Container:
    container = Container(REQUEST, "arn:job-1", folder / "opt/ml", folder / "cluster")
    container.make()
    return container


def test_the_cluster_is_described_as_in_a_container(tmp_path: Path) -> None:
    found = json.loads((made(tmp_path).root / "input/config/resourceconfig.json").read_text())
    assert (found["current_host"], found["current_instance_type"]) == ("algo-1", "ml.c5.xlarge")
    assert found["network_interface_name"]
    assert found["instance_groups"][0]["hosts"] == ["algo-1"]


def test_drivers_of_the_sdk_find_the_folder_that_stands_for_opt_ml(tmp_path: Path) -> None:
    container = made(tmp_path)
    scripts = container.channel("sm_drivers") / "scripts"
    scripts.mkdir(parents=True)
    (scripts / "environment.py").write_text('SM_MODEL_DIR = "/opt/ml/model"')
    container.place_drivers()
    assert (scripts / "environment.py").read_text() == f'SM_MODEL_DIR = "{container.model}"'


def test_what_lies_beside_the_interpreter_is_found_first(tmp_path: Path) -> None:
    environ = made(tmp_path).environment("us-east-1", Path("/somewhere/bin/python"))
    assert environ["PATH"].startswith("/somewhere/bin:")
