"""Adding a gradient to a leaf's `.grad`, in the layout of the leaf, without a copy where nobody else holds it."""

# Note [Stealing a gradient]
# The first gradient of a leaf becomes its `.grad` as it is, if nobody can tell: no variable, container, hook or record
# refers to it, and it lies in memory as the leaf does. Python's reference counts answer the first question. They are
# taken of an object in a list of one entry, whose count when nothing else refers to it was measured by the same
# function, so that nothing depends on how many references an interpreter's own frames happen to hold.
# Of a sparse gradient, indices and values are taken over in the same way, by a new sparse tensor.

from __future__ import annotations

import sys
import threading
import warnings
from typing import Any

import numpy as np

from ..core.devices.arrays import ARRAY_TYPES, DeviceArray
from ..core.devices.host_or_device import beside, empty_beside
from ..core.devices.memory import DeviceMemory
from ..core.types import contiguous_strides
from ..core.watched_slots import set_grad
from ..ops.activations import ALIAS
from ..ops.pointwise import ADD
from ..tensor.dispatch import apply, apply_
from ..tensor.ignored_errstate import IGNORING, ignoring_errstate, is_inside
from ..tensor.narrow import adding
from ..tensor.sparse_tensor import SparseTensor
from ..tensor.tensor import Array, Tensor
from ..tensor.writes import WRITES, announce
from .error_notes import ANOMALY
from .hooks import run_accumulated_hooks
from .modes import MODES
from .node import Gradients, Node
from .raw_gradients import as_tensors

_ACCUMULATING = threading.RLock()
"""Held while a leaf's `.grad` changes: NumPy lets other threads run in the midst of an addition."""
_AFTER_ALL_OTHERS = 2**64
"""Accumulators run as soon as they are ready."""


class AccumulateGrad(Node):
    """Adds the gradient it gets to ``variable.grad``."""

    __slots__ = ("variable",)

    def __init__(self, variable: Tensor) -> None:
        # What `Node` does, without a call: each leaf gets a new one for every graph.
        self.edges = ()
        self.sequence = _AFTER_ALL_OTHERS
        self.prehooks = self.posthooks = self.tensor_hooks = self.retaining = self._metadata = None
        self.variable = variable
        if ANOMALY.enabled:
            ANOMALY.annotate(self)

    def apply(self, gradients: Gradients) -> Gradients:
        """Accumulates; there is nothing before a leaf. The engine takes a `step`, which may steal."""
        self.accumulate(list(gradients))
        return ()

    def step(self, cell: list[Any]) -> list[Any]:
        """Takes the gradient out of `cell` and accumulates it."""
        self.accumulate(cell)
        return []

    def accumulate(self, cell: list[Any]) -> None:
        """Takes the gradient out of `cell`, which may be raw, and adds it to the leaf's; a None changes nothing."""
        if cell[0] is None:
            return
        leaf = self.variable
        if MODES.grad_enabled:
            _accumulate_recorded(leaf, as_tensors(cell)[0])
        elif cell[0].__class__ is np.ndarray:
            steal = leaf._grad is None and _owned(cell)
            accumulate_grad(leaf, cell.pop(), steal=steal)
        elif type(cell[0]) is SparseTensor:
            _accumulate_sparse(leaf, cell, leaf._grad is None and _references(cell) == _ALONE)
        else:
            first = leaf._grad is None
            if not isinstance(cell[0], ARRAY_TYPES):
                first = first and _references(cell) == _ALONE
                cell[0] = cell[0]._array
            steal = first and _owned(cell)
            accumulate_grad(leaf, cell.pop(), steal=steal)
        if leaf._hooks is not None:
            run_accumulated_hooks(leaf)


def accumulate_grad(leaf: Tensor, gradient: Array, *, steal: bool = False) -> None:
    """Adds `gradient` to `leaf.grad`; recorded nowhere.

    steal: nobody else refers to the memory of `gradient`, so it may become `leaf.grad` itself.
    Errors: RuntimeError for a gradient of another shape.
    """
    array = leaf._array
    if gradient.shape != array.shape:
        raise RuntimeError(f"a leaf of shape {list(leaf.shape)} was given a gradient of shape {list(gradient.shape)}")
    if type(gradient) is not type(array):
        gradient, steal = beside(gradient, array), True
    with _ACCUMULATING:
        grad = leaf._grad
        if grad is None or type(grad) is SparseTensor:
            if not (steal and gradient.dtype is array.dtype and obeys_layout(array, gradient)):
                gradient = laid_out_as(array, gradient)
            if type(grad) is SparseTensor:
                _scatter(gradient, grad._indices()._array, grad._values()._array)
            grad = Tensor._wrap(gradient)
            if type(gradient.base) is type(gradient):
                grad._storage = gradient.base
            set_grad(leaf, grad)
            return
        counter = grad._counter
        version = counter.value  # an error for an inference tensor, before anything is written
        if WRITES.observers is not None:
            announce(grad)
        total = grad._array
        add = adding(total)
        try:
            IGNORING.run(add, total, gradient, total)
        except RuntimeError as error:
            if not is_inside(error):
                raise
            add(total, gradient, total)
        counter.value = version + 1
    if total.strides != array.strides:
        _warn_of_layout(array, total)


def _accumulate_sparse(leaf: Tensor, cell: list[SparseTensor], alone: bool) -> None:
    """Takes the sparse gradient out of `cell` and adds it to `leaf.grad`, in place; recorded nowhere.

    alone: nobody else refers to it, so `leaf.grad` may take over what it is made of.
    Errors: RuntimeError for a gradient of another shape.
    """
    size, merged = cell[0].shape, cell[0].is_coalesced()
    if size != leaf._array.shape:
        raise RuntimeError(f"a leaf of shape {list(leaf.shape)} was given a gradient of shape {list(size)}")
    places, values = cell[0]._indices()._array, cell[0]._values()._array
    cell.clear()
    with _ACCUMULATING:
        grad = leaf._grad
        if grad is not None and not grad.is_sparse:
            version = grad._counter.value
            if WRITES.observers is not None:
                announce(grad)
            _scatter(grad._array, places, values)
            grad._counter.value = version + 1
            return
        if grad is None and not (alone and _owned([places], 1) and _owned([values], 1) and _in_rows(places, values)):
            places, values = places.copy(), values.copy()
        values = values.astype(leaf._array.dtype, copy=False)
        new = SparseTensor(Tensor._wrap(places), Tensor._wrap(values), size, merged)
        set_grad(leaf, new if grad is None else apply_(ADD, grad, new))


def _scatter(dense: Array, places: Array, values: Array) -> None:
    """Adds each of `values` to `dense` at its place."""
    ignoring_errstate(np.add.at, dense, tuple(places), values)


def _in_rows(*arrays: Array) -> bool:
    return all(each.flags.c_contiguous for each in arrays)


def _accumulate_recorded(leaf: Tensor, gradient: Tensor) -> None:
    """Adds a gradient to `leaf`'s `.grad` under create_graph: out of place, and with history."""
    while True:
        grad = leaf._grad
        total = _first_recorded(leaf, gradient) if grad is None else _sum_recorded(grad, gradient)
        if exchange_grad(leaf, grad, total):
            return


def _sum_recorded(grad: Tensor, gradient: Tensor) -> Tensor:
    dense_first = grad.is_sparse and not gradient.is_sparse
    total: Tensor = apply(ADD, gradient, grad) if dense_first else apply(ADD, grad, gradient)
    return total


def _first_recorded(leaf: Tensor, gradient: Tensor) -> Tensor:
    copy: Tensor = apply(ALIAS, gradient)
    if not copy.is_sparse and not obeys_layout(leaf._array, copy._array):
        copy._array = copy._storage = laid_out_as(leaf._array, copy._array)
    return copy


def exchange_grad(tensor: Tensor, expected: Tensor | None, new: Tensor) -> bool:
    """Makes `new` the `.grad` of `tensor` if that is `expected` still; otherwise another thread was faster.

    No lock is held while a sum is recorded: that may run hooks, which may wait for another thread.
    """
    with _ACCUMULATING:
        if tensor._grad is not expected:
            return False
        set_grad(tensor, new)
        return True


# Who else refers to a gradient.


def _references(cell: list[Any]) -> int:
    return sys.getrefcount(cell[0])


_ALONE = _references([object()])
_STRIDED: type = type(np.lib.stride_tricks.as_strided(np.zeros(1), (1,)).base)
"""The type that NumPy puts between an array with strides of one's own choice and the memory it lies in."""


def _owned(cell: list[Array], others: int = 0) -> bool:
    """Whether `cell` and so many `others` of the caller's alone refer to its array, and to the memory that lies in."""
    if _references(cell) != _ALONE + others:
        return False
    array = cell[0]
    base: Any = array.base
    if type(array) is DeviceArray:  # type: ignore[comparison-overlap]
        return base is None and _is_whole(array)
    if base is None:
        flags = array.flags
        return bool(flags.owndata and flags.writeable)
    if not array.flags.writeable:
        return False
    # It is a view: of what only it refers to, through views that only it refers to.
    while _references([base]) == _ALONE + 2:  # the view and `base` itself
        if type(base) is np.ndarray and base.base is None:
            return bool(base.flags.owndata)
        if type(base) not in (np.ndarray, _STRIDED):
            return False
        base = base.base
    return False


def _is_whole(array: Any) -> bool:
    """Whether an array on a device is all of a block to which it alone refers."""
    memory = array.memory
    return type(memory) is DeviceMemory and array.nbytes == memory.nbytes and _references([memory]) == _ALONE + 2


# Layout.


def obeys_layout(leaf: Array, gradient: Array) -> bool:
    """Whether `gradient` has the strides that the `.grad` of `leaf` shall have; axes of size 1 take any but 0."""
    if gradient.strides == leaf.strides and leaf.flags.c_contiguous and 0 not in leaf.strides:
        return True  # the usual case, found soon
    wanted = wanted_strides(leaf)
    return all(
        have == want if size != 1 else have != 0 for have, want, size in zip(gradient.strides, wanted, gradient.shape)
    )


def wanted_strides(leaf: Array) -> tuple[int, ...]:
    """The strides of a first gradient, in bytes.

    Those of the leaf if its elements fill its memory without overlap, else those of rows one after the other.
    """
    if leaf.flags.c_contiguous or _fills_its_memory(leaf):
        return leaf.strides
    return tuple(leaf.itemsize * step for step in contiguous_strides(leaf.shape))


def _fills_its_memory(array: Array) -> bool:
    step = array.itemsize
    for stride, size in sorted(zip(array.strides, array.shape)):
        if size == 1:
            continue
        if stride != step:
            return False
        step *= size
    return True


_warned = False


def _warn_of_layout(leaf: Array, gradient: Array) -> None:
    """Says once in a process that a gradient lies otherwise than its leaf, which costs time and changes no result."""
    global _warned
    if _warned or obeys_layout(leaf, gradient):
        return
    _warned = True
    warnings.warn(
        "a gradient does not obey the layout contract, by which it lies in memory as its leaf does; this costs time. "
        f"The leaf has sizes {list(leaf.shape)} and strides {list(_in_elements(leaf))}, its gradient has sizes "
        f"{list(gradient.shape)} and strides {list(_in_elements(gradient))}",
        stacklevel=2,
    )


def _in_elements(array: Array) -> tuple[int, ...]:
    return tuple(step // array.itemsize for step in array.strides)


def laid_out_as(leaf: Array, gradient: Array) -> Array:
    """A copy of `gradient` in the layout that the `.grad` of `leaf` shall have."""
    wanted = wanted_strides(leaf)
    order = sorted(range(leaf.ndim), key=lambda axis: -wanted[axis])
    copy = empty_beside(leaf, [leaf.shape[axis] for axis in order], leaf.dtype).transpose(np.argsort(order))
    np.copyto(copy, gradient)
    return copy
