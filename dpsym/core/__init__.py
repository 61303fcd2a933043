"""The parts that everything is written with: names, functions, relations, ranges of numbers, time limits."""
