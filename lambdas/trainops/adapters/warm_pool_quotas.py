"""The account's warm-pool quotas, which are not read yet: Service Quotas finds one by its code only, and the codes of
all instance types come from a listing of some two thousand quotas.
"""


class UnreadQuotas:
    """Implements `ports.WarmPoolQuotas`: every quota is unknown."""

    def instances(self, instance_type: str | None) -> int | None:  # noqa: ARG002 nothing is known of any type
        """None."""
        return None
