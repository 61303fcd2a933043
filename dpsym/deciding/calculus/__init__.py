"""Relations with sums, products, integrals, optima and limits, reduced to relations without them."""
