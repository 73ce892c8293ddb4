"""Eager operations as graphs of their own, compiled once for operands laid out alike."""
