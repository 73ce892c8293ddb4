"""Eager operations on a GPU: each is a graph of its own, compiled once for operands laid out alike."""
