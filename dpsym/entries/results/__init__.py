"""Identities, bounds, tails and errors of the field, one a file."""
