"""Ways to show that a relation holds, each of which answers yes or nothing."""
