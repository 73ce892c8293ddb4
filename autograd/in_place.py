"""In-place operations on the tape: which are refused, and how the history of a tensor, or of a view's base, goes on."""

# Note [In-place on a view]
# Writing through a view changes its base, so the base gets a new node, `CopySlices`: of the gradient of the base it
# hands the viewed part to the node of the in-place op, and puts what that gives for the view's old value back in place.
# All views of the base, the written one included, find their own nodes again when they are next asked for them (see
# `history.current_node`).

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.dtypes import bool_, int64
from ..core.records import dataclass
from ..ops.derivative import derivative, sum_to
from ..ops.diagonals import DIAGONAL, on_diagonal
from ..ops.emitter import Emitter
from ..ops.indexing import SLICE_STORE
from ..ops.movement import AS_STRIDED, EXPAND, PERMUTE, RESHAPE, SLICE
from ..ops.pointwise_gradients import zero
from ..ops.registry import Composite, OpDef
from ..ops.shape_gradients import permute_rule
from ..tensor.refused_operands import writable_array
from ..tensor.tensor import Tensor
from ..tensor.version import VersionCounter
from .edges import edge_of, edges_of
from .emitter import TENSORS
from .history import current_node, is_of_function, is_retaining, keep_retaining, move_to, steps
from .modes import MODES
from .node import Edge, Gradients, Node
from .op_node import OpNode, node_of

Path = Sequence[tuple[OpDef, Mapping[str, Any]]]


class CopyBackward(Node):
    """The derivative of ``x[...] = value``: nothing for what `x` was, everything for `value`."""

    __slots__ = ("dtype", "shape")

    def __init__(self, old: Tensor, value: Any) -> None:
        super().__init__(edges_of((old, value)))
        self.shape = value.shape if isinstance(value, Tensor) else ()
        self.dtype = value.dtype if isinstance(value, Tensor) else None

    def name(self) -> str:
        """Its name in PyTorch."""
        return "CopyBackwards"

    def apply(self, gradients: Gradients) -> Gradients:
        """Zeros for the old value, and the gradient summed to the shape of what was copied."""
        return (None, None) if gradients[0] is None else self.written_with(TENSORS, gradients[0])

    def written_with(self, f: Emitter, g: Any) -> tuple[Any, Any]:
        """The gradients of the old value and of what was copied, for a gradient that is there, written with `f`."""
        old = zero(f, g) if self.edges[0][0] is not None else None
        if self.edges[1][0] is None:
            return old, None
        value = sum_to(f, g, self.shape)
        return old, value if f.dtype(value) is self.dtype else f.cast(value, dtype=self.dtype)


class CopySlices(Node):
    """The derivative of a write through a view of its base; `inner` is that of the write itself."""

    __slots__ = ("inner", "path")

    def __init__(self, base_edge: Edge, path: Path, inner: Node) -> None:
        super().__init__((base_edge, *inner.edges[1:]))
        self.path = path
        self.inner = inner

    def apply(self, gradients: Gradients) -> Gradients:
        """The gradient of the base as it was, then those of the other operands of the write."""
        g = gradients[0]
        if g is None:
            return (None,) * len(self.edges)
        return self.written_with(TENSORS, g, lambda part: self.inner.apply((part,)))

    def written_with(self, f: Emitter, g: Any, inner: Callable[[Any], Sequence[Any]]) -> tuple[Any, ...]:
        """The gradients of the base and of the other operands, for a gradient that is there, written with `f`.

        inner: gives the gradients of the write itself.
        """
        viewed = _follow(f, g, self.path)
        part, *others = inner(viewed)
        if self.edges[0][0] is None:
            return (None, *others)
        return (_put_back(f, g, zero(f, viewed) if part is None else part, self.path), *others)

    def release(self) -> None:
        """Drops what the write saved."""
        self.inner.release()


def _follow(f: Emitter, x: Any, path: Path) -> Any:
    for op, attrs in path:
        x = _step(f, op, x, attrs)
    return x


def _step(f: Emitter, op: OpDef, x: Any, attrs: Mapping[str, Any]) -> Any:
    """The part of `x` that a step of a path shows: a gradient, which may lie in memory otherwise than the base."""
    return op.lower.expand(f, x) if isinstance(op.lower, Composite) else f.apply(op, x, **attrs)


def _put_back(f: Emitter, whole: Any, part: Any, path: Path) -> Any:
    """`whole` with what `path` leads to replaced by `part`."""
    levels = [whole]
    for op, attrs in path[:-1]:
        levels.append(_step(f, op, levels[-1], attrs))
    viewed = f.shape(part)
    for place, (op, attrs) in reversed(list(enumerate(path))):
        level = levels[place]
        shape = f.shape(level)
        if isinstance(op.lower, Composite):
            assert op.lower.put_back is not None, op
            part = op.lower.put_back(f, level, part)
        elif op is SLICE:
            part = f.apply(SLICE_STORE, level, part, **attrs)
        elif op is EXPAND:
            # Of the elements that are one in memory, at most one was written.
            nowhere = f.full(value=False, shape=f.shape(part), dtype=bool_)
            written = f.full(value=True, shape=viewed, dtype=bool_)
            there = _put_back(f, nowhere, written, path[place + 1 :]) if path[place + 1 :] else written
            put = sum_to(f, f.where(there, part, zero(f, part)), shape)
            counted = sum_to(f, f.cast(there, dtype=int64), shape)
            part = f.where(f.not_equal(counted, 0), put, level)
        elif op is PERMUTE:
            part = permute_rule(f, part, **attrs)
        elif op is DIAGONAL:
            everywhere = f.full(value=True, shape=f.shape(part), dtype=bool_)
            there = on_diagonal(f, everywhere, shape, **attrs)
            part = f.where(there, on_diagonal(f, part, shape, **attrs), level)
        elif op is AS_STRIDED:
            part = _put_at(f, level, part, attrs)
        else:
            part = f.apply(RESHAPE, part, shape=shape)
    return part


def _put_at(f: Emitter, level: Any, part: Any, attrs: Mapping[str, Any]) -> Any:
    """The vector `level` with the elements that `as_strided` sees replaced by `part`.

    Errors: RuntimeError where it sees an element twice: which of two values it then has is not said.
    """
    (size,) = f.shape(level)
    count = math.prod(attrs["shape"])
    seen = AS_STRIDED.eager(np.arange(size), **attrs)
    if len(np.unique(seen)) < count:
        raise RuntimeError(
            "a write through as_strided() that sees an element twice has no derivative; clone() it first"
        )
    places = f.arange(start=0, step=1, size=size, dtype=int64)
    places = f.reshape(f.apply(AS_STRIDED, places, **attrs), shape=(count,))
    nothing = zero(f, level)
    put = f.scatter_add(nothing, places, f.reshape(part, shape=(count,)), axis=0)
    hits = f.scatter_add(f.cast(nothing, dtype=int64), places, f.full(value=1, shape=(count,), dtype=int64), axis=0)
    return f.where(f.not_equal(hits, 0), put, level)


@dataclass(slots=True)
class _PendingWrite:
    """A write that is about to happen, and its node."""

    node: Node
    edge: Edge
    """The edge along which the gradient of the written tensor's base went before."""
    before: _Before | None = None
    """The state to go back to when a pack hook refuses the result; None where no hook will see it."""


class _Before:
    """A tensor about to be written: its elements, version and history, and those of its base."""

    __slots__ = ("array", "histories", "version", "x")

    def __init__(self, x: Tensor) -> None:
        self.x = x
        self.array = x._array.copy()
        self.version = x._counter.value
        self.histories = [
            (each, each._node, each._output_nr, each._requires_grad, each._seen, is_retaining(each))
            for each in (x, x._base)
            if each is not None
        ]

    def restore(self) -> None:
        """Makes all of it what it was."""
        array = self.x._array
        (array if array.flags.writeable else writable_array(self.x))[...] = self.array
        self.x._counter.value = self.version
        for each, node, output_nr, requires_grad, seen, retaining in self.histories:
            each._node, each._output_nr, each._requires_grad, each._seen = node, output_nr, requires_grad, seen
            if retaining:
                keep_retaining(each)


def open_write(op: OpDef, x: Tensor, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> _PendingWrite | None:
    """The history that `x` gets if ``op(x, *operands)`` is written to it; None if nothing is to be recorded.

    Errors: those of `is_recorded`, and of a pack hook that is shown an operand; then nothing has changed.
    """
    if not is_recorded(x, operands):
        return None
    operands = (x, *operands)
    edges = edges_of(operands)
    old = x._alias()
    rules = derivative(op, tuple(node is not None for node, _ in edges))
    reads_old = any(operands[position] is x for _, position in rules.operands)
    if reads_old:
        old._array = old._storage = x._array.copy()
        old._counter = VersionCounter()
    _continue(old, x)
    node = node_of(op, tuple(old if each is x else each for each in operands), attrs, edges, x)
    pending = _PendingWrite(node, edge_of(x if x._base is None else x._base))
    if MODES.hooks is not None and rules.reads_result:
        pending.before = _Before(x)
    return pending


def open_assignment(x: Tensor, value: Any) -> _PendingWrite | None:
    """The history that `x` gets if ``x[...] = value`` is done; None if nothing is to be recorded."""
    if not is_recorded(x, (value,)):
        return None
    return _PendingWrite(CopyBackward(x, value), edge_of(x if x._base is None else x._base))


def close_write(pending: _PendingWrite, x: Tensor) -> None:
    """Gives `x`, which has been written, the history that `open_write` prepared.

    Errors: those of a pack hook that is shown the result; then `x` is what it was before.
    """
    node = pending.node
    base = x._base
    if base is None:
        move_to(x, node)
    else:
        move_to(base, CopySlices(pending.edge, steps(x._path), node))
        current_node(x)
    if not isinstance(node, OpNode):
        return
    try:
        node.save_result(x)
    except BaseException:
        if pending.before is not None:
            pending.before.restore()
        raise


def is_recorded(x: Tensor, operands: tuple[Any, ...]) -> bool:
    """Whether a write to `x` has to be recorded.

    Errors: RuntimeError for a leaf that requires grad, a view of one, a view made under `no_grad` or returned by a
        custom function, and a view whose base has got other memory since.
    """
    if not MODES.grad_enabled:
        return False
    base = x._base
    if base is not None and x._path is None:
        if base.requires_grad or _any_requires_grad(operands):
            raise RuntimeError(
                "A view was created in no_grad mode and is being modified inplace with grad mode enabled. It is not "
                "clear whether that shall be recorded: put both inside the no_grad block, or both outside"
            )
        return False
    if base is not None and base._storage is not x._storage and (x.requires_grad or _any_requires_grad(operands)):
        raise RuntimeError(
            "a view is being modified inplace whose base has got other memory since the view was taken (by resize_, or "
            "by assigning to its data): the write would become part of the history of what it does not change. Take "
            "the view again"
        )
    if base is not None and is_of_function(x):
        raise RuntimeError(
            "the output of a custom Function is a view and is being modified inplace. The view was created inside of "
            "the Function, or an input was returned as-is, and the write would go past the custom backward. Clone the "
            "output of the custom Function before writing to it"
        )
    if x.requires_grad:
        if current_node(x) is None:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        if base is not None and base._requires_grad and base.is_leaf:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
        return True
    return x.dtype.is_differentiable and _any_requires_grad(operands)


def _any_requires_grad(operands: tuple[Any, ...]) -> bool:
    return any(isinstance(each, Tensor) and each.requires_grad for each in operands)


def _continue(old: Tensor, x: Tensor) -> None:
    """Makes `old` stand for what `x` was, history included."""
    old._node = current_node(x)
    old._output_nr = x._output_nr
    old._requires_grad = x.requires_grad
