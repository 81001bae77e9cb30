"""Sending messages again that were given up."""
