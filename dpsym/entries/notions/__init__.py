"""One notion of privacy a file, found by walking this folder."""
