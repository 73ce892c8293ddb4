"""The ends of a history: leaves of one's own only, or others as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .accumulate import AccumulateGrad
from .edges import edges_of
from .node import Node


def leading_outside(tensors: Sequence[Any], own: Sequence[Any]) -> tuple[bool, ...]:
    """For each tensor, whether its history leads to a leaf that is none of `own`.

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
            known[node] = id(node.variable) not in inner
        elif complete:
            known[node] = any(known[following] for following, _ in node.edges)
        else:
            known[node] = False  # until what follows is known; histories have no cycles
            waiting.append((node, True))
            waiting += [(following, False) for following, _ in node.edges if following not in known]
    return tuple(known[node] for node in roots)
