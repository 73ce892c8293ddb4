"""The edge of a tensor's gradient: to an output of the node it came from, or to the accumulator of a leaf."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..tensor.tensor import Tensor
from .accumulate import AccumulateGrad
from .history import current_node
from .node import NO_EDGE, Edge, Node

_MAKING = threading.RLock()
"""Held while the accumulator of a leaf is made: a graph over another one than the leaf knows would lead nowhere."""


class GradientEdge(NamedTuple):
    """The edge at which the gradient of a tensor arrives; stands for the tensor in `grad` and `backward`.

    ownership_token: keeps alive what the node alone would not.
    """

    node: Node
    output_nr: int
    ownership_token: Any = None


def accumulator_of(leaf: Tensor) -> Node:
    """The node that adds to `leaf.grad`. The leaf holds it weakly, so it lives as long as some graph over the leaf."""
    reference = leaf._accumulator
    node = reference() if reference is not None else None
    if node is not None:
        return node
    with _MAKING:
        if leaf._accumulator is reference:
            node = AccumulateGrad(leaf)
            leaf._accumulator = weakref.ref(node)
            return node
    return accumulator_of(leaf)  # another thread was faster


def edge_of(value: Any) -> Edge:
    """The edge along which the gradient of `value` goes; None for what has none or does not require grad."""
    return edges_of((value,))[0]


def edges_of(values: Iterable[Any]) -> tuple[Edge, ...]:
    """The edges of a node whose inputs are `values`: for each where its gradient goes."""
    edges: list[Edge] = []
    for value in values:
        if isinstance(value, Tensor):
            node = value._node if value._path is None else current_node(value)
            if node is not None:
                edges.append((node, value._output_nr))
            elif value._requires_grad:
                known = value._accumulator
                node = None if known is None else known()
                edges.append((accumulator_of(value) if node is None else node, 0))
            else:
                edges.append(NO_EDGE)
        else:
            edges.append((value.node, value.output_nr) if isinstance(value, GradientEdge) else NO_EDGE)
    return tuple(edges)
