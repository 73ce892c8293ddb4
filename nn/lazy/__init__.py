"""Layers that learn the sizes of their parameters from the first input they are given."""
