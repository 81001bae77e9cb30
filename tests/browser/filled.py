"""A laptop with something to see and nothing deployed: jobs, metrics, a dashboard, messages, hostile ones too."""

import json
import random
import smtplib
import time
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import httpx

from local.laptop import Laptop
from local.stories.format import Clock
from local.stories.loading import load
from local.stories.on_laptop import LaptopWorld
from local.stories.running import play

WEEK = Path("local/stories/week.yaml")
DASHBOARD = Path(__file__).with_name("dashboard.json")
ATTACK = "<script>window.hacked = true</script><img src=x onerror='window.hacked = true'>"
"""Text that is shown as it is, wherever it comes from."""
ELSEWHERE = "https://elsewhere.example/pixel.png"


def fill(laptop: Laptop) -> None:
    """All of it, at the end of the simulated week."""
    loaded = load(WEEK)
    with LaptopWorld(laptop, Clock()) as world:
        play(loaded, world)
        _hostile_job(laptop)
        _metrics(laptop)
    _alarms(laptop)
    _log_lines(laptop)
    cloudwatch = laptop.client("cloudwatch")
    cloudwatch.put_dashboard(DashboardName="fleet", DashboardBody=DASHBOARD.read_text(encoding="utf-8"))
    for message in (ORDINARY, HOSTILE):
        httpx.post(laptop.slack.url(), json=message, trust_env=False).raise_for_status()
    for mail in _mails():
        with smtplib.SMTP(*laptop.mailbox.address.split(":")) as smtp:  # type: ignore[arg-type]
            smtp.send_message(mail)


def _hostile_job(laptop: Laptop) -> None:
    laptop.control.plan("hostile", outcome="Failed", failure_reason=ATTACK, training_seconds=3600)
    laptop.client("sagemaker").create_training_job(
        TrainingJobName="hostile",
        RoleArn=f"arn:aws:iam::{laptop.account}:role/training",
        AlgorithmSpecification={"TrainingImage": "000000000000.dkr.ecr.us-east-1.amazonaws.com/t:1",
                                "TrainingInputMode": "File"},
        ResourceConfig={"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
        OutputDataConfig={"S3OutputPath": "s3://example-artifacts/"},
        StoppingCondition={"MaxRuntimeInSeconds": 86400},
        Tags=[{"Key": "team", "Value": "vision"}],
    )  # fmt: skip
    laptop.control.advance(timedelta(hours=2))


def _metrics(laptop: Laptop) -> None:
    """Figures of pools and messages, every two hours of the week."""
    chance, cloudwatch, now = random.Random(7), laptop.client("cloudwatch"), laptop.control.now()
    for step in range(84):
        at = now - timedelta(hours=2 * step + 1)
        busy = 1.0 if at.weekday() < 5 and 7 <= at.hour < 19 else 0.2
        data = [_datum("Delivered", round(busy * chance.uniform(2, 14)), at, service="slack_delivery")]
        data.append(_datum("Delivered", round(busy * chance.uniform(2, 14)), at, service="email_delivery"))
        for team, size in (("vision", 3.0), ("language", 5.0), ("speech", 1.2)):
            over = chance.randint(1, 4)
            amounts = {"IdleUsd": size * busy * chance.random(), "RetainedUsd": size * busy * chance.uniform(1, 2)}
            amounts |= {"PoolsOver": over, "PoolsReused": chance.randint(0, over)}
            data += [_datum(name, value, at, team=team) for name, value in amounts.items()]
        cloudwatch.put_metric_data(Namespace="trainops", MetricData=data)


def _datum(name: str, value: float, at: object, **dimensions: str) -> dict[str, object]:
    pairs = [{"Name": key, "Value": given} for key, given in dimensions.items()]
    return {"MetricName": name, "Value": value, "Timestamp": at, "Dimensions": pairs}


def _alarms(laptop: Laptop) -> None:
    for name, metric, threshold in (("idle-pools", "IdleUsd", 0), ("undelivered", "Nothing", 1)):
        laptop.client("cloudwatch").put_metric_alarm(
            AlarmName=name, Namespace="trainops", MetricName=metric, Statistic="Sum", Period=86400, EvaluationPeriods=1,
            Dimensions=[{"Name": "team", "Value": "vision"}], Threshold=threshold,
            ComparisonOperator="GreaterThanThreshold", TreatMissingData="missing",
        )  # fmt: skip


def _log_lines(laptop: Laptop) -> None:
    logs = laptop.client("logs")
    logs.create_log_group(logGroupName="jobs")
    logs.create_log_stream(logGroupName="jobs", logStreamName="one")
    lines = [{"failure": "out of memory", "reason": "too large"}] * 3 + [{"failure": "no data", "reason": ATTACK}]
    events = [{"timestamp": int(time.time() * 1000), "message": json.dumps(line)} for line in lines]
    logs.put_log_events(logGroupName="jobs", logStreamName="one", logEvents=events)


def _mails() -> Iterator[EmailMessage]:
    for subject, html in (
        (
            "mon-crops-1 completed",
            "<h1 style='font: 600 20px sans-serif'>mon-crops-1 completed</h1><p>About $1.20.</p>",
        ),
        (f"hostile {ATTACK}", f"<p>{ATTACK}</p><p id='said'>said</p><img src='{ELSEWHERE}'>"),
    ):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "trainops@example.com", "ml-team@example.com", subject
        mail.set_content("plain")
        mail.add_alternative(html, subtype="html")
        yield mail


def _mrkdwn(text: str) -> dict[str, str]:
    return {"type": "mrkdwn", "text": text}


ORDINARY = {
    "text": "mon-crops-1 completed",
    "blocks": [
        {"type": "header", "text": {"type": "plain_text", "text": "✅ mon-crops-1 completed"}},
        {"type": "section", "text": _mrkdwn("Done in *55 min*, about $1.20.\n`s3://artifacts/model.tar.gz`")},
        {"type": "section", "fields": [_mrkdwn("*Owner:* vision-oncall"), _mrkdwn("*Duration:* 55 min")]},
        {"type": "section", "text": _mrkdwn("<https://console.example/jobs|Job in the console> 1 &lt; 2")},
        {"type": "divider"},
        {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Keep warm"}}]},
        {"type": "context", "elements": [_mrkdwn("us-east-1 _estimate_")]},
    ],
}
HOSTILE = {
    "text": ATTACK,
    "attachments": [{"color": "red; background: url(https://elsewhere.example)", "text": ATTACK}],
    "blocks": [
        {"type": "header", "text": {"type": "plain_text", "text": f"❌ hostile {ATTACK}"}},
        {"type": "section", "text": _mrkdwn(f"{ATTACK} <javascript:alert(1)|press me> ```\n{ATTACK}\n```")},
    ],
}
