"""Optimizers, a file for each."""
