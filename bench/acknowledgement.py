"""How long Slack waits for the acknowledgement of a press when the function has to start first.

Each press meets a fresh interpreter that sees a function's disk and nothing else, as in `initialisation`: import,
`wire()`, the secret read, the signature checked, the press queued. Secrets Manager and SQS are a server on this
machine.
"""

import json
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.function_image import Image, build_image
from bench.initialisation import SCRIPT
from bench.sample_environments import sample_environment
from local.problems import LaptopError

HANDLER, SECRET = "chat_action", "-".join(("a", "signing", "secret"))
CODE = """
import base64, hashlib, hmac, json, time
from urllib.parse import urlencode
job = "arn:aws:sagemaker:us-east-1:111122223333:training-job/x"
press = {"action_id": "stop", "block_id": job + "|2026-03-02T09:00:00Z"}
payload = {"type": "block_actions", "team": {"id": "T0123ABCD"}, "user": {"id": "U0MEMBER", "team_id": "T0123ABCD"},
           "response_url": "https://hooks.slack.com/actions/x", "actions": [{**press, "action_ts": "1.1"}]}
body, stamp = urlencode({"payload": json.dumps(payload)}), str(int(time.time()))
signed = hmac.new(b"%(secret)s", ("v0:" + stamp + ":" + body).encode(), hashlib.sha256).hexdigest()
event = {"headers": {"content-type": "application/x-www-form-urlencoded", "x-slack-request-timestamp": stamp,
                     "x-slack-signature": "v0=" + signed},
         "requestContext": {"timeEpoch": time.time() * 1000}, "body": body, "isBase64Encoded": False}
import handlers.chat_action
response = handlers.chat_action.handler(event, None)
assert response["statusCode"] == 200, response
answer = time.process_time() * 1000
"""


def measure_acknowledgement(python: Path, runs: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Press `runs` times, each time on a function that has to start, after one round that is not counted."""
    with tempfile.TemporaryDirectory(prefix="trainops-bench-") as folder, _services() as url:
        image = build_image(Path(folder).resolve(), python)
        times = []
        for number in range(runs + 1):
            tell(f"press {number} of {runs}" if number else "warming up")
            times.append(_press(python, image, url))
    waited, worked = ([pair[place] for pair in times[1:]] for place in (0, 1))
    return {"runs": runs, "waited": _spread(waited), "processor": _spread(worked)}


def _spread(values: list[float]) -> dict[str, int]:
    p99 = quantiles(values, n=100, method="inclusive")[98] if len(values) > 1 else values[0]
    return {"median_ms": round(median(values)), "p99_ms": round(p99), "highest_ms": round(max(values))}


def _press(python: Path, image: Image, url: str) -> tuple[float, float]:
    """Milliseconds from the first statement to the response, and of processor time, which load does not lengthen."""
    paths = ":".join(map(str, image.paths))
    outcome = subprocess.run(
        [str(python), "-I", "-S", "-B", str(SCRIPT), paths, CODE % {"secret": SECRET}],
        env=sample_environment(HANDLER) | {"HOME": str(image.root), "LANG": "C.UTF-8", "AWS_ENDPOINT_URL": url},
        cwd=image.root,
        capture_output=True,
        text=True,
        check=False,
    )
    if outcome.returncode:
        raise LaptopError(f"{HANDLER} does not acknowledge:\n{outcome.stderr.strip()}")
    found = json.loads(outcome.stdout.splitlines()[-1])
    return float(found["ms"]), float(found["answer"])


@contextmanager
def _services() -> Iterator[str]:
    """Secrets Manager with the secret, and SQS that takes everything."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Answer GetSecretValue, and SendMessageBatch."""
        self.rfile.read(int(self.headers["Content-Length"]))
        secret = {"Name": "trainops/slack", "SecretString": json.dumps({"signing_secret": SECRET})}
        queued = {"Successful": [{"Id": "0", "MessageId": "1", "MD5OfMessageBody": "0" * 32}], "Failed": []}
        found = secret if "GetSecretValue" in self.headers["X-Amz-Target"] else queued
        body = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the base class's name
        """Quiet."""
