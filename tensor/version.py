"""How often a storage was written: the counter by which a backward pass finds out that a saved value has changed."""

from __future__ import annotations


class VersionCounter:
    """One count, shared by a tensor, its views and what `detach()` gives. `value` counts in-place operations."""

    # A class default in place of `__init__` halves the cost of making one, and every tensor has one.
    value: int = 0

    def __repr__(self) -> str:
        return f"VersionCounter({self.value})"


def count_writes(counters: tuple[VersionCounter, ...]) -> None:
    """Counts one in-place operation in each counter, as often as it stands there: what compiled code has written."""
    for counter in counters:
        counter.value += 1
