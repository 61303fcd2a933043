"""Compositions of equal Laplace steps."""
