"""The only package that touches MiniStack's internals; written for the pinned version, used by the server alone.

`patches` restores AWS behaviour that MiniStack lacks, `calls` lets our own services live beside its services.
MiniStack reads the process environment when it is imported: import this package only after that is set.
"""
