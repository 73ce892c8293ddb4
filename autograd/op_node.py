"""The tape: what an operation that requires grad leaves behind, one node for each op."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ..core import dtypes
from ..ops.derivative import operand_gradients, reads
from ..ops.emitter import ARRAYS
from ..ops.registry import OpDef
from ..tensor.quiet import quietly
from ..tensor.tensor import Tensor
from .edges import attach, edges_of
from .emitter import TENSORS
from .modes import MODES
from .node import Edge, Gradients, Node
from .saved import SavedTensor

RESULT = -1
"""Stands for the result among the positions of operands."""
_DTYPES = {each.numpy: each for each in dtypes.ALL}


class OpNode(Node):
    """The derivative of one op, applied once. It saves what the rules of the wanted operands read, and nothing else."""

    __slots__ = ("attrs", "dtypes", "op", "saved", "shapes", "wanted")

    op: OpDef
    attrs: Mapping[str, Any]
    saved: dict[str, SavedTensor | Any]
    """By operand name: the record of a tensor, or the Python number that the operand was."""
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[Any, ...]
    wanted: tuple[bool, ...]

    def __init__(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any], edges: tuple[Edge, ...]) -> None:
        super().__init__(edges)
        self.op = op
        self.attrs = attrs
        self.wanted = wanted = tuple([edge[0] is not None for edge in edges])
        self.shapes = tuple([each._array.shape if isinstance(each, Tensor) else () for each in operands])
        self.dtypes = tuple([_DTYPES[each._array.dtype] if isinstance(each, Tensor) else None for each in operands])
        self.saved = saved = {}
        for name, position in saved_positions(op, wanted):
            if position != RESULT:
                value = operands[position]
                saved[name] = SavedTensor(value) if isinstance(value, Tensor) else value

    def save_result(self, result: Tensor) -> None:
        """Saves `result` if the rules read it; it is this node's output already."""
        for name, position in saved_positions(self.op, self.wanted):
            if position == RESULT:
                self.saved[name] = SavedTensor(result, is_output=True)

    def name(self) -> str:
        """The op's name in PyTorch with ``Backward0``."""
        return self.op.grad_name + "Backward0"

    def apply(self, gradients: Gradients) -> Gradients:
        """The gradients of the operands. Errors: RuntimeError if one does not have its operand's shape."""
        g = gradients[0]
        if g is None:
            return (None,) * len(self.edges)
        try:
            if MODES.grad_enabled:
                return self._differentiable(g)
            return self._plain(g)
        except ValueError as error:
            raise RuntimeError(f"{self.name()} could not compute its gradient: {error}") from error

    def _plain(self, g: Tensor) -> Gradients:
        values = {
            name: each.unpack_array(self) if type(each) is SavedTensor else each for name, each in self.saved.items()
        }
        op, wanted, shapes = self.op, self.wanted, self.shapes
        found = quietly(
            operand_gradients, op, ARRAYS, g._array, wanted, values, shapes, self.dtypes, self.attrs
        )
        answer: list[Tensor | None] = []
        for place, array in enumerate(found):
            if array is None:
                answer.append(None)
            elif array is g._array:
                answer.append(g)
            else:
                if type(array) is not np.ndarray:
                    array = np.asarray(array)
                answer.append(Tensor._wrap(self._fitted(array, place)))
        return tuple(answer)

    def _fitted(self, array: Any, place: int) -> Any:
        """`array` in the dtype of the operand at `place`. Errors: RuntimeError if it has another shape."""
        if array.shape != self.shapes[place]:
            raise RuntimeError(
                f"Function {self.name()} returned an invalid gradient at index {place} - got {list(array.shape)} but "
                f"expected shape compatible with {list(self.shapes[place])}"
            )
        wanted = self.dtypes[place].numpy
        return array if array.dtype is wanted else array.astype(wanted, copy=False)

    def _differentiable(self, g: Tensor) -> Gradients:
        values = {name: each.unpack(self) if type(each) is SavedTensor else each for name, each in self.saved.items()}
        found = operand_gradients(self.op, TENSORS, g, self.wanted, values, self.shapes, self.dtypes, self.attrs)
        for place, each in enumerate(found):
            if each is not None:
                self._fitted(each._array, place)
        return found

    def release(self) -> None:
        """Drops the saved tensors."""
        for each in self.saved.values():
            if type(each) is SavedTensor:
                each.release()

    def __getattr__(self, name: str) -> Any:
        """``_saved_<operand>``: the saved tensor, unpacked; ``_raw_saved_<operand>``: its record."""
        raw = name.startswith("_raw_saved_")
        operand = name.removeprefix("_raw_saved_" if raw else "_saved_")
        if operand == name or operand not in (*self.op.operands, "result"):
            raise AttributeError(f"{self.name()} has no attribute {name!r}")
        record = self.saved.get(operand)
        if raw:
            return record if isinstance(record, SavedTensor) else SavedTensor(None)
        return record.unpack(self) if isinstance(record, SavedTensor) else record


@cache
def saved_positions(op: OpDef, wanted: tuple[bool, ...]) -> tuple[tuple[str, int], ...]:
    """What the rules of the wanted operands read: names, each with the operand's position or RESULT."""
    return tuple(
        (name, RESULT if name == "result" else op.operands.index(name))
        for name in reads(op, wanted)
        if name == "result" or not op.variadic
    )


def record(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any], result: Tensor) -> None:
    """Makes `result` the output of a new node, if grad mode is on and the op has a derivative."""
    if not MODES.grad_enabled or op.vjp is None or result._array.dtype.kind != "f":
        return
    node = OpNode(op, operands, attrs, edges_of(operands))
    attach(result, node)
    node.save_result(result)


def record_view(op: OpDef, x: Tensor, attrs: Mapping[str, Any], view: Tensor) -> None:
    """Makes `view` a view of the base of `x`, and the output of a new node if `x` requires grad."""
    base = x._base
    view._base = x if base is None else base
    if not MODES.grad_enabled or (base is not None and x._path is None):
        return
    view._path = ((op, attrs),) if base is None else (*x._path, (op, attrs))  # type: ignore[misc]
    if x.requires_grad:
        attach(view, OpNode(op, (x,), attrs, edges_of((x,))))
    view._seen = view._version.value
