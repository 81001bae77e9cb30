"""Queries of CloudWatch Logs Insights over log lines, as far as dashboards ask them."""
