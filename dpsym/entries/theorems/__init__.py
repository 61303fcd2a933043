"""Theorems between notions, by topic; the laws of one notion alone stand in its own file, in `notions`."""
