"""Distributions of the privacy loss of one step."""
