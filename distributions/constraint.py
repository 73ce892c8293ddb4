"""The base of all constraints: see `constraints`."""

from __future__ import annotations

from typing import Any

Value = Any


class Constraint:
    """A set of values. `is_discrete` says whether it is one of whole numbers, `event_dim` how many axes a value has."""

    is_discrete = False
    event_dim = 0

    def check(self, value: Value) -> Value:
        """A tensor of bools: whether each value lies in the set."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return type(self).__name__ + "()"
