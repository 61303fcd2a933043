"""The field as data: notions of privacy, mechanisms, theorems, results, and the works they are from."""
