"""Modules of the standard library that the tracer has rules for."""
