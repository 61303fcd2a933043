"""The plain notation."""
