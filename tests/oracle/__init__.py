"""Independent arbiters: what the tests know without asking the code under test."""
