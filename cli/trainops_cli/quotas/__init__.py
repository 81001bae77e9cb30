"""`trainops quotas`: how large a quota pays."""
