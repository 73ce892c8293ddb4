"""Writing into elements: ``x[...] = value``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..ops.indexing import SCATTER_ADD, TAKE
from .arithmetic import add, mul, sub
from .creation import arange, as_tensor, full
from .dispatch import apply, assign_, is_tensor_like, number_kind, tensor_of
from .indexing import Value, _as_index, _is_basic, _spelled_out, _view_at, getitem
from .masks import axis_of_mask, check_mask
from .ordering import cumsum
from .pointwise import masked_fill, where
from .promotion import plain_number, to_dtype
from .shaping import expand, expand_to, reshape_to
from .surface import method
from .tensor import Tensor
from .tracing import places_in, values_of


@method("__setitem__")
def setitem(self: Value, index: Any, value: Any) -> None:
    """Writes `value`, a number or what broadcasts, to the part of `self` that `index` names."""
    value = _as_value(value)
    entries = index if type(index) is tuple else (index,)
    if all(_is_basic(entry) for entry in entries):
        assign_(_view_at(self, entries), value if number_kind(value) is not None else _fitting(value, self, entries))
        return
    entries = tuple(_as_index(entry, self) for entry in entries)
    spelled = _spelled_out(self, entries)
    axis = axis_of_mask(spelled)
    if axis is not None and _fills(value):
        _write_where(self, spelled[axis], axis, value)
    elif axis is not None and not isinstance(self, Tensor):
        _write_in_trace(self, spelled[axis], axis, value)
    else:
        _write_picked(self, entries, value)


def _fills(value: Any) -> bool:
    return number_kind(value) is not None or (is_tensor_like(value) and not value.ndim)


def _write_where(x: Value, mask: Value, axis: int, value: Any) -> None:
    """Writes a number to where `mask`, over the axes of `x` from `axis` on, holds."""
    check_mask(mask, x, axis)
    assign_(x, masked_fill(x, _spread(mask, x, axis), value))


def _spread(mask: Value, x: Value, axis: int) -> Value:
    """`mask`, over the axes of `x` from `axis` on, over all of them."""
    after = x.ndim - axis - mask.ndim
    return expand_to(reshape_to(mask, (*(1,) * axis, *mask.shape, *(1,) * after)), x.shape)


def _write_in_trace(x: Value, mask: Value, axis: int, value: Value) -> None:
    """Writes a tensor to where `mask` holds, in a trace: each element is looked up by the count of those before it."""
    check_mask(mask, x, axis)
    places = places_in("an assignment through a mask", mask)
    before, after = math.prod(x.shape[:axis]), math.prod(x.shape[axis + mask.ndim :])
    shape = (*x.shape[:axis], places.shape[0], *x.shape[axis + mask.ndim :])
    flat = reshape_to(expand(to_dtype(value, x.dtype), shape), (math.prod(shape),))
    if not flat.shape[0]:
        _write_nothing(x, places, flat)
        return
    held = reshape_to(mask, (1, math.prod(mask.shape), 1))
    row = add(mul(reshape_to(arange(before), (before, 1, 1)), places.shape[0]), sub(cumsum(held, 1), 1))
    number = add(mul(row, after), reshape_to(arange(after), (1, 1, after)))
    chosen = reshape_to(where(held, number, 0), (math.prod(x.shape),))
    assign_(x, where(_spread(mask, x, axis), reshape_to(apply(TAKE, flat, chosen, axis=0), x.shape), x))


def _write_picked(x: Value, entries: tuple[Any, ...], value: Any) -> None:
    """Writes to places that index tensors name. Of places named twice, the last value stays."""
    places = getitem(reshape_to(arange(math.prod(x.shape), device=x.device), x.shape), entries)
    value = value if is_tensor_like(value) else full(places.shape, value, dtype=x.dtype, device=x.device)
    flat = reshape_to(expand(to_dtype(value, x.dtype), places.shape), (math.prod(places.shape),))
    rows = reshape_to(places, flat.shape)
    if not flat.shape[0]:
        _write_nothing(x, rows, flat)
        return
    written, chosen = _last_written(rows, math.prod(x.shape))
    picked = reshape_to(apply(TAKE, flat, chosen, axis=0), x.shape)
    assign_(x, where(reshape_to(written, x.shape), picked, x))


def _last_written(rows: Value, count: int) -> list[Any]:
    """Two tensors of `count` elements: whether `rows` names that element, and the last place there that does."""
    call_by_call = getattr(type(rows), "__guardlift_call_by_call__", None)
    if call_by_call is not None:
        return call_by_call(lambda given: _last_written(given[0], count), (rows,))  # type: ignore[no-any-return]
    named = values_of("an assignment to places that index tensors name", rows)
    source = np.full(count, -1, np.int64)
    source[named] = np.arange(named.size)
    return [tensor_of(source >= 0, rows), tensor_of(np.maximum(source, 0), rows)]


def _write_nothing(x: Value, rows: Value, flat: Value) -> None:
    """Writes no element, and yet the value is part of the history: it gets a gradient of zeros."""
    whole = apply(SCATTER_ADD, reshape_to(x, (math.prod(x.shape),)), rows, flat, axis=0)
    assign_(x, reshape_to(whole, x.shape))


def _as_value(value: Any) -> Any:
    """`value` as a number or a tensor."""
    if is_tensor_like(value) or number_kind(value) is not None:
        return plain_number(value)
    return as_tensor(value)


def _fitting(value: Value, x: Value, entries: tuple[Any, ...]) -> Value:
    """`value` without leading axes of size 1 that the written part does not have."""
    rank = len([entry for entry in _spelled_out(x, entries) if entry is None or isinstance(entry, slice)])
    extra = value.ndim - rank
    if extra > 0 and value.shape[:extra] == (1,) * extra:
        return reshape_to(value, value.shape[extra:])
    return value
