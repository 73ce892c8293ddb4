"""Writing into elements: ``x[...] = value``."""

from __future__ import annotations

import math
from typing import Any

from ..ops.indexing import SCATTER
from .creation import as_tensor, full
from .dispatch import apply, assign_, is_tensor_like, number_kind
from .indexing import Value, _as_index, _flat_index, _is_basic, _prepared, _spelled_out, _view_at
from .masks import axis_of_mask, check_mask
from .pointwise import masked_fill
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
    """Writes a tensor to where `mask` holds, in a trace."""
    check_mask(mask, x, axis)
    _send(x, axis, mask.ndim, places_in("an assignment through a mask", mask), value)


def _write_picked(x: Value, entries: tuple[Any, ...], value: Any) -> None:
    """Writes to places that index tensors name. Of places named twice, the last value stays."""
    part, picks, lead = _prepared(x, entries)
    value = value if is_tensor_like(value) else full((), value, dtype=x.dtype, device=x.device)
    _send(part, lead, len(picks), _flat_index(picks, part.shape[lead : lead + len(picks)]), value)


def _send(x: Value, lead: int, count: int, index: Value, value: Value) -> None:
    """Writes `value` to the places that `index` counts, row by row, over `count` axes of `x` from `lead` on.

    A value that is written nowhere is part of the history all the same: it gets a gradient of zeros.
    """
    before, picked, after = x.shape[:lead], x.shape[lead : lead + count], x.shape[lead + count :]
    value = expand(to_dtype(value, x.dtype), (*before, *index.shape, *after))
    length = math.prod(index.shape)
    rows = reshape_to(x, (*before, math.prod(picked), *after))
    flat = reshape_to(value, (*before, length, *after))
    scattered = apply(SCATTER, rows, reshape_to(index, (length,)), flat, axis=lead)
    assign_(x, reshape_to(scattered, x.shape))


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
