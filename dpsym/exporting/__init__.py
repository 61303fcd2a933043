"""Proofs for other kernels to check."""
