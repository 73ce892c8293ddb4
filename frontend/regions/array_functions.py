"""NumPy's functions, operators and methods over the arrays of a region."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.types import TensorType
from ...graph.node import Node
from ...ops import pointwise as p
from ..callables import Rule
from ..nodes import cast, constant_node
from ..values.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import Constant, is_none
from ..values.host_number import HostNumber
from ..values.sequences import Sequence, TupleValue
from .arrays import ArrayExpression, Index, RegionArray, View, as_array, view_of
from .elements import known_index
from .knowledge import refused
from .loose import settled
from .numbers import as_operand_of, bounds_of
from .sizes import Size, as_value, broadcast, node_of, require_equal
from .sweeps import fold, made, picked, scratch, search, store
from .variables import kind_of

if TYPE_CHECKING:
    from ..trace import Trace


def elementwise(trace: Trace, ufunc: np.ufunc, operands: list[Value], dtype: Any = None) -> ArrayExpression:
    """A ufunc over arrays of the region and numbers."""
    from ..numpy.ufuncs import call_ufunc

    def apply(values: list[Value]) -> Value:
        return call_ufunc(trace, ufunc, values, dtype=dtype)

    return _expression(trace, operands, apply)


def _expression(trace: Trace, operands: list[Value], apply: Callable[[list[Value]], Value]) -> ArrayExpression:
    """The expression that applies a rule for numbers to the elements of arrays."""
    region = trace.region
    assert region is not None
    values = settled(operands)
    arrays = [as_array(trace, each) for each in values]
    shape = broadcast(trace, [each.shape for each in arrays if each is not None])

    _require_range(trace, values)

    def compute(index: Index) -> Node:
        elements = [
            value if array is None else array.element(trace, picked(trace, array, shape, index))
            for value, array in zip(values, arrays, strict=True)
        ]
        found = apply(elements)
        assert isinstance(found, ArrayValue)
        return region.let_of(found.read(trace))

    return made(
        trace,
        ArrayExpression(shape, _dtype_of(trace, compute, shape), compute, [v for a in arrays if a for v in a.reads()]),
    )


def _require_range(trace: Trace, values: list[Value]) -> None:
    """Leaves the region for a Python int that the arrays' dtype does not hold: NumPy raises before any element."""
    kept = [each.dtype.numpy for each in values if isinstance(each, (ArrayValue, RegionArray))]
    common = dtypes.from_numpy(np.result_type(*kept))
    for each in values:
        if common is not None and common.is_integer and isinstance(each, HostNumber):
            as_operand_of(trace, each, common)


def _dtype_of(trace: Trace, compute: Callable[[Index], Node], shape: tuple[Any, ...]) -> DType:
    """The dtype of the elements: one is computed, into statements that are thrown away."""
    region = trace.region
    assert region is not None
    leaves, written = region.leaves, dict(region.written)
    with region.block():
        node = compute([region.local(region.name("j"), dtypes.int64) for _ in shape])
    region.leaves, region.written = leaves, written
    return node.type.dtype


def array_operator(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value:
    """`left <name> right`, of which one is an array of the region."""
    from ..numpy.ufuncs import OPERATORS

    if name == "@":
        if in_place:
            raise refused("an in-place matrix product")
        return matmul(trace, left, right)
    if name == "**" and isinstance(right, Constant) and right.value == 2 and type(right.value) is int:
        outcome = elementwise(trace, np.square, [left])
    else:
        outcome = elementwise(trace, OPERATORS[name], [left, right])
    if not in_place or as_array(trace, left) is None:
        return outcome
    if isinstance(left, ArrayExpression):
        target = left.settle(trace)
    else:
        target = left if isinstance(left, View) else view_of(trace, left)  # type: ignore[arg-type]
    if not np.can_cast(outcome.dtype.numpy, target.dtype.numpy, "same_kind"):
        raise refused("an in-place operation whose result has another kind")
    store(trace, target, outcome)
    return left


def unary(trace: Trace, name: str, value: Value) -> Value:
    """`-array`, `+array`, `~array`."""
    return elementwise(trace, {"-": np.negative, "+": np.positive, "~": np.invert}[name], [value])


# Folds.
@dataclass(frozen=True)
class Reduced:
    """An array and the axes of it that a reduction goes over."""

    array: RegionArray
    axes: tuple[int, ...]

    @property
    def kept(self) -> tuple[Size, ...]:
        return tuple(size for axis, size in enumerate(self.array.shape) if axis not in self.axes)

    @property
    def over(self) -> tuple[Size, ...]:
        return tuple(self.array.shape[axis] for axis in self.axes)

    def part(self, trace: Trace, index: Index) -> ArrayExpression:
        """What one element of the result is folded from."""

        def compute(inner: Index) -> Node:
            outer, folded = iter(index), iter(inner)
            rank = len(self.array.shape)
            return self.array.at(trace, [next(folded if axis in self.axes else outer) for axis in range(rank)])

        return ArrayExpression(self.over, self.array.dtype, compute, [])

    def result(self, trace: Trace, dtype: DType, compute: Callable[[Index], Node]) -> Value:
        """The array of what `compute` gives for each index of the axes that are kept; a number where there is none."""
        if not self.kept:
            return result(trace, compute([]), generic=True)
        return made(trace, ArrayExpression(self.kept, dtype, compute, self.array.reads()))


def _reduced(trace: Trace, a: Value, axis: Value) -> Reduced:
    array = as_array(trace, a)
    if array is None:
        raise refused("a reduction of a number")
    rank = len(array.shape)
    given = axis.constant(trace)
    listed = range(rank) if given is None else given if isinstance(given, tuple) else (given,)
    if not all(type(each) is int and -rank <= each < rank for each in listed):
        raise refused("a reduction along an axis that is not there")
    return Reduced(array, tuple(sorted({each % rank for each in listed})))


def _folded(combine: str, ufunc: np.ufunc | None) -> Rule:
    def rule(trace: Trace, a: Value, axis: Value = Constant(None)) -> Value:  # noqa: B008
        reduced = _reduced(trace, a, axis)
        dtype = reduced.array.dtype
        if ufunc is not None:
            dtype = _supported(ufunc.reduce(np.ones((1,), dtype.numpy)).dtype)
        elif combine in ("any", "all"):
            dtype = dtypes.bool_
        else:
            _require_elements(trace, reduced.over)
        return reduced.result(trace, dtype, lambda index: fold(trace, reduced.part(trace, index), combine, dtype))

    return rule


def _supported(dtype: Any) -> DType:
    found = dtypes.from_numpy(dtype)
    if found is None:
        raise refused(f"an array of {dtype}")
    return found


def _require_elements(trace: Trace, shape: tuple[Size, ...]) -> None:
    """Leaves the region for an array without elements, where NumPy raises."""
    assert trace.region is not None
    for size in shape:
        low, _ = bounds_of(as_value(size))
        if low < 1:
            zero = constant_node(trace, 0, (), dtypes.int64)
            trace.region.leave_if(trace.add(p.EQUAL, trace.region.let_of(node_of(trace, size)), zero))


def mean(trace: Trace, a: Value, axis: Value = Constant(None)) -> Value:  # noqa: B008
    """`np.mean(a, axis)`."""
    reduced, region = _reduced(trace, a, axis), trace.region
    assert region is not None
    dtype = reduced.array.dtype if reduced.array.dtype.is_float else dtypes.float64

    def compute(index: Index) -> Node:
        total = fold(trace, reduced.part(trace, index), "sum", dtype)
        count = constant_node(trace, 1.0, (), dtype)
        for size in reduced.over:
            count = trace.add(p.MULTIPLY, region.let_of(cast(trace, node_of(trace, size), dtype)), count)
        return trace.add(p.DIVIDE, total, count)

    return reduced.result(trace, dtype, compute)


def _searched(combine: str) -> Rule:
    def rule(trace: Trace, a: Value, axis: Value = Constant(None)) -> Value:  # noqa: B008
        reduced = _reduced(trace, a, axis)
        if len(reduced.axes) != 1:
            raise refused(f"{combine} over several axes")
        _require_elements(trace, reduced.over)
        return reduced.result(trace, dtypes.int64, lambda index: search(trace, reduced.part(trace, index), combine))

    return rule


SMALL = 16
"""Sizes up to which matrices are multiplied element by element."""


def matmul(trace: Trace, left: Value, right: Value) -> Value:
    """`left @ right` of vectors and matrices."""
    one, other = as_array(trace, left), as_array(trace, right)
    if one is None or other is None or len(one.shape) > 2 or len(other.shape) > 2:
        raise refused("a product of other things than vectors and matrices")
    inner, depth = one.shape[-1], other.shape[0] if len(other.shape) == 1 else other.shape[-2]
    require_equal(trace, inner, depth)
    region = trace.region
    assert region is not None
    outer, across = len(one.shape) - 1, len(other.shape) - 1
    shape = (*one.shape[:outer], *other.shape[1:])
    dtype = _supported(np.result_type(one.dtype.numpy, other.dtype.numpy))
    if not dtype.is_float:
        raise refused("a product of integers")
    if outer and across and not all(isinstance(size, int) and size <= SMALL for size in (*shape, inner)):
        raise refused("a product of large matrices, which BLAS computes faster")

    def compute(index: Index) -> Node:
        row, column = index[:outer], index[outer : outer + across]

        def term(at: Index) -> Node:
            a = cast(trace, region.let_of(one.at(trace, [*row, at[0]])), dtype)
            b = cast(trace, region.let_of(other.at(trace, [at[0], *column])), dtype)
            return trace.add(p.MULTIPLY, a, b)

        return fold(trace, ArrayExpression((inner,), dtype, term, []), "sum", dtype)

    if not shape:
        return result(trace, compute([]), generic=True)
    return made(trace, ArrayExpression(shape, dtype, compute, [*one.reads(), *other.reads()]))


# Making arrays.
def array_of(trace: Trace, object: Value, dtype: Value = Constant(None)) -> Value:  # noqa: A002, B008
    """`np.array` of a list of numbers."""
    if not isinstance(object, Sequence):
        return copy(trace, object)
    kinds = [kind_of(each) for each in object.items]
    if not kinds or any(kind is None or kind.loose for kind in kinds):
        raise refused("np.array of other things than numbers")
    known = np.result_type(*(kind.dtype.numpy for kind in kinds if kind is not None))
    wanted = _supported(np.dtype(known if is_none(dtype) else dtype.constant(trace)))
    if wanted.is_integer and any(kind is not None and kind.dtype.is_float for kind in kinds):
        raise refused("np.array of floats as integers")
    room = scratch(trace, TensorType((len(kinds),), wanted))
    view = view_of(trace, room)
    for place, each in enumerate(object.items):
        store(trace, view.part(trace, Constant(place)), each)
    return room


def _filled(value: float) -> Rule:
    def rule(trace: Trace, shape: Value, dtype: Value = Constant(None)) -> Value:  # noqa: B008
        sizes = shape.items if isinstance(shape, TupleValue) else [shape]
        if not all(isinstance(each, Constant) and type(each.value) is int and each.value >= 0 for each in sizes):
            raise refused("an array made in a round, of a size that changes")
        kind = _supported(np.dtype(None if is_none(dtype) else dtype.constant(trace)))
        room = scratch(trace, TensorType(tuple(each.constant(trace) for each in sizes), kind))
        store(trace, view_of(trace, room), Constant(kind.numpy.type(value).item()))
        return room

    return rule


def copy(trace: Trace, a: Value) -> Value:
    """`a.copy()`: row-major, of a known shape."""
    array = as_array(trace, a)
    if array is None or not all(isinstance(size, int) for size in array.shape):
        raise refused("a copy of an array whose size changes")
    room = scratch(trace, TensorType(tuple(map(int, array.shape)), array.dtype))  # type: ignore[arg-type]
    store(trace, view_of(trace, room), array)
    return room


def like(value: float) -> Rule:
    """`np.zeros_like` and `np.ones_like`."""

    def rule(trace: Trace, a: Value) -> Value:
        array = as_array(trace, a)
        if array is None:
            raise refused("an array like a number")
        return _filled(value)(trace, TupleValue([as_value(size) for size in array.shape]), Constant(array.dtype.numpy))

    return rule


def length(trace: Trace, a: Value) -> Value:
    """`len(a)`."""
    array = as_array(trace, a)
    if array is None or not array.shape:
        raise refused("len() of a number")
    return as_value(array.shape[0])


def absolute(trace: Trace, a: Value) -> Value:
    """`abs(a)`."""
    return elementwise(trace, np.absolute, [a])


def roll(trace: Trace, a: Value, shift: Value, axis: Value = Constant(None)) -> Value:  # noqa: B008
    """`np.roll` by a known number along one axis of known size."""
    array, region = as_array(trace, a), trace.region
    assert region is not None
    by, along = shift.constant(trace), axis.constant(trace)
    if array is None or type(by) is not int or not (type(along) is int or along is None and len(array.shape) == 1):
        raise refused("np.roll along several axes, or by a number that changes")
    place = (along or 0) % max(len(array.shape), 1)
    size = array.shape[place]
    if not isinstance(size, int) or not size:
        raise refused("np.roll of an array whose size changes")
    first = constant_node(trace, by % size, (), dtypes.int64)

    def compute(index: Index) -> Node:
        moved = trace.add(p.SUBTRACT, region.let_of(index[place]), first)
        wrapped = trace.add(p.ADD, moved, known_index(trace, region, size))
        below = trace.add(p.LESS, moved, constant_node(trace, 0, (), dtypes.int64))
        index = [*index]
        index[place] = trace.add(p.WHERE, below, wrapped, moved)
        return array.at(trace, index)

    return made(trace, ArrayExpression(array.shape, array.dtype, compute, array.reads()))


def rounded(trace: Trace, a: Value) -> Value:
    """`np.round(a)`."""
    return elementwise(trace, np.rint, [a])


def norm(trace: Trace, x: Value) -> Value:
    """`np.linalg.norm` of a vector: the root of its product with itself."""
    array = as_array(trace, x)
    if array is None or len(array.shape) != 1 or not array.dtype.is_float:
        raise refused("the norm of other than a vector of floats")
    from ..numpy.ufuncs import call_ufunc

    return call_ufunc(trace, np.sqrt, [matmul(trace, x, x)])


def where(trace: Trace, condition: Value, x: Value, y: Value) -> Value:
    """`np.where(condition, x, y)`."""
    from ..numpy import indexing

    return _expression(trace, [condition, x, y], lambda values: indexing.where(trace, *values))


FUNCTIONS: dict[Any, Rule] = {
    np.sum: _folded("sum", np.add),
    np.prod: _folded("prod", np.multiply),
    np.max: _folded("max", None),
    np.min: _folded("min", None),
    np.any: _folded("any", None),
    np.all: _folded("all", None),
    np.mean: mean,
    np.argmin: _searched("argmin"),
    np.argmax: _searched("argmax"),
    np.dot: matmul,
    np.matmul: matmul,
    np.copy: copy,
    np.zeros_like: like(0.0),
    np.ones_like: like(1.0),
    np.empty_like: like(0.0),
    np.abs: absolute,
    np.round: rounded,
    np.roll: roll,
    round: rounded,
    np.linalg.norm: norm,
    np.where: where,
    abs: absolute,
    len: length,
}
"""What a region computes of NumPy's functions over its arrays."""

MAKERS: dict[Any, Rule] = {
    np.zeros: _filled(0.0),
    np.ones: _filled(1.0),
    np.empty: _filled(0.0),
    np.array: array_of,
    **{each: FUNCTIONS[each] for each in (np.zeros_like, np.ones_like, np.empty_like, np.copy)},
}
"""Functions that make an array which the program may write; in a region they make it in every round."""

_NAMES = ("sum", "prod", "max", "min", "any", "all", "mean", "dot", "argmin", "argmax")
_METHODS = {name: FUNCTIONS[getattr(np, name)] for name in _NAMES}
_METHODS["copy"] = copy


class RegionMethod(Value):
    """A method of an array of the region."""

    def __init__(self, owner: Value, name: str) -> None:
        self.owner = owner
        self.name = name

    @property
    def python_type(self) -> type:
        return type(len)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return call(trace, _METHODS[self.name], [self.owner, *args], kwargs)


def call(trace: Trace, rule: Rule, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """`rule(trace, *args, **kwargs)`. Errors: a break for arguments that the rule does not take."""
    try:
        return rule(trace, *args, **kwargs)
    except TypeError as error:
        raise refused(f"these arguments ({error})") from None


def attribute(trace: Trace, owner: Value, name: str) -> Value:
    """`array.name`."""
    array = as_array(trace, owner)
    assert array is not None
    if name in _METHODS:
        return RegionMethod(owner, name)
    if name == "shape":
        return TupleValue([as_value(size) for size in array.shape])
    if name == "ndim":
        return Constant(len(array.shape))
    if name == "size" and len(array.shape) == 1:
        return as_value(array.shape[0])
    if name == "dtype":
        return Constant(array.dtype.numpy)
    if name == "T" and isinstance(array, View):
        return View(array.storage, array.base, tuple(reversed(array.dims)), writeable=array.writeable)
    raise refused(f"the attribute {name!r} of an array")


_PURE = frozenset(
    {abs, min, max, int, float, bool, len, range, round, divmod, pow, sum, tuple, slice, isinstance, type, complex}
    | {enumerate, zip, reversed, all, any}
)


def _is_pure(function: Any) -> bool:
    """Whether a function that is no Python function changes nothing."""
    try:
        known = function in _PURE
    except TypeError:
        return False
    module = str(getattr(function, "__module__", None) or "").partition(".")[0]
    return known or isinstance(function, np.ufunc) or module in ("numpy", "math")


def rule_of(trace: Trace, function: Any, args: list[Value]) -> Rule | None:
    """The rule of a function over these arguments, where it is one of the region's; None where it is not.

    Errors: a break for a function of the region's arrays without a rule.
    """
    from .arrays import concerns

    try:
        known, maker = FUNCTIONS.get(function), MAKERS.get(function)
    except TypeError:
        known = maker = None
    if not _is_pure(function):
        raise refused(f"a call of {getattr(function, '__name__', function)}")
    if concerns(trace, *args):
        if known is None and not isinstance(function, np.ufunc):
            raise refused(f"a call of {getattr(function, '__name__', function)}")
        return known
    return maker
