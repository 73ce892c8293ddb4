"""Writing into elements: ``x[...] = value``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..ops.indexing import SCATTER_ADD, TAKE
from .creation import arange, as_tensor, full
from .dispatch import apply, assign_, is_tensor_like, number_kind, tensor_of
from .indexing import Value, _as_index, _is_basic, _positions_of, _spelled_out, _view_at, getitem
from .pointwise import masked_fill, where
from .promotion import plain_number, to_dtype
from .shaping import expand, expand_to, reshape_to
from .surface import method
from .tracing import values_of


@method("__setitem__")
def setitem(self: Value, index: Any, value: Any) -> None:
    """Writes `value`, a number or what broadcasts, to the part of `self` that `index` names."""
    value = _as_value(value)
    entries = index if type(index) is tuple else (index,)
    if all(_is_basic(entry) for entry in entries):
        assign_(_view_at(self, entries), value if number_kind(value) is not None else _fitting(value, self, entries))
        return
    entries = tuple(_as_index(entry, self) for entry in entries)
    mask = entries[0]
    if len(entries) == 1 and is_tensor_like(mask) and mask.dtype.is_bool and _fills(value):
        _write_where(self, mask, value)
        return
    _write_picked(self, entries, value)


def _fills(value: Any) -> bool:
    return number_kind(value) is not None or (is_tensor_like(value) and not value.ndim)


def _write_where(x: Value, mask: Value, value: Any) -> None:
    """Writes a number to where `mask`, over the leading axes of `x`, holds."""
    if x.shape[: mask.ndim] != mask.shape:
        _positions_of(mask, x, 0)
    spread = expand_to(reshape_to(mask, (*mask.shape, *(1,) * (x.ndim - mask.ndim))), x.shape)
    assign_(x, masked_fill(x, spread, value))


def _write_picked(x: Value, entries: tuple[Any, ...], value: Any) -> None:
    """Writes to places that index tensors name. Of places named twice, the last value stays."""
    places = getitem(reshape_to(arange(math.prod(x.shape), device=x.device), x.shape), entries)
    value = value if is_tensor_like(value) else full(places.shape, value, dtype=x.dtype, device=x.device)
    flat = reshape_to(expand(to_dtype(value, x.dtype), places.shape), (math.prod(places.shape),))
    rows = reshape_to(places, flat.shape)
    if not flat.shape[0]:
        # Nothing is written, and yet the value is part of the history: it gets a gradient of zeros.
        whole = apply(SCATTER_ADD, reshape_to(x, (math.prod(x.shape),)), rows, flat, axis=0)
        assign_(x, reshape_to(whole, x.shape))
        return
    named = values_of("an assignment to places that index tensors name", rows)
    # The number of the value that each element gets, or -1.
    source = np.full(math.prod(x.shape), -1, np.int64)
    source[named] = np.arange(named.size)
    written = tensor_of((source >= 0).reshape(x.shape), x)
    chosen = tensor_of(np.maximum(source, 0), x)
    assign_(x, where(written, reshape_to(apply(TAKE, flat, chosen, axis=0), x.shape), x))


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
