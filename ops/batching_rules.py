"""Rules for many calls at once, of the ops of which no such rule follows from the declaration: see `batching`.

A rule may give None: then what follows from the declaration is done all the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core import dtypes
from ..core.records import dataclass
from .emitter import Emitter
from .registry import OpDef

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


Rule = Callable[[Calls], Value | None]
RULES: dict[str, Rule] = {}
"""By the name of an op that has one: the rule, which gives the result with the axis of the batch in front."""


def is_number(value: Value) -> bool:
    """Whether a value is a Python number beside tensors, or what stands for one."""
    return not hasattr(value, "shape")


def along_axes(calls: Calls) -> Value:
    """An op that has its axes as an attribute: they are those after that of the batch."""
    return calls.again(calls.operands[0], **{**calls.attrs, "axes": _later(calls.attrs["axes"])})


def _along_axis(calls: Calls) -> Value:
    return calls.again(calls.operands[0], **{**calls.attrs, "axis": calls.attrs["axis"] + 1})


def _same(calls: Calls) -> Value:
    """An op of one operand that does to each element, or to its last axes, what it did before."""
    return calls.again(*calls.operands, **calls.attrs)


def _later(axes: Sequence[int]) -> Shape:
    return tuple(axis + 1 for axis in axes)


# Rules of single ops.


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        for name in names:
            RULES[name] = rule
        return rule

    return register


_rule("mean", "var", "shared_max", "shared_min")(along_axes)
_rule("softmax", "log_softmax", "cumsum", "cumprod", "fft", "rfft", "irfft")(_along_axis)
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


@_rule("scatter_add", "scatter", "scatter_reduce")
def _scatter(calls: Calls) -> Value:
    f, axis = calls.f, calls.attrs["axis"]
    if not calls.batched[1]:
        return calls.again(calls.whole(0), calls.operands[1], calls.whole(2), **{**calls.attrs, "axis": axis + 1})
    shape = calls.shape(0)
    index = _numbered(calls, shape[axis])
    flat = f.reshape(index, shape=(math.prod(f.shape(index)),))
    scattered = calls.again(_rows(calls, 0, axis), flat, _rows(calls, 2, axis), **{**calls.attrs, "axis": 0})
    others = (*shape[:axis], *shape[axis + 1 :])
    return moved(f, f.reshape(scattered, shape=(calls.size, shape[axis], *others)), 1, axis + 1)


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


@_rule("attention", "attention_masked", "attention_gradient", "attention_masked_gradient")
def _attention(calls: Calls) -> Value:
    """Rows of a batch of attentions are rows of one; a mask of all of them stays as it is."""
    f, size = calls.f, calls.size
    rows = []
    for place, operand in enumerate(calls.operands):
        shape = calls.shape(place)
        if place == 3 and "masked" in calls.op.name and shape[0] == 1:
            if not calls.batched[place]:
                rows.append(operand)
                continue
            shape = (calls.shape(0)[0], *shape[1:])
            operand = f.expand(operand, shape=(size, *shape))
        else:
            operand = calls.whole(place)
        rows.append(f.reshape(operand, shape=(size * shape[0], *shape[1:])))
    found = calls.again(*rows, **calls.attrs)
    return f.reshape(found, shape=(size, calls.shape(0)[0], *f.shape(found)[1:]))


@_rule("linear", "layer_norm")
def _with_parameters(calls: Calls) -> Value | None:
    """A layer: of a batch of inputs as of one, as long as they share the parameters."""
    return None if any(calls.batched[1:]) else calls.again(*calls.operands, **calls.attrs)


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
def _isin(calls: Calls) -> Value | None:
    return None if calls.batched[1] else calls.again(*calls.operands, **calls.attrs)


@_rule(
    *("solve", "solve_triangular", "inverse", "det", "cofactors", "cofactor_slopes", "slogdet", "pinv", "matrix_exp"),
    *("cholesky", "eigh", "eigvalsh", "qr", "svd", "svdvals", "matrix_info", "lu", "row_order"),
    *("ldl", "ldl_solve"),
    *("zeta", "gammainc", "gammaincc", "gamma_slope"),
)
def _wholes(calls: Calls) -> Value:
    """An op whose operands share their leading axes: that of the batch is one more."""
    return calls.again(*map(calls.whole, range(len(calls.operands))), **calls.attrs)


@_rule("poisson", "binomial", "standard_gamma", "von_mises")
def _draws(calls: Calls) -> Value | None:
    if calls.batched[-1]:
        return None
    parameters = map(calls.whole, range(len(calls.operands) - 1))
    return calls.again(*parameters, calls.operands[-1], **calls.attrs)
