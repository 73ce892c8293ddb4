"""Flags of code objects that the tracer asks for."""

from __future__ import annotations

GENERATOR_FLAGS = 0x20 | 0x80 | 0x100 | 0x200
"""CO_GENERATOR, CO_COROUTINE, CO_ITERABLE_COROUTINE, CO_ASYNC_GENERATOR."""
