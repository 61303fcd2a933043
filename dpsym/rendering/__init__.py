"""What was found, written for a reader: a terminal, a page, a program, a plot."""
