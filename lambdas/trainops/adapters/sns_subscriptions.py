"""Who is subscribed to a topic.

Source: SNS API, ListSubscriptionsByTopic: `PendingConfirmation` stands for the ARN of a subscription whose mail nobody
has clicked, and such a one is gone after three days (developer guide).
"""

from dataclasses import dataclass
from typing import Any

from trainops.adapters.aws import passing_faults


@dataclass(frozen=True, slots=True)
class SnsSubscriptions:
    """Implements `workflows.self_check.Subscriptions` with a boto3 `sns` client."""

    sns: Any

    def confirmed(self, topic_arn: str) -> int:
        """ListSubscriptionsByTopic, all pages."""
        with passing_faults("ListSubscriptionsByTopic"):
            pages = self.sns.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic_arn)
            found = [item["SubscriptionArn"] for page in pages for item in page["Subscriptions"]]
        return sum(arn.startswith("arn:") for arn in found)
