"""Privacy profiles by inverting moment functions."""
