"""How kernels for a GPU touch memory: several elements at once, and what is read but once."""
