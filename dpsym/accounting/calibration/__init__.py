"""Inverse problems: what an unknown may be for a guarantee."""
