"""Attention as a step of its own: what graphs for a device have in the place of rounds over blocks.

Nothing is differentiated here: composites become these after that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError, SizeError
from ..core.types import TensorType
from .attention_blocks import Blocks, eager_attention, eager_gradients
from .emitter import Emitter
from .registry import Array
from .several import define_several

Value = Any
MOST_FEATURES = 128
"""The largest last axis of query, key and value of which kernels keep a block in shared memory."""


def _meta(*types: TensorType, scale: float, causal: bool, masked: bool, dropped: bool) -> TensorType:
    return _checked("fused_attention", types, 3 + masked + 2 * dropped)


def _gradients_meta(*types: TensorType, scale: float, causal: bool, masked: bool, dropped: bool) -> TensorType:
    return _checked("fused_attention_gradients", types, 6 + masked + 2 * dropped)


def _checked(name: str, types: Sequence[TensorType], wanted: int) -> TensorType:
    if len(types) != wanted:
        raise OpError(f"{name} takes {wanted} operands here, got {len(types)}")
    if any(each.rank != 3 or each.dtype is not dtypes.float32 for each in types[:3]):
        raise OpError(f"{name} takes query, key and value of float32 and three axes, got {types[:3]}")
    return TensorType((), dtypes.int64)


# In NumPy.
def _split(
    given: Sequence[Array], masked: bool, dropped: bool
) -> tuple[Array | None, Sequence[Array], Sequence[Array]]:
    """The mask, the draws, and what follows."""
    rest = list(given[masked + 2 * dropped :])
    return given[0] if masked else None, given[masked : masked + 2 * dropped], rest


def _eager(
    q: Array, k: Array, v: Array, *given: Array, scale: float, causal: bool, masked: bool, dropped: bool
) -> Sequence[Array]:
    mask, draws, _ = _split(given, masked, dropped)
    result = eager_attention(Blocks(q, k, mask, draws, scale, causal), v, q.shape[1])
    scores = np.matmul(q, np.swapaxes(k, 1, 2)) * np.float32(scale)
    if causal:
        queries, keys = scores.shape[1:]
        scores[:, np.arange(keys) > np.arange(queries)[:, None]] = -np.inf
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype.kind == "b" else scores + mask
    largest = scores.max(axis=2)
    largest[np.isneginf(largest)] = 0
    whole = np.exp(scores - largest[:, :, None]).sum(axis=2)
    if masked:
        whole[whole == 0] = 1
    return [result, np.stack([largest, 1 / whole], axis=2).astype(np.float32)]


def _eager_gradients(
    q: Array, k: Array, v: Array, *given: Array, scale: float, causal: bool, masked: bool, dropped: bool
) -> Sequence[Array]:
    mask, draws, (g, _, _) = _split(given, masked, dropped)
    return eager_gradients(Blocks(q, k, mask, draws, scale, causal), g, v, q.shape[1])


FUSED_ATTENTION, FUSED_ATTENTION_RESULT = define_several("fused_attention", meta=_meta, eager=_eager)
"""The node itself is only a token. Of query, key, value, a mask if `masked`, and where `dropped` the place of the draws
and the probability with which a share stays (see `attention_blocks`) there are as results, of float32:

0: what attention gives, [n, l, v];
1: for each query the largest of its scores, and one over the sum of the powers of e to how far the others are below
   it, [n, l, 2]; zero and one for a query of which a mask leaves nothing.
"""
FUSED_GRADIENTS, FUSED_GRADIENTS_RESULT = define_several(
    "fused_attention_gradients", meta=_gradients_meta, eager=_eager_gradients
)
"""The token of the cotangents of query, key and value. Of the operands of `FUSED_ATTENTION`, then the cotangent of what
that gives, [n, l, v], its result 1, and the sum over the last axis of cotangent times result 0, [n, l].
"""


def _flags(mask: Value | None, draws: Sequence[Value], scale: float, causal: bool) -> dict[str, Any]:
    return {"scale": scale, "causal": causal, "masked": mask is not None, "dropped": bool(draws)}


def _takes(f: Emitter, query: Value, value: Value) -> bool:
    """Whether there are kernels for these operands. Errors: SizeError where a size is known to the call alone."""
    sizes = (*f.shape(query), *f.shape(value))
    if not all(type(each) is int for each in sizes):
        raise SizeError("attention goes by its sizes, which only the call knows")
    return f.dtype(query) is dtypes.float32 and max(sizes[2], sizes[5]) <= MOST_FEATURES


def _forward(
    f: Emitter, query: Value, key: Value, value: Value, mask: Value | None, draws: Sequence[Value], flags: Any
) -> tuple[Value, Value]:
    more = [] if mask is None else [mask]
    token = f.apply(FUSED_ATTENTION, query, key, value, *more, *draws, **flags)
    shapes = (*f.shape(query)[:2], f.shape(value)[2]), (*f.shape(query)[:2], 2)
    made = [
        f.apply(FUSED_ATTENTION_RESULT, token, index=index, shape=tuple(shape), dtype=dtypes.float32)
        for index, shape in enumerate(shapes)
    ]
    return made[0], made[1]


def fused_attention(
    f: Emitter,
    query: Value,
    key: Value,
    value: Value,
    mask: Value | None,
    draws: Sequence[Value],
    *,
    scale: float,
    causal: bool,
    rows: int,
) -> Value | None:
    """The result of attention, as a step of its own; None where there is no kernel for the operands."""
    if not _takes(f, query, value):
        return None
    return _forward(f, query, key, value, mask, draws, _flags(mask, draws, scale, causal))[0]


def fused_gradient(
    f: Emitter,
    g: Value,
    query: Value,
    key: Value,
    value: Value,
    mask: Value | None,
    draws: Sequence[Value],
    *,
    scale: float,
    causal: bool,
    rows: int,
    of: int,
) -> Value | None:
    """One of the cotangents of query, key and value; those of all are one step, which equal nodes become.

    Where the graph has the attention itself, its step serves for what is asked of it here, too.
    """
    if not _takes(f, query, value):
        return None
    flags = _flags(mask, draws, scale, causal)
    result, sums = _forward(f, query, key, value, mask, draws, flags)
    means = f.sum(f.multiply(g, result), axes=(2,))
    more = [] if mask is None else [mask]
    token = f.apply(FUSED_GRADIENTS, query, key, value, *more, *draws, g, sums, means, **flags)
    shape = tuple(f.shape((query, key, value)[of]))
    return f.apply(FUSED_GRADIENTS_RESULT, token, index=of, shape=shape, dtype=dtypes.float32)
