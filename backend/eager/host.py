"""The kernels of eager mode on the CPU: composites and derivative rules that NumPy computes in several passes.

Which of the two computes depends on the op, and on what its operands are: bits do not change in the midst of a
training. The one exception are more sizes than `MOST_SIZES` of what is made for each of them, as convolutions are. What
no kernel does is answered by NotImplemented, with nothing written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.config import config
from ...core.floors import LOG, asked
from ...core.user_line import user_line
from ...ops.random import RANDOM_INTEGERS
from ..compile import CompiledGraph
from .calls import EagerCall, EagerCalls, of_attributes
from .operands import EagerOperand, Ints
from .programs import Call, EagerGraph, drawn, stepped, written

if TYPE_CHECKING:
    from ...core.dtypes import DType
    from ...ops.derivative import Derivative
    from ...ops.registry import OpDef


MOST_SIZES = 12
"""Sizes for which a graph is made of one operation over equally many channels. A program whose pictures are all of
other sizes would pay for that in each step; NumPy computes what it meets later."""


class HostCalls(EagerCalls):
    """The operations on arrays of the CPU. See Note [Kernels of eager mode] in `calls.py`."""

    array = np.ndarray
    most_sizes = MOST_SIZES

    def __init__(self) -> None:
        super().__init__()
        self._told: set[tuple[str, str]] = set()
        """The operations, with reasons, of which the log has told."""

    def refused(self, key: Any, reason: str) -> None:
        """Tells the log, once for an operation and a reason."""
        if "hints" not in config.logs:
            return
        told = (_name_of(key), reason)
        if told not in self._told:
            self._told.add(told)
            asked(LOG)("hints", [f"{user_line()}: NumPy computes {told[0]}, since no kernel does: {reason}"])

    def built(self, compiled: CompiledGraph) -> Callable[[tuple[Any, ...]], Any]:
        """See `EagerCalls.built`."""
        plan = compiled.build()
        return lambda operands: plan(*operands)

    def operation(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """See `EagerCalls.operation`."""
        if not op.kernel_from.of_rows:
            return super().operation(op, operands, attrs)
        left, right, *added = operands
        found = super().operation(op, (_joined(left), right), attrs)
        if found is NotImplemented:
            return found
        if added:
            found += added[0]
        return found if left.ndim == 2 else found.reshape(*left.shape[:-1], found.shape[1])

    def gradients(
        self,
        rules: Derivative,
        g: Any,
        values: Mapping[str, Any],
        shapes: Sequence[tuple[int, ...]],
        dtypes: Sequence[DType],
        attrs: Mapping[str, Any],
    ) -> Any:
        """See `EagerCalls.gradients`."""
        if not rules.kernel_from.of_rows or g.ndim == 2:
            return super().gradients(rules, g, values, shapes, dtypes, attrs)
        rows = {name: _joined(each) for name, each in values.items()}
        left, *others = shapes
        joined = [(math.prod(left[:-1]), left[-1]), *others]
        found = super().gradients(rules, _joined(g), rows, joined, dtypes, attrs)
        if found is not NotImplemented and found[0] is not None:
            found[0] = found[0].reshape(left)
        return found

    def draw(self, op: OpDef, place: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """The result of an op that draws numbers, of the attribute `shape`; NotImplemented as `operation`.

        Draws are made in row-major order, so that one program serves all shapes.
        """
        shape, given = attrs["shape"], place
        fixed = {name: value for name, value in attrs.items() if name != "shape"}
        if op is RANDOM_INTEGERS:  # of another range with the same program
            low, high = fixed.pop("low"), fixed.pop("high")
            if high - low >= 2**64:
                return NotImplemented
            given = (*place, np.uint64(high - low), np.uint64(low % 2**64))
        count = (math.prod(shape),)
        what = (op, of_attributes(fixed))
        key = (what, count, *map(self.layout, given))

        def make(operands: list[EagerOperand], shapes: Sequence[Ints]) -> EagerGraph:
            return drawn(op, operands, shapes[0], fixed)

        call = self.found(key, what, given, make, [count])
        found = NotImplemented if call is None else call(given)
        return found if found is NotImplemented else found.reshape(shape)

    def formula(
        self, formula: Callable[..., Sequence[Any]], targets: Sequence[Any], operands: Sequence[Any]
    ) -> EagerCall | None:
        """The call that writes to targets what a formula gives, over an emitter, of their values and of operands; None
        where no kernel does. It takes all of them in a tuple, laid out as these examples are."""
        given = (*targets, *operands)
        what = (formula, len(targets))
        key = (what, *map(self.layout, given))
        return self.found(key, what, given, lambda found, _: written(formula, found, len(targets)))

    def step_row(
        self, body: tuple[Call, ...], row: Sequence[Any], numbers: Sequence[float], written: tuple[int, ...]
    ) -> bool:
        """Does the calls of a step in a row of arrays of one axis, in place; see `programs.stepped`. False, and nothing
        is done, where no kernel does them: as for arrays that share memory."""
        given = (*row, *map(float, numbers))
        what = ("step", body, written)
        key = (what, *map(self.layout, given))
        columns = len(row)
        call = self.found(key, what, given, lambda found, _: stepped(body, found, 1, columns, written))
        return call is not None and call(given) is not NotImplemented


def _name_of(key: Any) -> str:
    """The name of the op, the gradients, the step of an optimizer or the formula that a key is of."""
    first = key[0]
    while isinstance(first, tuple):
        first = first[0]
    if first == "step":
        return "a step of an optimizer"
    return first.name if hasattr(first, "name") else first.__name__.strip("_")  # type: ignore[no-any-return]


def _joined(array: Any) -> Any:
    """An array with all axes but the last joined to one; a copy where they do not lie so."""
    return array if array.ndim == 2 else array.reshape(math.prod(array.shape[:-1]), array.shape[-1])


CALLS = HostCalls()
