"""The GPUs of Apple's computers, for which nothing is compiled."""

from __future__ import annotations


def is_available() -> bool:
    """False."""
    return False


def is_built() -> bool:
    """False."""
    return False


__all__ = ["is_available", "is_built"]
