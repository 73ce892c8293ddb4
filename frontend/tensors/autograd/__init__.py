"""Backward passes, gradients and custom functions while tracing."""
