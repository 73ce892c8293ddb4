"""Kernels on disk, and how much of the disk they may take."""
