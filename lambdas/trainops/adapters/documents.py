"""Documents in one S3 bucket.

Source: S3 API, PutObject (conditional writes with If-None-Match), DeleteObject.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of

CONTENT_TYPES = {".json": "application/json", ".yaml": "application/yaml"}
TAKEN = "PreconditionFailed"


@dataclass(frozen=True, slots=True)
class S3Documents:
    """Implements `ports.Documents` with a boto3 `s3` client. Encryption is the bucket's own."""

    s3: Any
    bucket: str

    def put(self, key: str, text: str) -> None:
        """Write the document, whatever is there. Raises botocore's ClientError."""
        self.s3.put_object(**self._request(key, text))

    def put_if_absent(self, key: str, text: str) -> bool:
        """Write the document unless there is one; False when there was. Of two writers at once, one comes back with
        ClientError ConditionalRequestConflict.
        """
        try:
            self.s3.put_object(**self._request(key, text), IfNoneMatch="*")
        except ClientError as error:
            if code_of(error) != TAKEN:
                raise
            return False
        return True

    def remove(self, key: str) -> None:
        """Delete the document; one that is not there is no error."""
        self.s3.delete_object(Bucket=self.bucket, Key=key)

    def _request(self, key: str, text: str) -> dict[str, Any]:
        kind = CONTENT_TYPES[PurePosixPath(key).suffix]
        return {"Bucket": self.bucket, "Key": key, "Body": text.encode(), "ContentType": kind}
