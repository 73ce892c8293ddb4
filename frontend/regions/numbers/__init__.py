"""Numbers inside loop IR: arithmetic, functions of `math`, ranges, numbers that may not be there."""
