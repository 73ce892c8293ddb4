"""Sorting and searching on a device: the texts of kernels, and the ops that are launches of them."""
