"""NumPy functions that a plan calls instead of computing: their names, their forms, and where they may stand."""
