"""Transforms of functions (`func/`) while tracing: what `vmap`, derivatives and calls of modules need of the trace."""
