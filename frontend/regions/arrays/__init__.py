"""Arrays inside loop IR: elements, slices, whole-array expressions, reductions, products."""
