"""Which claims the engine does not derive, so that they are compared with integrals and sums only."""

# shapes that it does not read, and claims that it has no rule for: tests/laws/test_noises.py integrates and sums them
BEYOND = {"cauchy-gdp", "cauchy-approx", "cauchy-fdp", "discrete_gaussian-rdp", "discrete_gaussian-approx",
          "discrete_gaussian-gdp", "discrete_gaussian-fdp", "generalised_gaussian", "binomial", "skellam",
          "staircase-zcdp", "staircase-gdp", "logistic-gdp", "gumbel-rdp", "gumbel-zcdp", "gumbel-gdp",
          "gumbel-approx"}  # fmt: skip
