"""One notion of privacy a file."""
