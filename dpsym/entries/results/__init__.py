"""Identities, bounds, tails and errors of the field, by topic."""
