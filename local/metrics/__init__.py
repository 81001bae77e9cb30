"""CloudWatch's metrics as far as dashboards and alarms ask: embedded metric format, queries, metric math."""
