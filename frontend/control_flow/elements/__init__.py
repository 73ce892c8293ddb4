"""Loops over elements of arrays: they become loop IR."""
