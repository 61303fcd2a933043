"""Arithmetic that encloses: operations on balls, sets of values as ranges, intervals of arrays of doubles."""
