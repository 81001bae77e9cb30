"""Scripted days in YAML, played on the simulator alone or on a laptop with the deployed product: see README.md."""
