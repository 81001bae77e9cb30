"""The files of a training process in S3: its input, its code, its checkpoints and what it leaves.

Checkpoints are copied once when an attempt starts and from then on continuously back, deletions too (guide,
"Checkpoints in Amazon SageMaker AI").
"""

import io
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from local.training.container import Container

Known = tuple[float, int]
"""When a file was last written, and its size."""


@dataclass
class Files:
    """`s3` is a client with the execution role's credentials."""

    s3: Any
    container: Container
    _mirrored: dict[str, Known] = field(default_factory=dict)
    _last_seen: dict[str, Known] = field(default_factory=dict)

    def fetch(self) -> None:
        """Channels, the code, and the checkpoints that are there already."""
        self.container.make()
        for channel in self.container.request.get("InputDataConfig", []):
            source = channel["DataSource"].get("S3DataSource")
            if source is None:
                raise ValueError(f"channel {channel['ChannelName']}: only data in S3 can be read on this machine")
            self._download(source["S3Uri"], self.container.channel(channel["ChannelName"]))
        self.container.place_drivers()
        self._fetch_code()
        if address := self._checkpoint_address:
            self._download(address, self.container.checkpoints)
            self._mirrored = self._present()

    def mirror(self, *, ended: bool = False) -> None:
        """Copy what the process wrote to its checkpoint folder and delete what it deleted; a file that is still being
        written waits, unless the process has ended.
        """
        address = self._checkpoint_address
        if address is None:
            return
        bucket, prefix = _parts(address)
        present = self._present()
        for name, known in present.items():
            settled = ended or self._last_seen.get(name) == known
            if settled and self._mirrored.get(name) != known:
                with suppress(FileNotFoundError):  # deleted since it was seen: the next look notices
                    content = (self.container.checkpoints / name).read_bytes()
                    self.s3.put_object(Bucket=bucket, Key=prefix + name, Body=content)
                    self._mirrored[name] = known
        for name in set(self._mirrored) - set(present):
            self.s3.delete_object(Bucket=bucket, Key=prefix + name)
            del self._mirrored[name]
        self._last_seen = present

    def deliver(self) -> None:
        """model.tar.gz and, if anything is there, output.tar.gz."""
        bucket, prefix = _parts(str(self.container.request["OutputDataConfig"]["S3OutputPath"]))
        for name, folder in (("model", self.container.model), ("output", self.container.output)):
            if name == "model" or any(folder.iterdir()):
                archive = io.BytesIO()
                with tarfile.open(fileobj=archive, mode="w:gz") as tar:
                    tar.add(folder, arcname=".")
                key = f"{prefix}{self.container.name}/output/{name}.tar.gz"
                self.s3.put_object(Bucket=bucket, Key=key, Body=archive.getvalue())

    @property
    def _checkpoint_address(self) -> str | None:
        address = self.container.request.get("CheckpointConfig", {}).get("S3Uri")
        return None if address is None else str(address)

    def _fetch_code(self) -> None:
        code = self.container.code
        if source := self.container.source:
            bucket, _, key = source.removeprefix("s3://").partition("/")
            body = self.s3.get_object(Bucket=bucket, Key=key)["Body"].read()
            with tarfile.open(fileobj=io.BytesIO(body), mode="r:gz") as tar:
                tar.extractall(code, filter="data")

    def _download(self, address: str, folder: Path) -> None:
        bucket, _, prefix = address.removeprefix("s3://").partition("/")
        folder.mkdir(parents=True, exist_ok=True)
        for key in self._keys(bucket, prefix):
            name = key.removeprefix(prefix).lstrip("/") or key.rpartition("/")[2]
            if not name.endswith("/"):
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                self.s3.download_file(bucket, key, str(target))

    def _keys(self, bucket: str, prefix: str) -> Iterator[str]:
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        return (each["Key"] for page in pages for each in page.get("Contents", []))

    def _present(self) -> dict[str, Known]:
        folder, found = self.container.checkpoints, {}
        for path in folder.rglob("*"):
            with suppress(FileNotFoundError):
                if path.is_file():
                    found[str(path.relative_to(folder))] = (path.stat().st_mtime, path.stat().st_size)
        return found


def _parts(address: str) -> tuple[str, str]:
    """Bucket and a prefix that is empty or ends with a slash."""
    bucket, _, prefix = address.removeprefix("s3://").partition("/")
    return bucket, f"{prefix.rstrip('/')}/" if prefix else ""
