"""Many calls of an op at once: operands with an axis in front, one entry for each call, and a result with that axis.

What an op makes of a batch follows from its declaration: a pointwise op works along the new axis as along any other, a
reduction has its axes moved by one, a composite without a rule of its own is computed by what it is made of. The rules
of the others stand in `RULES`. All are written over an emitter, as derivatives are: one text serves tensors and graphs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from ..core.records import dataclass
from ..core.types import TensorType
from .emitter import Emitter
from .ordering import FOUND_BY_NUMPY
from .registry import OPS, Composite, OpDef, Reduction, broadcasts

Value = Any
Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Calls:
    """An op applied to each entry of a batch.

    operands: the values, as `f` takes them.   batched: for each, whether its first axis is that of the batch.
    size: how many entries there are.
    """

    f: Emitter
    op: OpDef
    operands: tuple[Value, ...]
    batched: tuple[bool, ...]
    size: int
    attrs: Mapping[str, Any]

    def shape(self, place: int) -> Shape:
        """The shape that one call sees of an operand; that of a number is empty."""
        operand = self.operands[place]
        if is_number(operand):
            return ()
        shape = tuple(self.f.shape(operand))
        return shape[1:] if self.batched[place] else shape

    def whole(self, place: int) -> Value:
        """An operand with the axis of the batch, repeated along it if it had none."""
        operand = self.operands[place]
        return operand if self.batched[place] else self.f.expand(operand, shape=(self.size, *self.shape(place)))

    def again(self, *operands: Value, **attrs: Any) -> Value:
        """The op applied to these operands."""
        return self.f.apply(self.op, *operands, **attrs)


Rule = Callable[[Calls], Value]
RULES: dict[str, Rule] = {}
"""By the name of an op that has one: the rule, which gives the result with the axis of the batch in front."""


def is_number(value: Value) -> bool:
    """Whether a value is a Python number beside tensors, or what stands for one."""
    return not hasattr(value, "shape")


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
    rule = rule_of(op)
    return None if rule is None else rule(Calls(f, op, tuple(operands), tuple(batched), size, attrs))


def rule_of(op: OpDef) -> Rule | None:
    """The rule of an op: its own, or what follows from how it is lowered; None where nothing does."""
    if op.name in RULES:
        return RULES[op.name]
    if broadcasts(op):
        return _pointwise
    if isinstance(op.lower, Reduction):
        return _along_axes
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
    """The same by a call for each entry: what an op without a rule is left with."""
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


def _along_axes(calls: Calls) -> Value:
    return calls.again(calls.operands[0], **{**calls.attrs, "axes": _later(calls.attrs["axes"])})


def _along_axis(calls: Calls) -> Value:
    return calls.again(calls.operands[0], **{**calls.attrs, "axis": calls.attrs["axis"] + 1})


def _same(calls: Calls) -> Value:
    """An op of one operand that does to each element, or to its last axes, what it did before."""
    return calls.again(*calls.operands, **calls.attrs)


def _later(axes: Sequence[int]) -> Shape:
    return tuple(axis + 1 for axis in axes)


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
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
        batched = [isinstance(each, Entries) for each in operands]
        values = [each.value if isinstance(each, Entries) else each for each in operands]
        if not any(batched):
            return self.f.apply(op, *values, **attrs)
        found = batch(self.f, op, values, batched, self.size, attrs)
        if found is None:
            found = one_by_one(self.f, op, values, batched, self.size, attrs)
        return self.entries(found)

    def entries(self, value: Value) -> Entries:
        """A value with the axis of the batch in front, as entries."""
        return Entries(value, tuple(self.f.shape(value))[1:])

    def constant(self, value: bool | int | float, like: Any) -> Any:
        """`value` in the dtype of `like`, without axes."""
        return self.f.full(value=value, shape=(), dtype=self.dtype(like))

    def shape(self, value: Any) -> Shape:
        """The shape that one call sees."""
        return value.shape if isinstance(value, Entries) else self.f.shape(value)

    def dtype(self, value: Any) -> DType:
        """The dtype of a value."""
        return self.f.dtype(value.value if isinstance(value, Entries) else value)


def _by_parts(calls: Calls) -> Value:
    """A composite, by what it is made of."""
    f = BatchEmitter(calls.f, calls.size)
    given = (
        f.entries(each) if is_batched else each for each, is_batched in zip(calls.operands, calls.batched, strict=True)
    )
    assert isinstance(calls.op.lower, Composite)
    found = calls.op.lower.expand(f, *given, **calls.attrs)
    if isinstance(found, Entries):
        return found.value
    return calls.f.expand(found, shape=(calls.size, *calls.f.shape(found)))


# Rules of single ops.


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        for name in names:
            RULES[name] = rule
        return rule

    return register


_rule("mean", "var", "shared_max", "shared_min")(_along_axes)
_rule("softmax", "log_softmax", "cumsum", "cumprod")(_along_axis)
_rule("argsort", "place_of_rank", "place_of_share", "weight_of_share", "place_of_extreme")(_along_axis)
_rule("gelu", "pow_scalar", "rounded", "saved", "checked_index", "diagonal", "bitcast")(_same)


@_rule("permute")
def _permute(calls: Calls) -> Value:
    return calls.again(calls.operands[0], axes=(0, *_later(calls.attrs["axes"])))


@_rule("reshape")
def _reshape(calls: Calls) -> Value:
    return calls.again(calls.operands[0], shape=(calls.size, *calls.attrs["shape"]))


@_rule("expand")
def _expand(calls: Calls) -> Value:
    f, before, after = calls.f, calls.shape(0), calls.attrs["shape"]
    spaced = (calls.size, *(1,) * (len(after) - len(before)), *before)
    operand = calls.operands[0]
    return calls.again(
        operand if len(after) == len(before) else f.reshape(operand, shape=spaced), shape=(calls.size, *after)
    )


@_rule("slice")
def _slice(calls: Calls) -> Value:
    return calls.again(calls.operands[0], **_region(calls))


def _region(calls: Calls) -> dict[str, Any]:
    attrs = calls.attrs
    return {
        "starts": (0, *attrs["starts"]),
        "sizes": (calls.size, *attrs["sizes"]),
        "steps": (1, *attrs["steps"]),
    }


@_rule("slice_store")
def _slice_store(calls: Calls) -> Value:
    return calls.again(calls.whole(0), calls.whole(1), **_region(calls))


@_rule("as_strided")
def _as_strided(calls: Calls) -> Value:
    (width,) = calls.shape(0)
    attrs = calls.attrs
    flat = calls.f.reshape(calls.operands[0], shape=(calls.size * width,))
    return calls.again(
        flat, shape=(calls.size, *attrs["shape"]), strides=(width, *attrs["strides"]), offset=attrs["offset"]
    )


@_rule("segment")
def _segment(calls: Calls) -> Value:
    f, start, shape = calls.f, calls.attrs["start"], calls.attrs["shape"]
    part = f.slice(calls.operands[0], starts=(0, start), sizes=(calls.size, math.prod(shape)), steps=(1, 1))
    return f.reshape(part, shape=(calls.size, *shape))


@_rule("join")
def _join(calls: Calls) -> Value:
    f = calls.f
    rows = (
        f.reshape(calls.whole(place), shape=(calls.size, math.prod(calls.shape(place))))
        for place in range(len(calls.operands))
    )
    return f.cat(*rows, axis=1)


@_rule("spread")
def _spread(calls: Calls) -> Value:
    (width,), sizes = calls.shape(0), calls.attrs["sizes"]
    flat = calls.f.reshape(calls.operands[0], shape=(calls.size * width,))
    spread = calls.again(flat, sizes=tuple(sizes) * calls.size)
    return calls.f.reshape(spread, shape=(calls.size, sum(sizes)))


@_rule("cat")
def _cat(calls: Calls) -> Value:
    return calls.again(*map(calls.whole, range(len(calls.operands))), axis=calls.attrs["axis"] + 1)


@_rule("pad")
def _pad(calls: Calls) -> Value:
    attrs = calls.attrs
    widths = {name: (0, *attrs[name]) for name in ("before", "after")}
    return calls.again(calls.operands[0], **widths, value=attrs["value"])


@_rule("gather")
def _gather(calls: Calls) -> Value:
    return calls.again(calls.whole(0), calls.whole(1), axis=calls.attrs["axis"] + 1)


@_rule("take")
def _take(calls: Calls) -> Value:
    f, axis = calls.f, calls.attrs["axis"]
    x, index = calls.operands
    if not calls.batched[1]:
        return calls.again(x, index, axis=axis + 1)
    if not calls.batched[0]:
        return moved(f, calls.again(x, index, axis=axis), axis, 0)
    shape, picks = calls.shape(0), calls.shape(1)
    picked = calls.again(_rows(calls, 0, axis), _numbered(calls, shape[axis]), axis=0)
    # the axis of the batch, those of the index, the others: the index goes where the axis was
    first = 1 + len(picks)
    order = (0, *range(first, first + axis), *range(1, first), *range(first + axis, first + len(shape) - 1))
    return f.permute(picked, axes=order)


@_rule("scatter_add")
def _scatter_add(calls: Calls) -> Value:
    f, axis = calls.f, calls.attrs["axis"]
    if not calls.batched[1]:
        return calls.again(calls.whole(0), calls.operands[1], calls.whole(2), axis=axis + 1)
    shape = calls.shape(0)
    index = _numbered(calls, shape[axis])
    flat = f.reshape(index, shape=(math.prod(f.shape(index)),))
    added = calls.again(_rows(calls, 0, axis), flat, _rows(calls, 2, axis), axis=0)
    others = (*shape[:axis], *shape[axis + 1 :])
    return moved(f, f.reshape(added, shape=(calls.size, shape[axis], *others)), 1, axis + 1)


def moved(f: Emitter, value: Value, source: int, target: int) -> Value:
    """`value` with axis `source` put at place `target`, the others in their order."""
    axes = list(range(len(f.shape(value))))
    axes.insert(target, axes.pop(source))
    return value if axes == sorted(axes) else f.permute(value, axes=tuple(axes))


def _rows(calls: Calls, place: int, axis: int) -> Value:
    """An operand with the slices along `axis` of all entries one after the other, along its first axis."""
    lined = moved(calls.f, calls.whole(place), axis + 1, 1)
    _, count, *others = calls.f.shape(lined)
    return calls.f.reshape(lined, shape=(calls.size * count, *others))


def _numbered(calls: Calls, extent: int) -> Value:
    """The second operand, an index along an axis of `extent`, counted along such axes of all entries in a row.

    An index that is out of range stays an error, and does not name a slice of another entry.
    """
    f, index = calls.f, calls.operands[1]
    if f.dtype(index) is not dtypes.int64:
        index = f.cast(index, dtype=dtypes.int64)
    forward = f.checked_index(f.where(f.less(index, 0), f.add(index, extent), index), size=extent, ignore=None)
    starts = f.multiply(f.arange(start=0, step=1, size=calls.size, dtype=dtypes.int64), extent)
    return f.add(forward, f.reshape(starts, shape=(calls.size, *(1,) * len(calls.shape(1)))))


@_rule("matmul")
def _matmul(calls: Calls) -> Value:
    f, (left, right) = calls.f, calls.operands
    if not calls.batched[1] and len(calls.shape(0)) == 2:
        height, width = calls.shape(0)
        product = calls.again(f.reshape(left, shape=(calls.size * height, width)), right)
        return f.reshape(product, shape=(calls.size, height, calls.shape(1)[1]))
    return calls.again(calls.whole(0), calls.whole(1))


@_rule("linear", "layer_norm")
def _with_parameters(calls: Calls) -> Value:
    """A layer: of a batch of inputs as of one, as long as they share the parameters."""
    if any(calls.batched[1:]):
        return _by_parts(calls)
    return calls.again(*calls.operands, **calls.attrs)


@_rule("with_history")
def _with_history(calls: Calls) -> Value:
    return calls.again(calls.whole(0), calls.whole(1))


@_rule("searchsorted")
def _searchsorted(calls: Calls) -> Value:
    rows, asked = calls.operands
    if len(calls.shape(0)) > 1:
        return calls.again(calls.whole(0), calls.whole(1), **calls.attrs)
    if not calls.batched[0]:
        return calls.again(rows, asked, **calls.attrs)
    shape = calls.shape(1)
    flat = calls.f.reshape(calls.whole(1), shape=(calls.size, math.prod(shape)))
    return calls.f.reshape(calls.again(rows, flat, **calls.attrs), shape=(calls.size, *shape))


@_rule("isin")
def _isin(calls: Calls) -> Value:
    if not calls.batched[1]:
        return calls.again(*calls.operands, **calls.attrs)
    return one_by_one(calls.f, calls.op, calls.operands, calls.batched, calls.size, calls.attrs)


@_rule("poisson", "binomial")
def _counts(calls: Calls) -> Value:
    if calls.batched[-1]:
        return one_by_one(calls.f, calls.op, calls.operands, calls.batched, calls.size, calls.attrs)
    parameters = map(calls.whole, range(len(calls.operands) - 1))
    return calls.again(*parameters, calls.operands[-1], **calls.attrs)


def without_rule() -> list[str]:
    """The names of the ops that a batch of calls is computed of one by one."""
    return [name for name, op in OPS.items() if rule_of(op) is None]
