"""Advice for a miss: which edit may be printed, what the function does with a value, what a parameter is called."""
