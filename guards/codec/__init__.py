"""Guards as plain data, for another process: which kinds can be written down, and how each object in them is found."""
