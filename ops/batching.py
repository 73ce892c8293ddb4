"""Many calls of an op at once: operands with an axis in front, one entry for each call, and a result with that axis.

What an op makes of a batch follows from its declaration: a pointwise op works along the new axis as along any other, a
reduction has its axes moved by one, a composite without a rule of its own is computed by what it is made of. The rules
of the others stand in `batching_rules`. All are written over an emitter, as derivatives are: one text serves tensors
and graphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.dtypes import DType
from ..core.records import dataclass
from ..core.types import TensorType
from .batching_rules import RULES, Calls, Rule, Shape, Value, along_axes
from .emitter import Emitter
from .ordering import FOUND_BY_NUMPY
from .registry import OPS, Composite, OpDef, Reduction, broadcasts


def batch(
    f: Emitter,
    op: OpDef,
    operands: Sequence[Value],
    batched: Sequence[bool],
    size: int,
    attrs: Mapping[str, Any],
) -> Value | None:
    """The results of `op` for a batch of calls, with the axis of the batch in front; None for an op without a rule.

    batched: for each operand, whether its first axis is that of the batch; one at least is.
    """
    calls = Calls(f, op, tuple(operands), tuple(batched), size, attrs)
    own = RULES.get(op.name)
    found = None if own is None else own(calls)
    if found is not None:
        return found
    derived = derived_rule(op)
    return None if derived is None else derived(calls)


def derived_rule(op: OpDef) -> Rule | None:
    """The rule that follows from how an op is lowered; None where none does."""
    if broadcasts(op):
        return _pointwise
    if isinstance(op.lower, Reduction):
        return along_axes
    if isinstance(op.lower, Composite) and op not in FOUND_BY_NUMPY:
        return _by_parts
    return None


def one_by_one(
    f: Emitter,
    op: OpDef,
    operands: Sequence[Value],
    batched: Sequence[bool],
    size: int,
    attrs: Mapping[str, Any],
) -> Value:
    """A batch of calls computed one by one, as that of an op without a rule has to be."""
    if not size:
        types = (
            TensorType(tuple(f.shape(each))[flag:], f.dtype(each)) for each, flag in zip(operands, batched, strict=True)
        )
        type = op.meta(*types, **attrs)
        return f.full(value=type.dtype.numpy.type(0).item(), shape=(0, *type.shape), dtype=type.dtype)
    rows = []
    for place in range(size):
        entries = (_entry(f, each, place) if flag else each for each, flag in zip(operands, batched, strict=True))
        found = f.apply(op, *entries, **attrs)
        rows.append(f.reshape(found, shape=(1, *f.shape(found))))
    return f.cat(*rows, axis=0)


def _entry(f: Emitter, value: Value, place: int) -> Value:
    shape = tuple(f.shape(value))
    zeros, ones = (0,) * (len(shape) - 1), (1,) * len(shape)
    row = f.slice(value, starts=(place, *zeros), sizes=(1, *shape[1:]), steps=ones)
    return f.reshape(row, shape=shape[1:])


# What follows from a declaration.


def aligned(calls: Calls) -> list[Value]:
    """The operands of a pointwise op, with axes of size 1 put in so that those of the batch lie over each other."""
    shapes = [calls.shape(place) for place in range(len(calls.operands))]
    rank = max(map(len, shapes))
    given = []
    for operand, is_batched, shape in zip(calls.operands, calls.batched, shapes, strict=True):
        if is_batched and len(shape) < rank:
            operand = calls.f.reshape(operand, shape=(calls.size, *(1,) * (rank - len(shape)), *shape))
        given.append(operand)
    return given


def _pointwise(calls: Calls) -> Value:
    return calls.again(*aligned(calls), **calls.attrs)


@dataclass(frozen=True, slots=True, eq=False)
class BatchEntries:
    """The values of a batch of calls while a composite is computed by its parts; `shape` is what one call sees."""

    value: Value
    shape: Shape


class BatchEmitter(Emitter):
    """Applies ops to batches: what a composite or a derivative says of one call is done for all of them."""

    __slots__ = ("f", "size")

    def __init__(self, f: Emitter, size: int) -> None:
        self.f = f
        self.size = size

    def apply(self, op: OpDef, *operands: Any, **attrs: object) -> Any:
        """The entries that `op` gives; a plain value if none of the operands is a batch."""
        batched = [isinstance(each, BatchEntries) for each in operands]
        values = [each.value if isinstance(each, BatchEntries) else each for each in operands]
        if not any(batched):
            return self.f.apply(op, *values, **attrs)
        found = batch(self.f, op, values, batched, self.size, attrs)
        if found is None:
            found = one_by_one(self.f, op, values, batched, self.size, attrs)
        return self.entries(found)

    def entries(self, value: Value) -> BatchEntries:
        """A value with the axis of the batch in front, as entries."""
        return BatchEntries(value, tuple(self.f.shape(value))[1:])

    def constant(self, value: bool | int | float, like: Any) -> Any:
        """`value` in the dtype of `like`, without axes."""
        return self.f.full(value=value, shape=(), dtype=self.dtype(like))

    def shape(self, value: Any) -> Shape:
        """The shape that one call sees."""
        return value.shape if isinstance(value, BatchEntries) else self.f.shape(value)

    def dtype(self, value: Any) -> DType:
        """The dtype of a value."""
        return self.f.dtype(value.value if isinstance(value, BatchEntries) else value)


def _by_parts(calls: Calls) -> Value:
    """A composite, by what it is made of."""
    f = BatchEmitter(calls.f, calls.size)
    given = (
        f.entries(each) if is_batched else each for each, is_batched in zip(calls.operands, calls.batched, strict=True)
    )
    assert isinstance(calls.op.lower, Composite)
    found = calls.op.lower.expand(f, *given, **calls.attrs)
    if isinstance(found, BatchEntries):
        return found.value
    return calls.f.expand(found, shape=(calls.size, *calls.f.shape(found)))


def without_rule() -> list[str]:
    """The names of the ops that a batch of calls is computed of one by one."""
    return [name for name, op in OPS.items() if name not in RULES and derived_rule(op) is None]
