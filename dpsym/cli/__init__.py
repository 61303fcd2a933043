"""The command line: reads its arguments, asks the library, prints the answer, exits with what it found."""

from dpsym.cli.running import main, run

__all__ = ["main", "run"]
