"""The choice of nodes that share a kernel, of their order, and of their memory."""
