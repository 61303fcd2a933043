"""LaTeX mathematics."""
