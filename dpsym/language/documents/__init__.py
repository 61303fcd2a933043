"""Derivations as documents."""
