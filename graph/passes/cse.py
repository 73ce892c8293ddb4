"""Common subexpressions: equal nodes become one, the earliest.

::

    %0 = exp(%x) : f64[3]                          %0 = exp(%x) : f64[3]
    %1 = exp(%x) : f64[3]                =>        %1 = add(%0, %0) : f64[3]
    %2 = add(%0, %1) : f64[3]                      return %1
"""

from __future__ import annotations

import struct

from ..node import Graph, Node
from .rewrite import rewrite


def merge_equal_nodes(graph: Graph) -> Graph:
    """The graph in which no two nodes apply the same op to the same operands with the same attributes."""
    first: dict[tuple[object, ...], Node] = {}

    def step(node: Node) -> Node:
        attrs = tuple((key, attribute_key(value)) for key, value in node.attrs)
        return first.setdefault((node.op, node.inputs, attrs, node.type), node)

    return rewrite(graph, step)


def attribute_key(value: object) -> object:
    """Something hashable, equal for two attributes just when they are the same value of the same type.

    Python's own ``==`` will not do: ``0.0 == -0.0`` and ``1 == 1.0 == True``, while a NaN is not equal to itself.
    Floats are compared by their bits.
    """
    if type(value) is tuple:
        return (tuple, tuple(map(attribute_key, value)))
    return (type(value), struct.pack("<d", value) if type(value) is float else value)
