"""Attention whose scores are never stored: a block of rows at a time, again in its derivative."""

# Note [Blocks of attention]
# The scores of L queries and S keys are L times S numbers, far more than what goes in and comes out. So they are made
# for one row of the batch and some queries at a time, turned into shares, and multiplied by the values, while they are
# in the cache. The derivative makes the shares of a block anew instead of reading them: one product more, of seven.

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes as d
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .derivative import Part
from .emitter import ArrayEmitter, Emitter
from .registry import Array, Composite, Sample, define_op
from .statistics import SOFTMAX

Value = Any


# attention: softmax(query @ key.T * scale) @ value, for query [n, l, e], key [n, s, e] and value [n, s, v]; `causal`
# leaves out what lies behind a row's own place. `rows` says how many queries a block has.
def _meta(q: TensorType, k: TensorType, v: TensorType, *, scale: float, causal: bool, rows: int) -> TensorType:
    fits = q.rank == k.rank == v.rank == 3 and q.dtype is k.dtype is v.dtype and q.dtype.is_float and rows > 0
    if not fits or q.shape[0] != k.shape[0] or k.shape[:2] != v.shape[:2] or q.shape[2] != k.shape[2]:
        raise OpError(f"attention takes floats [n, l, e], [n, s, e] and [n, s, v], got {q}, {k} and {v}")
    if 0 in (*q.shape, *v.shape):
        raise OpError(f"attention takes operands with elements, got {q} and {v}")
    return q.with_shape((*q.shape[:2], v.shape[2]))


def _pieces(length: int, rows: int) -> list[tuple[int, int]]:
    """The blocks of queries, from where to where."""
    return [(start, min(start + rows, length)) for start in range(0, length, rows)]


# In NumPy.
def _shares_of(q: Array, k: Array, scale: float, start: int | None) -> Array:
    """The shares of a block of queries; `start` is the place of the first one where what lies behind is left out."""
    scores = np.matmul(q, k.T)
    scores *= scale
    if start is not None:
        behind = np.arange(k.shape[0]) > np.arange(start, start + q.shape[0])[:, None]
        np.copyto(scores, -np.inf, where=behind)
    return SOFTMAX.eager(scores, axis=1)


def _eager(q: Array, k: Array, v: Array, *, scale: float, causal: bool, rows: int) -> Array:
    result = np.zeros((*q.shape[:2], v.shape[2]), q.dtype)
    for n in range(q.shape[0]):
        for start, stop in _pieces(q.shape[1], rows):
            shares = _shares_of(q[n, start:stop], k[n], scale, start if causal else None)
            np.matmul(shares, v[n], out=result[n, start:stop])
    return result


def _eager_gradients(
    g: Array, q: Array, k: Array, v: Array, scale: float, causal: bool, rows: int
) -> tuple[Array, Array, Array]:
    for_q, for_k, for_v = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    for n in range(q.shape[0]):
        for start, stop in _pieces(q.shape[1], rows):
            part, slope = q[n, start:stop], g[n, start:stop]
            shares = _shares_of(part, k[n], scale, start if causal else None)
            for_v[n] += np.matmul(shares.T, slope)
            slopes = np.matmul(slope, v[n].T)
            slopes -= np.add.reduce(slopes * shares, axis=1)[:, None]
            slopes *= shares
            slopes *= scale
            np.matmul(slopes, k[n], out=for_q[n, start:stop])
            for_k[n] += np.matmul(slopes.T, part)
    return for_q, for_k, for_v


# Over an emitter.
def _turned(f: Emitter, x: Value) -> Value:
    return f.permute(x, axes=(1, 0))


def _shares(f: Emitter, q: Value, k: Value, scale: float, start: Value | None) -> Value:
    scores = f.multiply(f.matmul(q, _turned(f, k)), scale)
    if start is not None:
        rows, places = f.shape(scores)
        row = f.add(f.reshape(f.arange(start=0, step=1, size=rows, dtype=d.int64), shape=(rows, 1)), start)
        place = f.reshape(f.arange(start=0, step=1, size=places, dtype=d.int64), shape=(1, places))
        scores = f.where(f.less_equal(place, row), scores, -math.inf)
    return f.apply(SOFTMAX, scores, axis=1)


def _rows_of(f: Emitter, x: Value, start: int, stop: int) -> Value:
    if (start, stop) == (0, f.shape(x)[0]):
        return x
    width = f.shape(x)[1]
    return f.slice(x, starts=(start, 0), sizes=(stop - start, width), steps=(1, 1))


def _blocks_of(f: Emitter, x: Value, count: int, rows: int) -> Value:
    return f.reshape(_rows_of(f, x, 0, count * rows), shape=(count, rows, f.shape(x)[1]))


def _by_blocks(
    f: Emitter, block: Any, parts: Sequence[Value], held: list[Value], fixed: list[Value], rows: int
) -> tuple[list[Value], Value]:
    """The values that `block` carries along, and its results for the rows of `parts`, some at a time, put together.

    block: ``block(f, held, parts, start, fixed)`` gives the new `held`, and the rows of a result.
    """
    length = f.shape(parts[0])[0]
    count = length // rows
    results = []
    if count > 1:
        starts = f.arange(start=0, step=rows, size=count, dtype=d.int64)
        split = [*(_blocks_of(f, each, count, rows) for each in parts), starts]

        def step(f: Emitter, held: list[Value], given: list[Value], fixed: list[Value]) -> tuple[Any, Any]:
            held, made = block(f, held, given[:-1], f.reshape(given[-1], shape=(1, 1)), fixed)
            return held, [made]

        held, (made,) = f.loop(step, held, split, fixed)
        results.append(f.reshape(made, shape=(count * rows, f.shape(made)[2])))
    else:
        count = 0
    if count * rows < length:
        rest = [_rows_of(f, each, count * rows, length) for each in parts]
        start = f.arange(start=count * rows, step=1, size=1, dtype=d.int64)
        held, made = block(f, held, rest, f.reshape(start, shape=(1, 1)), fixed)
        results.append(made)
    return held, results[0] if len(results) == 1 else f.cat(*results, axis=0)


def _expand(f: Emitter, q: Value, k: Value, v: Value, *, scale: float, causal: bool, rows: int) -> Value:
    def block(f: Emitter, held: Any, parts: Sequence[Value], start: Value, fixed: Sequence[Value]) -> tuple[Any, Value]:
        shares = _shares(f, parts[0], fixed[0], scale, start if causal else None)
        return held, f.matmul(shares, fixed[1])

    def step(f: Emitter, held: list[Value], given: list[Value], fixed: list[Value]) -> tuple[Any, Any]:
        return held, [_by_blocks(f, block, given[:1], [], given[1:], rows)[1]]

    return f.loop(step, [], [q, k, v], [])[1][0]


def _gradients(
    f: Emitter, g: Value, query: Value, key: Value, value: Value, *, scale: float, causal: bool, rows: int
) -> Sequence[Value]:
    if isinstance(f, ArrayEmitter):
        return _eager_gradients(g, query, key, value, scale, causal, rows)

    def block(
        f: Emitter, held: Sequence[Value], parts: Sequence[Value], start: Value, fixed: Sequence[Value]
    ) -> tuple[Any, Value]:
        (part, slope), (k, v), (for_k, for_v) = parts, fixed, held
        shares = _shares(f, part, k, scale, start if causal else None)
        slopes = f.matmul(slope, _turned(f, v))
        height = f.shape(slopes)[0]
        mean = f.reshape(f.sum(f.multiply(slopes, shares), axes=(1,)), shape=(height, 1))
        slopes = f.multiply(f.multiply(f.subtract(slopes, mean), shares), scale)
        for_k = f.add(for_k, f.matmul(_turned(f, slopes), part))
        for_v = f.add(for_v, f.matmul(_turned(f, shares), slope))
        return [for_k, for_v], f.matmul(slopes, k)

    def step(f: Emitter, held: list[Value], given: list[Value], fixed: list[Value]) -> tuple[Any, Any]:
        q, k, v, slope = given
        nothing = [f.multiply(each, 0.0) for each in (k, v)]
        totals, for_q = _by_blocks(f, block, [q, slope], nothing, [k, v], rows)
        return held, [for_q, *totals]

    return f.loop(step, [], [query, key, value, g], [])[1]


def _samples() -> Iterable[Sample]:
    for dtype in (d.float32, d.float64):
        for (length, places), rows in (((4, 4), 2), ((5, 3), 2), ((3, 6), 8), ((5, 5), 1)):
            shapes = ((2, length, 3), (2, places, 3), (2, places, 2))
            given = tuple(samples.uniform(-1, 1, shape, dtype, seed) for seed, shape in enumerate(shapes))
            for causal in (False, True):
                yield samples.with_attrs(given, scale=0.5, causal=causal, rows=rows)


ATTENTION = define_op(
    "attention",
    meta=_meta,
    eager=_eager,
    lower=Composite(_expand),
    exact=False,
    operands=("query", "key", "value"),
    vjp=(Part(_gradients, 0), Part(_gradients, 1), Part(_gradients, 2)),
    grad_name="ScaledDotProductFlashAttentionForCpu",
    samples=_samples,
)
