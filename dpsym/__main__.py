"""`python -m dpsym`."""

from dpsym.cli import main

if __name__ == "__main__":
    main()
