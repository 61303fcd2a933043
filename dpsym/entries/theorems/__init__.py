"""Theorems: what follows from guarantees."""
