"""Kernels in which blocks work together, and those that no loop IR stands for."""
