"""Privacy profiles by losses on lattices."""
