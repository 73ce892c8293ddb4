"""The class of the rewrite rules of `fold`, and the questions that rules ask about constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ...core.devices.host_or_device import on_host
from ...core.records import dataclass
from ...core.sizes import FloatOf, Size
from ...ops.creation import FULL
from ...ops.registry import Array, OpDef
from ..node import Node


@dataclass(frozen=True, slots=True)
class Rule:
    """One rewrite: `apply` gives what stands for a node, or None where the rule does not hold.

    name: how tests and logs call it.  law: the rewrite in print.  ops: names of the ops it looks at; empty for any.
    Every rule is exact: equal bits for every operand, NaNs (quiet ones), infinities and zeros of both signs included.
    """

    name: str
    law: str
    ops: tuple[str, ...]
    apply: Callable[[Node], Node | None]


def constant(node: Node) -> np.generic | None:
    """The one value that every element of `node` has, rounded to its dtype; None for no `full`, and for a size."""
    if node.op is not FULL or isinstance(node.attr("value"), (FloatOf, Size)):
        return None
    return only_element(FULL.eager(value=node.attr("value"), shape=(), dtype=node.type.dtype))


def only_element(array: Array | np.generic) -> np.generic:
    """The element of an array of no axes, as a NumPy scalar."""
    return cast("np.generic", np.asarray(on_host(array))[()])


def full_as(node: Node, value: np.generic) -> Node | None:
    """A `full` of `value` with the type, name and line of `node`; None where there is no `full` of that type."""
    attrs: dict[str, Any] = {"dtype": node.type.dtype, "shape": node.shape, "value": value.item()}
    if value.dtype != node.type.dtype.numpy or FULL.meta(**attrs) != node.type:
        return None
    return Node(FULL, (), node.type, tuple(attrs.items()), node.name, node.location)


def apply_as(node: Node, op: OpDef, *operands: Node, **attrs: object) -> Node:
    """`op` applied to `operands`, with the name and line of `node`, for which it stands."""
    type = op.meta(*(operand.type for operand in operands), **attrs)
    return Node(op, operands, type, tuple(sorted(attrs.items())), node.name, node.location)


def same_bits(left: np.generic, right: np.generic) -> bool:
    """Whether two NumPy scalars have one dtype and the same bits."""
    return left.dtype == right.dtype and left.tobytes() == right.tobytes()
