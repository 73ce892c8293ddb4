"""The ends of a history: leaves of one's own only, or others as well."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import Any

from ..tensor.tensor import Tensor
from .accumulate import AccumulateGrad
from .edges import edges_of
from .node import Node

_PASSED: dict[int, weakref.ref[Tensor]] = {}
"""The leaves of transforms that are over, by identity; a tensor has an equality of its own."""


def pass_over(leaves: Iterable[Any]) -> None:
    """Says that these leaves belong to nobody any more: no history leads outside by leading to one of them."""
    for leaf in leaves:
        key = id(leaf)
        _PASSED[key] = weakref.ref(leaf, lambda _, key=key: _PASSED.pop(key, None))  # type: ignore[misc]


def leading_outside(tensors: Sequence[Any], own: Sequence[Any]) -> tuple[bool, ...]:
    """For each tensor, whether its history leads to a leaf that is none of `own`, nor was passed over.

    Each node is looked at once, whatever the number of tensors; an iteration, since histories are long.
    """
    inner = {id(each) for each in own}
    known: dict[Node | None, bool] = {None: False}
    roots = [node for node, _ in edges_of(tensors)]
    waiting = [(node, False) for node in roots]
    while waiting:
        node, complete = waiting.pop()
        if node in known and not complete:
            continue
        assert node is not None
        if type(node) is AccumulateGrad:
            known[node] = id(node.variable) not in inner and id(node.variable) not in _PASSED
        elif complete:
            known[node] = any(known[following] for following, _ in node.edges)
        else:
            known[node] = False  # until what follows is known; histories have no cycles
            waiting.append((node, True))
            waiting += [(following, False) for following, _ in node.edges if following not in known]
    return tuple(known[node] for node in roots)
