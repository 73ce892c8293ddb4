"""Writing into elements: ``x[...] = value``."""

from __future__ import annotations

import math
from typing import Any

from ..ops.indexing import SCATTER, SCATTER_ADD, TAKE
from .arithmetic import add, mul, sub
from .creation import arange, as_tensor, full
from .dispatch import apply, assign_, is_tensor_like, number_kind
from .indexing import Value, _as_index, _flat_index, _is_basic, _prepared, _spelled_out, _view_at
from .masks import axis_of_mask, check_mask
from .ordering import cumsum
from .pointwise import masked_fill, where
from .promotion import plain_number, to_dtype
from .shaping import expand, expand_to, reshape_to
from .surface import method
from .tensor import Tensor
from .tracing import places_in


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
        # No element is written, and yet the value is part of the history: it gets a gradient of zeros.
        whole = apply(SCATTER_ADD, reshape_to(x, (math.prod(x.shape),)), places, flat, axis=0)
        assign_(x, reshape_to(whole, x.shape))
        return
    held = reshape_to(mask, (1, math.prod(mask.shape), 1))
    row = add(mul(reshape_to(arange(before), (before, 1, 1)), places.shape[0]), sub(cumsum(held, 1), 1))
    number = add(mul(row, after), reshape_to(arange(after), (1, 1, after)))
    chosen = reshape_to(where(held, number, 0), (math.prod(x.shape),))
    assign_(x, where(_spread(mask, x, axis), reshape_to(apply(TAKE, flat, chosen, axis=0), x.shape), x))


def _write_picked(x: Value, entries: tuple[Any, ...], value: Any) -> None:
    """Writes to places that index tensors name. Of places named twice, the last value stays."""
    part, picks, lead = _prepared(x, entries)
    before, after = part.shape[:lead], part.shape[lead + len(picks) :]
    value = value if is_tensor_like(value) else full((), value, dtype=x.dtype, device=x.device)
    value = expand(to_dtype(value, x.dtype), (*before, *picks[0].shape, *after))
    extents = part.shape[lead : lead + len(picks)]
    index = _flat_index(picks, extents)
    count = math.prod(index.shape)
    rows = reshape_to(part, (*before, math.prod(extents), *after))
    # Where nothing is written, the value is part of the history all the same: it gets a gradient of zeros.
    scattered = apply(
        SCATTER, rows, reshape_to(index, (count,)), reshape_to(value, (*before, count, *after)), axis=lead
    )
    assign_(part, reshape_to(scattered, part.shape))


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
