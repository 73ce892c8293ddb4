"""Which nodes share a kernel, in which order, and in which memory."""
