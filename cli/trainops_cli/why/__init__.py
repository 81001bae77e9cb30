"""`trainops why`: one job's warm pools, explained from the ledger."""
