"""The accesses of kernels for a GPU to memory: of several elements at once, and of what is read but once."""
