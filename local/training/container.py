"""What a training process finds: SageMaker's folders, its environment variables and its command.

Folders and variables as in the guide's "How Amazon SageMaker AI Provides Training Information" and the SageMaker
training toolkit. No container isolates the process, so /opt/ml is a folder of the job's own; LOCAL_OPT_ML says where.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

IMAGE = "local/python"
HOST = "algo-1"
CHECKPOINTS = "/opt/ml/checkpoints"
CACHE = "SAGEMAKER_MANAGED_WARMPOOL_CACHE_DIRECTORY"
DRIVERS = "sm_drivers"
LONGEST_FAILURE = 1024  # characters of /opt/ml/output/failure that SageMaker reads


def trains_here(request: Mapping[str, Any]) -> bool:
    """Whether the request names the image that is a process on this machine, with any tag."""
    image = str(request.get("AlgorithmSpecification", {}).get("TrainingImage", ""))
    return image.partition(":")[0].rpartition("amazonaws.com/")[2] == IMAGE


@dataclass(frozen=True)
class Container:
    """The folders of one attempt: `root` stands for /opt/ml, `cluster` is what the instances of a warm pool keep."""

    request: Mapping[str, Any]
    arn: str
    root: Path
    cluster: Path

    @property
    def name(self) -> str:
        """TrainingJobName."""
        return str(self.request["TrainingJobName"])

    @property
    def model(self) -> Path:
        """What becomes model.tar.gz."""
        return self.root / "model"

    @property
    def output(self) -> Path:
        """What becomes output.tar.gz; the file `failure` lies beside it."""
        return self.root / "output/data"

    @property
    def checkpoints(self) -> Path:
        """CheckpointConfig.LocalPath, below `root`."""
        return self.at(str(self.request.get("CheckpointConfig", {}).get("LocalPath", CHECKPOINTS)))

    @property
    def code(self) -> Path:
        """Where the script lies, and the working folder of the process: the unpacked source, or the channel `code`."""
        channels = {each["ChannelName"] for each in self.request.get("InputDataConfig", [])}
        return self.channel("code") if "code" in channels and not self.source else self.root / "code"

    def at(self, path: str) -> Path:
        """A path of the container on this machine."""
        return self.root / path.removeprefix("/opt/ml").lstrip("/")

    def channel(self, name: str) -> Path:
        """The folder of a channel of InputDataConfig."""
        return self.root / "input/data" / name

    def make(self) -> None:
        """Empty folders and the files of input/config; what an earlier attempt left is gone."""
        shutil.rmtree(self.root, ignore_errors=True)
        config = self.root / "input/config"
        for folder in (self.model, self.output, self.checkpoints, self.code, config, self.cluster):
            folder.mkdir(parents=True, exist_ok=True)
        channels: dict[str, object] = {each["ChannelName"]: {} for each in self.request.get("InputDataConfig", [])}
        for name, document in {
            "hyperparameters": self.hyperparameters,
            "inputdataconfig": channels,
            "resourceconfig": {**self._cluster_of_one, "network_interface_name": "lo"},
        }.items():
            (config / f"{name}.json").write_text(json.dumps(document))

    @property
    def _cluster_of_one(self) -> dict[str, object]:
        """The instances as resourceconfig.json has them."""
        resources = self.request.get("ResourceConfig", {})
        kind = str(resources.get("InstanceType", resources.get("InstanceGroups", [{}])[0].get("InstanceType", "")))
        group = {"instance_group_name": "homogeneousCluster", "instance_type": kind, "hosts": [HOST]}
        return {
            "current_host": HOST,
            "current_instance_type": kind,
            "current_group_name": group["instance_group_name"],
            "hosts": [HOST],
            "instance_groups": [group],
        }

    @property
    def hyperparameters(self) -> Mapping[str, str]:
        """As the request has them: texts, which SDKs write as JSON."""
        return dict(self.request.get("HyperParameters", {}))

    @property
    def source(self) -> str | None:
        """The address in S3 of the archive that holds the script; None when a channel `code` does."""
        return self._setting("sagemaker_submit_directory")

    def command(self, python: Path) -> list[str]:
        """The process: ContainerEntrypoint and its arguments, or the script with the hyperparameters as arguments.

        Raises ValueError when the request names neither.
        """
        algorithm = self.request["AlgorithmSpecification"]
        if entrypoint := algorithm.get("ContainerEntrypoint"):
            words = [*entrypoint, *algorithm.get("ContainerArguments", [])]
            first = str(python) if words[0] in {"python", "python3"} else words[0]
            return [first, *(word.replace("/opt/ml", str(self.root)) for word in words[1:])]
        script = self._setting("sagemaker_program")
        if script is None:
            raise ValueError(f"{IMAGE} needs ContainerEntrypoint or the hyperparameter sagemaker_program")
        return [str(python), "-u", script, *self._arguments()]

    def place_drivers(self) -> None:
        """The SageMaker SDK v3 sends its drivers as a channel of scripts in which /opt/ml is written out."""
        for path in self.channel(DRIVERS).rglob("*"):
            if path.suffix in {".py", ".sh"}:
                path.write_text(path.read_text().replace("/opt/ml", str(self.root)))

    def environment(self, region: str, python: Path) -> dict[str, str]:
        """The variables of the training toolkit, then the request's own; what lies beside `python` is found first."""
        own = self._own()
        variables = {
            "LOCAL_OPT_ML": str(self.root),
            "PATH": os.pathsep.join([str(python.parent), os.defpath]),
            "HOME": str(self.root),
            "LANG": "C.UTF-8",
            "AWS_REGION": region,
            "AWS_DEFAULT_REGION": region,
            "TRAINING_JOB_NAME": self.name,
            "TRAINING_JOB_ARN": self.arn,
            "SM_MODEL_DIR": str(self.model),
            "SM_INPUT_DIR": str(self.root / "input"),
            "SM_OUTPUT_DIR": str(self.root / "output"),
            "SM_OUTPUT_DATA_DIR": str(self.output),
            "SM_CURRENT_HOST": HOST,
            "SM_HOSTS": json.dumps([HOST]),
            "SM_NUM_GPUS": "0",
            "SM_NUM_CPUS": str(os.cpu_count() or 1),
            "SM_HPS": json.dumps(own),
            "SM_CHANNELS": json.dumps([each["ChannelName"] for each in self.request.get("InputDataConfig", [])]),
        }
        for channel in self.request.get("InputDataConfig", []):
            variables[f"SM_CHANNEL_{channel['ChannelName'].upper()}"] = str(self.channel(channel["ChannelName"]))
        variables |= {f"SM_HP_{name.upper().replace('-', '_')}": _text(value) for name, value in own.items()}
        if self.request.get("ResourceConfig", {}).get("KeepAlivePeriodInSeconds"):
            variables[CACHE] = str(self.cluster)
        return {**variables, **self.request.get("Environment", {})}

    def failure(self, code: int) -> str:
        """FailureReason of a process that ended with `code`, with what it wrote to /opt/ml/output/failure."""
        file = self.root / "output/failure"
        told = file.read_text(errors="replace")[:LONGEST_FAILURE] if file.exists() else "ExecuteUserScriptError"
        return f"AlgorithmError: {told}, exit code: {code}"

    def _setting(self, name: str) -> str | None:
        value = self.hyperparameters.get(name) or self.request.get("Environment", {}).get(name.upper())
        return None if value is None else _text(_parsed(value))

    def _own(self) -> dict[str, Any]:
        """The hyperparameters without the SDK's own."""
        given = self.hyperparameters.items()
        return {name: _parsed(value) for name, value in given if not name.startswith("sagemaker_")}

    def _arguments(self) -> Iterator[str]:
        for name, value in self._own().items():
            yield from (f"--{name}", _text(value))


def _parsed(value: str) -> Any:
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
