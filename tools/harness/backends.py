"""Jitted functions on another backend for the time of a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...core.config import config


@contextmanager
def on_backend(name: str) -> Iterator[None]:
    """A context in which this backend runs what is jitted, also functions that were jitted before.

    Functions that were jitted for another backend than the usual one keep theirs.
    """
    from ...backend.plugins.registry import lookup_backend
    from ...frontend.dispatch.registry import live_states
    from .expectation import forget

    usual, wanted = (lookup_backend(each, "a test asks for") for each in (config.backend, name))
    moved = [state for state in live_states() if state.backend is usual]
    forget()
    for state in moved:
        state.backend = wanted
    try:
        with config.patch(backend=name):
            yield
    finally:
        forget()
        for state in moved:
            state.backend = usual
