"""Loops as data: what kernels are made of, below the graph compiler and the tracer."""
