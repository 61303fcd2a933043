"""What everything is written with: names, functions, relations, ranges of numbers, time limits."""
