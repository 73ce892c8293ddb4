"""Rules on operands that are `full`: what is known now is not computed later."""

from __future__ import annotations

import numpy as np

from ...core.devices.host_or_device import on_host
from ...core.dtypes import DType
from ...core.sizes import is_symbolic
from ...ops.registry import Movement, Pointwise, Structural
from ..node import Node
from .rule import Rule, constant, full_as, only_element

SMALL = 64
"""Elements, operands and result together, up to which `evaluate_small` runs an op at compile time."""


def _constants(node: Node) -> list[np.generic] | None:
    values = [constant(operand) for operand in node.inputs]
    return [value for value in values if value is not None] if values and None not in values else None


def _holds(dtype: DType, value: np.generic) -> bool:
    """Whether casting the float `value` to an integer `dtype` has one answer on every machine: it lies in range."""
    info = np.iinfo(dtype.numpy)
    return bool(np.isfinite(value)) and info.min <= int(value) <= info.max  # type: ignore[call-overload]


def _evaluate_uniform(node: Node) -> Node | None:
    if not node.op.exact or not isinstance(node.op.lower, Pointwise) or node.type.dtype.is_complex:
        return None  # a complex constant is put together of two others
    values = _constants(node)
    if values is None:
        return None
    if node.op.name == "cast" and node.type.dtype.is_integer and node.inputs[0].type.dtype.is_float:
        if not _holds(node.type.dtype, values[0]):
            return None
    with np.errstate(all="ignore"):
        found = only_element(node.op.eager(*map(np.asarray, values), **node.kwargs))
    if node.op.name == "bitcast" and found != found:
        return None  # a constant keeps no bits of a NaN
    return full_as(node, found)


def _move_full(node: Node) -> Node | None:
    value = constant(node.inputs[0]) if isinstance(node.op.lower, Movement) else None
    return None if value is None else full_as(node, value)


def _evaluate_small(node: Node) -> Node | None:
    if any(is_symbolic(each.shape) for each in (node, *node.inputs)):
        return None
    size = node.type.size + sum(operand.type.size for operand in node.inputs)
    if not node.op.exact or isinstance(node.op.lower, Pointwise | Structural) or node.type.size == 0 or size > SMALL:
        return None
    values = _constants(node)
    if values is None:
        return None
    arrays = [np.full(operand.shape, value) for operand, value in zip(node.inputs, values, strict=True)]
    try:
        with np.errstate(all="ignore"):
            result = np.asarray(on_host(node.op.eager(*arrays, **node.kwargs))).reshape(-1)
    except IndexError:
        return None  # the program raises when it runs, not when it is compiled
    uniform = len({element.tobytes() for element in result}) == 1
    return full_as(node, result[0]) if uniform else None


def _where_known(node: Node) -> Node | None:
    condition = constant(node.inputs[0])
    if condition is None:
        return None
    return node.inputs[1] if condition else node.inputs[2]


RULES = (
    Rule("evaluate_uniform", "op(full(a), full(b)) => full(op(a, b)), op pointwise and exact", (), _evaluate_uniform),
    Rule("move_full", "reshape | permute | expand | slice (full(a)) => full(a)", (), _move_full),
    Rule("evaluate_small", "op(full(a), ...) => full(b) where its few elements are equal", (), _evaluate_small),
    Rule("where_known", "where(full(True), x, y) => x; where(full(False), x, y) => y", ("where",), _where_known),
)
