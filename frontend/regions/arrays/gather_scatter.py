"""Elements of a region's arrays picked by masks and by arrays of indices, and stores through them.

What a mask picks is copied, one after the other, into memory with room for everything; how many there are is a number
of the region, the size of the view of that memory which is the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.dtypes import DType
from ....core.sizes import is_whole
from ....core.types import TensorType
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import LOOP_INDEX, LOOP_SIZE, LOOP_STORE
from ...tracing.nodes import cast, constant_node
from ...tracing.speculation import unsupported_in_region
from ...values.arrays.array import ArrayValue, result
from ...values.arrays.operand import is_array
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.ranges import SliceValue
from ...values.containers.sequences import Sequence as SequenceValue
from ...values.containers.sequences import TupleValue
from ...values.numbers.computed import ComputedNumber
from ..numbers.arithmetic import bounds_of, host_number
from .indices import checked_index, index_node
from .inner_loops import MOST, made, number_for, picked, prepare, put, scratch, store, stored_copy
from .masked_reductions import is_cheap
from .ordered_statements import Counter, in_order, only_if
from .sizes import Size, broadcast, node_of, require_equal
from .slices import Dim
from .views import ArrayExpression, Index, RegionArray, RegionView, as_array, view_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class Selection(ArrayExpression):
    """The elements that a mask picks, yet to be copied; `full` gives the one at an index of the array they come from.

    Operations on what one mask picks give another such selection, which is stored back in one go.
    """

    def __init__(
        self, trace: Trace, mask: RegionArray, rest: tuple[int, ...], dtype: DType, full: Callable[[Index], Node],
        reads: list[RegionView],
    ) -> None:  # fmt: skip
        self.trace = trace
        self.mask = mask
        self.rest = rest
        self.dtype = dtype
        self.full = full
        self.cuts = frozenset()
        self.operands: list[Selection] = []
        """The selections that it is computed from."""
        self._reads = reads
        self._kept: RegionView | None = None

    @property
    def shape(self) -> tuple[Size, ...]:  # type: ignore[override]
        return self.materialize(self.trace).shape

    def reads(self) -> list[RegionView]:
        return [self._kept] if self._kept else [*self._reads, *self.mask.reads()]

    def at(self, trace: Trace, index: Index) -> Node:
        assert self._kept is not None, "a selection is settled before a loop asks for its elements"
        return self._kept.at(trace, index)

    def materialize(self, trace: Trace) -> RegionView:
        if self._kept is None:
            self._kept = _compressed(trace, self)
        return self._kept

    def is_alike(self, trace: Trace, mask: RegionArray) -> bool:
        """Whether it is yet to be copied, and by this very mask."""
        own = self.mask
        if self._kept is not None or self.rest:
            return False
        return (
            own is mask or isinstance(own, RegionView) and isinstance(mask, RegionView) and own.same_places(trace, mask)
        )


def array_parts(key: Value) -> list[Value]:
    """The parts of a subscript if an array is among them; else none."""
    parts = list(key.items) if isinstance(key, TupleValue) else [key]
    return parts if any(is_array(each) for each in parts) else []


def select(trace: Trace, array: RegionView, parts: list[Value]) -> RegionArray:
    """`array[mask]` or `array[indices, …]`: a new array."""
    mask = _mask_of(trace, parts)
    if mask is not None:
        return _selected(trace, array, mask)
    return stored_copy(trace, _gathered(trace, array, parts))


def store_selected(trace: Trace, target: RegionView, parts: list[Value], value: Value) -> None:
    """`target[mask] = value` or `target[indices, …] = value`, one element after the other."""
    if not target.writeable:
        raise unsupported_in_region("a write into an array that is read-only")
    mask = _mask_of(trace, parts)
    if mask is None:
        _scatter(trace, target, parts, value)
    elif isinstance(value, Selection) and value.is_alike(trace, mask) and _goes_back(trace, target, mask, value):
        _put_back(trace, target, mask, value)
    elif as_array(trace, value) is None:
        _fill(trace, target, mask, value)
    else:
        _expand(trace, target, mask, value)


# Masks.
def _mask_of(trace: Trace, parts: list[Value]) -> RegionArray | None:
    """The mask that is the whole subscript; None for arrays of indices. Errors: a break for other uses of bools."""
    arrays = [as_array(trace, each) for each in parts if is_array(each)]
    if all(each is not None and each.dtype.is_integer for each in arrays):
        return None
    if len(parts) == 1 and arrays[0] is not None and arrays[0].dtype.is_bool:
        return arrays[0]
    raise LOOP_INDEX.stop(what="a mask among other indices, or an index of another kind")


def _require_fit(trace: Trace, array: RegionView, mask: RegionArray) -> None:
    if len(mask.shape) > len(array.shape):
        raise LOOP_INDEX.stop(what="a mask of more axes than the array")
    for size, wanted in zip(mask.shape, array.shape, strict=False):
        require_equal(trace, size, wanted)


def most_of(size: Size) -> int:
    """The largest number that a size can be."""
    return size if is_whole(size) else bounds_of(size)[1]


def _selected(trace: Trace, array: RegionView, mask: RegionArray) -> Selection:
    """The elements, or rows, where the mask is true."""
    _require_fit(trace, array, mask)
    rest = array.shape[len(mask.shape) :]
    inner = tuple(filter(is_whole, rest))
    if len(inner) < len(rest):
        raise LOOP_SIZE.stop(what="a mask over rows whose size changes")
    made_now = Selection(trace, mask, inner, array.dtype, lambda index: array.at(trace, index), array.reads())
    made(trace, made_now)
    return made_now


def _compressed(trace: Trace, selection: Selection) -> RegionView:
    """The elements of a selection, one after the other."""
    mask, inner, room = selection.mask, selection.rest, 1
    for size in mask.shape:
        room *= most_of(size)
    if room > MOST:
        raise LOOP_SIZE.stop(what="a mask of an array whose size is not known")
    target = view_of(trace, scratch(trace, TensorType((room, *inner), selection.dtype)))
    counter = Counter(trace)
    if is_cheap(trace, selection):  # no branch to be mispredicted: what is not picked is overwritten by what follows
        with in_order(trace, mask.shape) as index:
            _copy(trace, target, [counter.now()], selection.full(index))
            counter.advance(cast(trace, mask.at(trace, index), dtypes.int64))
    else:
        with in_order(trace, mask.shape) as index, only_if(trace, mask.at(trace, index)):
            place = counter.now()
            with in_order(trace, inner) as within:
                _copy(trace, target, [place, *within], selection.full([*index, *within]))
            counter.advance()
    count = host_number(trace, counter.now(), (0, room))
    assert isinstance(count, ComputedNumber)
    return RegionView(target.storage, target.base, (Dim(0, 1, count), *target.dims[1:]), writeable=True)


def _copy(trace: Trace, target: RegionView, index: Index, value: Node) -> None:
    assert trace.region is not None
    trace.region.store(target.storage, target.place(trace, index), value)


def _goes_back(trace: Trace, target: RegionView, mask: RegionArray, value: Selection) -> bool:
    """Whether a selection can be stored where it came from: each element is read before it is written, and only then.

    Nobody may hold it, who would ask for its elements later.
    """
    if any(not each.is_standalone(trace, target) for each in mask.reads()) or len(mask.shape) != len(target.shape):
        return False
    if any(not each.same_places(trace, target) and not each.is_standalone(trace, target) for each in value.reads()):
        return False
    return not _is_held(trace, value)


def _is_held(trace: Trace, value: Value) -> bool:
    """Whether a variable, or a tuple or list, may hold a value."""
    held = [each for frame in trace.progress.frames for each in (*frame.variables.values(), *frame.stack)]
    return any(each is value or isinstance(each, SequenceValue) for each in held)


def _served(trace: Trace, value: Selection) -> list[Selection]:
    """The selections that one is computed from and nobody else holds. (Others computed from them ask them at once.)"""
    found: list[Selection] = []
    for each in value.operands:
        found += [*([] if _is_held(trace, each) else [each]), *_served(trace, each)]
    return found


def _put_back(trace: Trace, target: RegionView, mask: RegionArray, value: Selection) -> None:
    _require_fit(trace, target, mask)
    prepare(trace, target, value, *_served(trace, value))
    with in_order(trace, mask.shape) as index, only_if(trace, mask.at(trace, index)):
        put(trace, target, index, result(trace, value.full(index)))


def _fill(trace: Trace, target: RegionView, mask: RegionArray, value: Value) -> None:
    """`target[mask] = number`."""
    _require_fit(trace, target, mask)
    mask = _apart(trace, mask, target)
    number = number_for(trace, target, value)
    prepare(trace, target)
    with in_order(trace, mask.shape) as index, only_if(trace, mask.at(trace, index)):
        with in_order(trace, target.shape[len(mask.shape) :]) as within:
            put(trace, target, [*index, *within], number)


def _expand(trace: Trace, target: RegionView, mask: RegionArray, value: Value) -> None:
    """`target[mask] = array`, which has a row for each true element; the region is left for another number of them."""
    _require_fit(trace, target, mask)
    rows = as_array(trace, value)
    assert rows is not None
    rank = len(mask.shape)
    if len(rows.shape) != 1 + len(target.shape) - rank or any(
        not is_whole(size) or size != wanted for size, wanted in zip(rows.shape[1:], target.shape[rank:], strict=True)
    ):
        raise LOOP_STORE.stop(what="an array of another shape through a mask")
    mask, rows = _apart(trace, mask, target), _apart(trace, rows, target)
    counter = Counter(trace)
    with in_order(trace, mask.shape) as index, only_if(trace, mask.at(trace, index)):
        counter.advance()
    region = trace.region
    assert region is not None
    region.leave_if(trace.add(p.NOT_EQUAL, counter.now(), node_of(trace, rows.shape[0])))
    prepare(trace, target)
    counter = Counter(trace)
    with in_order(trace, mask.shape) as index, only_if(trace, mask.at(trace, index)):
        place = counter.now()
        with in_order(trace, target.shape[rank:]) as within:
            put(trace, target, [*index, *within], rows.element(trace, [place, *within]))
        counter.advance()


def _apart(trace: Trace, array: RegionArray, target: RegionView) -> RegionArray:
    """An array whose elements do not change when `target` is written: a copy where they might."""
    shares = any(not each.is_standalone(trace, target) for each in array.reads())
    return stored_copy(trace, array) if shares else array


# Arrays of indices.
def gathered(trace: Trace, array: RegionView, parts: list[Value]) -> ArrayValue:
    """`array[indices, …]`, all of whose sizes are known, as an array that may outlive the region."""
    picked_ones = _gathered(trace, array, parts)
    sizes = tuple(filter(is_whole, picked_ones.shape))
    room = scratch(trace, TensorType(sizes, array.dtype))
    store(trace, view_of(trace, room), picked_ones)
    return room


def _indices(trace: Trace, array: RegionView, parts: list[Value]) -> tuple[list[RegionArray | Value], tuple[Size, ...]]:
    """The parts, which index the first axes, and the shape that the arrays among them have together."""
    if any(
        isinstance(each, SliceValue) or isinstance(each, Constant) and each.python_type is not int for each in parts
    ):
        raise LOOP_INDEX.stop(what="an array of indices beside slices or new axes")
    if len(parts) > len(array.shape):
        raise LOOP_INDEX.stop(what="an index of too many parts")
    found: list[RegionArray | Value] = [as_array(trace, each) or each for each in parts]
    return found, broadcast(trace, [each.shape for each in found if isinstance(each, RegionArray)])


def _places(
    trace: Trace, array: RegionView, parts: list[RegionArray | Value], shape: tuple[Size, ...], index: Index
) -> Index:
    """The place to which the parts lead at an index of their shape; the region is left where one is out of range."""
    region = trace.region
    assert region is not None
    places: Index = []
    for part, size in zip(parts, array.shape, strict=False):
        value = part
        if isinstance(part, RegionArray):
            value = result(trace, part.at(trace, picked(trace, part, shape, index)), is_numpy_scalar=True)
        if is_whole(size):
            places.append(region.let_of(checked_index(trace, region, value, size)))
        else:
            places.append(_below(trace, value, size))
    return places


def _below(trace: Trace, value: Value, size: Size) -> Node:
    """An index of an axis whose size changes; a negative one counts from the end."""
    region = trace.region
    assert region is not None
    if isinstance(value, Constant):
        raise LOOP_INDEX.stop(what="a known index beside an array of indices")
    node, _ = index_node(trace, region, value)
    zero, most = constant_node(trace, 0, (), dtypes.int64), node_of(trace, size)
    node = trace.add(p.WHERE, trace.add(p.LESS, node, zero), trace.add(p.ADD, node, most), node)
    region.leave_if(trace.add(p.LESS, node, zero))
    region.leave_if(trace.add(p.LESS_EQUAL, most, node))
    return node


def _gathered(trace: Trace, array: RegionView, parts: list[Value]) -> ArrayExpression:
    found, shape = _indices(trace, array, parts)
    rank = len(shape)

    def compute(index: Index) -> Node:
        return array.at(trace, [*_places(trace, array, found, shape, index[:rank]), *index[rank:]])

    return ArrayExpression((*shape, *array.shape[len(parts) :]), array.dtype, compute, [])


def _scatter(trace: Trace, target: RegionView, parts: list[Value], value: Value) -> None:
    """`target[indices, …] = value`: the last of several stores into one place stays."""
    found, shape = _indices(trace, target, parts)
    apart = [_apart(trace, each, target) if isinstance(each, RegionArray) else each for each in found]
    rows, rest = as_array(trace, value), target.shape[len(parts) :]
    whole = (*shape, *rest)
    number: Value = value
    if rows is None:
        number = number_for(trace, target, value)
    else:
        if len(rows.shape) > len(whole):
            raise LOOP_STORE.stop(what="an array of more axes")
        for size, wanted in zip(reversed(rows.shape), reversed(whole), strict=False):
            if not (is_whole(size) and size == 1):
                require_equal(trace, size, wanted)
        rows = _apart(trace, rows, target)
    prepare(trace, target)
    with in_order(trace, shape) as index:
        places = _places(trace, target, apart, shape, index)
        with in_order(trace, rest) as within:
            at = [*index, *within]
            element = number if rows is None else rows.element(trace, picked(trace, rows, whole, at))
            put(trace, target, [*places, *within], element)
