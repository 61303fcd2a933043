"""Relations between members of finite families, and between sums, products and extremes over them.

`concrete` puts numbers in place of the ends of the ranges: there a relation can be seen to fail.  `normal_form` makes
of it a relation between numbers alone, which holds for all of them if it does.  `strategy` proves.
"""
