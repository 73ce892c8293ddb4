"""Calls of kernels and of libraries as the steps of a launch plan."""
