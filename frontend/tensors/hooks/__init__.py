"""Hooks on saved tensors, tensors and modules while tracing."""
