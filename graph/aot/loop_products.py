"""Weights of products in a loop: their gradients are one product over all iterations, behind the loop.

::

    total' = add(total, matmul(permute(a), b))      =>      rows a, b of all iterations; permute(all a) @ all b

One product of long matrices costs less than a sum that is read and written anew in each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ops.contraction import MATMUL
from ...ops.movement import PERMUTE
from ...ops.pointwise import ADD
from ..node import Node
from .emitter import GraphEmitter

Product = tuple[Node, Node]
"""Two matrices of an iteration, [n, p] and [n, q], that stand for [p, q], the first one turned times the second."""


def products_in(gradient: Node, total: Node) -> list[Product]:
    """The products that an iteration adds to a total, the last one first; none where it adds anything else."""
    found = []
    while gradient is not total:
        if gradient.op is not ADD:
            return []
        left, right = gradient.inputs
        product = _product(right)
        if product is None:
            left, product = right, _product(left)
        if product is None or not _is_worth(product):
            return []
        found.append(product)
        gradient = left
    return found


def _product(node: Node) -> Product | None:
    turned = _is_turned(node)
    if turned:
        (node,) = node.inputs
    if node.op is not MATMUL or len(node.shape) != 2 or not _is_turned(node.inputs[0]):
        return None
    left, right = node.inputs[0].inputs[0], node.inputs[1]
    return (right, left) if turned else (left, right)


def _is_turned(node: Node) -> bool:
    return node.op is PERMUTE and node.attr("axes") == (1, 0)


def _is_worth(product: Product) -> bool:
    """Whether the rows of both are fewer elements to write than the total is to read and to write."""
    (n, p), (_, q) = (each.shape for each in product)
    sizes: tuple[Any, ...] = n, p, q
    return not all(type(each) is int for each in sizes) or n * (p + q) <= 2 * p * q


def over_all(f: GraphEmitter, pairs: Sequence[Product]) -> Node:
    """The sum of the products, of which each factor is given with a row for each iteration, [trips, n, p]."""
    total = None
    for left, right in reversed(pairs):
        product = f.matmul(f.permute(_joined(f, left), axes=(1, 0)), _joined(f, right))
        total = product if total is None else f.add(total, product)
    assert total is not None
    return total


def _joined(f: GraphEmitter, rows: Node) -> Node:
    trips, n, width = rows.shape
    return f.reshape(rows, shape=(trips * n, width))  # type: ignore[no-any-return]
