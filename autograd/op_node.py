"""The tape: what an operation that requires grad leaves behind, one node for each op."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.devices import HOST
from ..core.devices.arrays import ARRAY_TYPES, kernels_for
from ..core.devices.host_or_device import on_device, on_host
from ..core.dtypes import DType
from ..core.errors import NoArrayError, SparseError
from ..ops.derivative import Derivative, derivative
from ..ops.devices import TO_DEVICE
from ..ops.emitter import ARRAYS, UFUNCS
from ..ops.pointwise import CAST
from ..ops.registry import OpDef
from ..tensor.devices import placed_on
from ..tensor.host_kernels import gradients
from ..tensor.ignored_errstate import IGNORING, ignoring_errstate, is_inside
from ..tensor.narrow import widened
from ..tensor.promotion import to_dtype
from ..tensor.tensor import DIFFERENTIABLE_KINDS, DTYPES, Array, Tensor
from ..tensor.version import UncountedError
from .edges import edges_of
from .emitter import TENSORS
from .history import attach
from .modes import MODES
from .node import Edge, Gradients, Node, next_sequence
from .raw_gradients import as_tensor, as_tensors
from .saved import SavedTensor

_ndarray = np.ndarray
_NUMBER = np.zeros(())
"""Stands for a Python number where the shape and dtype of an operand are noted; its gradient is never asked for."""


class OpNode(Node):
    """The derivative of one op, applied once. It saves what the rules of the wanted operands read, and nothing else."""

    __slots__ = ("attrs", "derivative", "kinds", "op", "saved", "shapes")

    op: OpDef
    attrs: Mapping[str, Any]
    saved: dict[str, SavedTensor | Any]
    """By operand name: the record of a tensor, or the Python number that the operand was."""
    shapes: list[tuple[int, ...]]
    kinds: list[Any]
    """NumPy's dtypes of the operands."""
    derivative: Derivative
    """The rules of the operands whose gradients are wanted."""

    def __init__(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any], edges: tuple[Edge, ...]) -> None:
        # One pass and no calls that could be avoided: this is what recording an operation costs.
        self.edges = edges
        self.sequence = next_sequence()
        self.prehooks = self.posthooks = self.tensor_hooks = self.retaining = self._metadata = None
        self.op = op
        self.attrs = attrs
        self.shapes = shapes = []
        self.kinds = kinds = []
        for operand in operands:
            array = operand._array if isinstance(operand, Tensor) else _NUMBER
            shapes.append(array.shape)
            kinds.append(array.dtype)
        self.derivative = rules = derivative(op, tuple([edge[0] is not None for edge in edges]))
        self.saved = saved = {}
        for name, position in rules.operands:
            value = operands[position]
            saved[name] = SavedTensor(value, False, self, name) if isinstance(value, Tensor) else value

    @property
    def dtypes(self) -> list[DType]:
        """The dtypes of the operands."""
        return [DTYPES[each] for each in self.kinds]

    def save_result(self, result: Tensor) -> None:
        """Saves `result`, which is this node's output already, if the rules read it."""
        if self.derivative.reads_result:
            self.saved["result"] = SavedTensor(result, True, self, "result")

    def name(self) -> str:
        """The op's name in PyTorch with ``Backward0``."""
        return self.op.grad_name + "Backward0"

    def apply(self, gradients: Gradients) -> Gradients:
        """The gradients of the operands. Errors: RuntimeError if one does not have its operand's shape."""
        return tuple(as_tensors(self.step(list(gradients))))

    def step(self, cell: list[Any]) -> list[Any]:
        """The gradients of the operands for a gradient in `cell`; all may be raw. Errors: those of `apply`."""
        g = cell[0]
        if g is None:
            return [None] * len(self.edges)
        try:
            return self._differentiable(as_tensor(g)) if MODES.grad_enabled else self._plain(g)
        except NoArrayError:
            return self._of_sparse(as_tensor(g))
        except ValueError as error:
            raise RuntimeError(f"{self.name()} could not compute its gradient: {error}") from error

    def _plain(self, g: Any) -> list[Any]:
        values = {}
        for name, each in self.saved.items():
            values[name] = each.unpack_array(self) if each.__class__ is SavedTensor else each
        array = g if isinstance(g, np.ndarray) else g._array
        if array.itemsize < 4:
            return self._narrow(array, values)
        shapes, kinds, rules = self.shapes, self.kinds, self.derivative
        dtypes = self.dtypes if rules.reads_dtypes else ()
        least = rules.kernel_from.gradients
        if least is not None and (array.size >= least or self._longest() >= least):
            found = gradients(rules, array, values, shapes, self.dtypes, self.attrs)
            if found is not NotImplemented:
                return [g if each is array else each for each in found]
        f = UFUNCS if array.ndim else ARRAYS
        try:
            answers = IGNORING.run(rules.apply, f, array, values, shapes, dtypes, self.attrs)
        except RuntimeError as error:
            if not is_inside(error):
                raise
            answers = rules.apply(f, array, values, shapes, dtypes, self.attrs)
        passed_on = 0
        for place, each in enumerate(answers):
            if each is array:
                answers[place] = g
                passed_on += 1
            elif each is not None and not (
                each.__class__ is np.ndarray and each.dtype is kinds[place] and each.shape == shapes[place]
            ):
                answers[place] = self._fitted(each, place)
        if passed_on > 1 and array is g:  # for several operands it is one tensor
            g = as_tensor(g)
            answers = [g if each is array else each for each in answers]
        return answers

    def _longest(self) -> int:
        """The elements of the longest operand."""
        return max(map(math.prod, self.shapes))

    def _narrow(self, g: Array, values: Mapping[str, Any]) -> list[Any]:
        """The gradients of the operands for one in a narrow float: computed in float32, each of them rounded once."""
        wide = {name: widened(each) for name, each in values.items()}
        answers = ignoring_errstate(
            self.derivative.apply, ARRAYS, widened(g), wide, self.shapes, self.dtypes, self.attrs
        )
        return [None if each is None else self._fitted(each, place) for place, each in enumerate(answers)]

    def _differentiable(self, g: Tensor) -> list[Any]:
        found = self._by_tensors(g)
        for place, each in enumerate(found):
            if each is not None and each.shape != self.shapes[place]:
                raise self._misfit(each.shape, place)
        return found

    def _of_sparse(self, g: Tensor) -> list[Any]:
        """The gradients of the operands where `g` is sparse, by what the rules' operations make of sparse tensors."""
        try:
            found = self._by_tensors(g)
        except SparseError:
            raise SparseError(f"{self.name()} cannot take a sparse gradient; use sparse=False, or a leaf") from None
        for place, each in enumerate(found):
            if each is not None and each.shape != self.shapes[place]:
                raise self._misfit(each.shape, place)
        return [None if each is None else to_dtype(each, dtype) for each, dtype in zip(found, self.dtypes)]

    def _by_tensors(self, g: Tensor) -> list[Any]:
        """The gradients that the rules give, written with operations on tensors."""
        values = {name: each.unpack(self) if type(each) is SavedTensor else each for name, each in self.saved.items()}
        return self.derivative.apply(TENSORS, g, values, self.shapes, self.dtypes, self.attrs)

    def _fitted(self, array: Array, place: int) -> Array:
        """`array` in the dtype of the operand at `place`. Errors: RuntimeError if it has another shape."""
        if not isinstance(array, np.ndarray):
            array = np.asarray(array)
        if array.shape != self.shapes[place]:
            raise self._misfit(array.shape, place)
        kind = self.kinds[place]
        return array if array.dtype == kind else CAST.eager(array, dtype=DTYPES[kind])

    def _misfit(self, shape: tuple[int, ...], place: int) -> RuntimeError:
        return RuntimeError(
            f"Function {self.name()} returned an invalid gradient at index {place} - got {list(shape)} but "
            f"expected shape compatible with {list(self.shapes[place])}"
        )

    def release(self) -> None:
        """Drops the saved tensors."""
        for each in self.saved.values():
            if each.__class__ is SavedTensor:
                each.release()

    def __getattr__(self, name: str) -> Any:
        """``_saved_<operand>``: the saved tensor, unpacked; ``_raw_saved_<operand>``: its record."""
        raw = name.startswith("_raw_saved_")
        operand = name.removeprefix("_raw_saved_" if raw else "_saved_")
        if operand == name or operand not in (*self.op.operands, "result"):
            raise AttributeError(f"{self.name()} has no attribute {name!r}")
        record = self.saved.get(operand)
        if raw:
            return record.known_as(self, operand) if isinstance(record, SavedTensor) else SavedTensor(None)
        return record.unpack(self) if isinstance(record, SavedTensor) else record


class PlacedOpNode(OpNode):
    """The derivative of an op with operands or a result on a device; each gradient comes to the device of its operand.

    The rules may give constants, which are on the host.
    """

    __slots__ = ("devices",)

    def __init__(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any], edges: tuple[Edge, ...]) -> None:
        super().__init__(op, operands, attrs, edges)
        self.devices = [each.device if isinstance(each, Tensor) else HOST for each in operands]

    def _plain(self, g: Any) -> list[Any]:
        """See `OpNode._plain`: kernels compute, or the host of copies, once for all operands."""
        given, values = g if isinstance(g, ARRAY_TYPES) else g._array, {}
        for name, each in self.saved.items():
            values[name] = each.unpack_array(self) if type(each) is SavedTensor else each
        kernels = None if self.op is TO_DEVICE else kernels_for((given,))
        if kernels is not None:
            found = kernels.gradients(self.derivative, given, values, self.shapes, self.dtypes, self.attrs)
            if found is not NotImplemented:
                if any(each is given for each in found):
                    g = as_tensor(g)  # for several operands it is one tensor
                return [g if each is given else each for each in found]
        array = on_host(given)
        values = {name: on_host(each) for name, each in values.items()}
        if type(given) is not np.ndarray:
            from ..core.devices.host_computation import note  # of no use without a device

            note(self.name())
        if array.itemsize < 4:
            return self._narrow(array, values)
        answers = ignoring_errstate(self.derivative.apply, ARRAYS, array, values, self.shapes, self.dtypes, self.attrs)
        g = as_tensor(g)
        for place, each in enumerate(answers):
            if each is array:
                answers[place] = g
            elif each is not None:
                answers[place] = self._fitted(each, place)
        return answers

    def step(self, cell: list[Any]) -> list[Any]:
        """See `OpNode.step`."""
        answers = super().step(cell)
        for place, (each, device) in enumerate(zip(answers, self.devices)):
            if isinstance(each, ARRAY_TYPES):
                answers[place] = on_device(each, device)
            elif each is not None:
                answers[place] = placed_on(device, each)
        return answers


def node_of(
    op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any], edges: tuple[Edge, ...], result: Tensor
) -> OpNode:
    """The node of which `result` is to be the output."""
    if type(result._array) is _ndarray and op is not TO_DEVICE:
        return OpNode(op, operands, attrs, edges)
    return PlacedOpNode(op, operands, attrs, edges)


def record(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any], result: Tensor) -> None:
    """Makes `result` the output of a new node, if grad mode is on and the op has a derivative."""
    if not MODES.grad_enabled or op.vjp is None or result._array.dtype.kind not in DIFFERENTIABLE_KINDS:
        return
    node = node_of(op, operands, attrs, edges_of(operands), result)
    result._node = node
    result._requires_grad = True
    if node.derivative.reads_result:
        node.saved["result"] = SavedTensor(result, True, node, "result")


def record_view(op: OpDef, x: Tensor, attrs: Mapping[str, Any], view: Tensor) -> None:
    """Makes `view` a view of the base of `x`, and the output of a new node if `x` requires grad."""
    base = x._base
    view._base = x if base is None else base
    if not MODES.grad_enabled or (base is not None and x._path is None):
        return
    if x.requires_grad:
        attach(view, node_of(op, (x,), attrs, edges_of((x,)), view))
    try:
        view._seen = view._counter.value
    except UncountedError:  # outside of inference mode nobody can write it, so there is nothing to follow
        return
    view._path = (op, attrs, x._path)
