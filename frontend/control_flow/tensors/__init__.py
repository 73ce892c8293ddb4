"""Loops and branches over tensors: they become nodes with subgraphs."""
