"""Tensors, modules and optimizers as the trace sees them."""
