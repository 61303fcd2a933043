"""One notion of privacy a file, with the laws of that notion alone: how it composes, what post-processing costs."""
