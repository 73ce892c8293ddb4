"""Arguments with a number for each axis, as types and as tuples, and names of states without a prefix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from itertools import repeat
from typing import Any

_size_any_t = int | tuple[int, ...]
_size_1_t = int | tuple[int]
_size_2_t = int | tuple[int, int]
_size_3_t = int | tuple[int, int, int]
_ratio_2_t = float | tuple[float, float]
_ratio_3_t = float | tuple[float, float, float]
_ratio_any_t = float | tuple[float, ...]


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives the entries of its argument, or one that is no iterable `n` times."""

    def parse(x: Any) -> tuple[Any, ...]:
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def consume_prefix_in_state_dict_if_present(state_dict: MutableMapping[str, Any], prefix: str) -> None:
    """Takes a prefix from the names of a state, in place, so that a wrapped model's fits the model: ``"module."``."""
    for name in [name for name in state_dict if name.startswith(prefix)]:
        state_dict[name.removeprefix(prefix)] = state_dict.pop(name)
    facts: dict[str, Any] = getattr(state_dict, "_metadata", None) or {}
    for name in [*facts]:
        if name and (name == prefix.rstrip(".") or name.startswith(prefix)):
            facts[name.removeprefix(prefix) if name.startswith(prefix) else ""] = facts.pop(name)
