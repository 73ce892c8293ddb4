"""Ahead-of-time autograd: gradients as more nodes of a graph, and the split into a forward and a backward graph."""
