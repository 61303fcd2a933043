"""What the field knows, as data: notions of privacy, mechanisms, theorems, results, and the works they are from."""
