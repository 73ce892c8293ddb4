"""The parts of attention and of its gradients: a block of scores at a time, in NumPy and over an emitter."""

# Note [Blocks of attention]
# The scores of L queries and S keys are L times S numbers, far more than what goes in and comes out. So they are made
# for one row of the batch and some queries at a time, turned into shares, and multiplied by the values, while they are
# in the cache. The derivative makes the shares of a block anew instead of reading them: one product more, of seven.
# Few scores, all of which lie in the cache, are made at once: threads share out a batch of products.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import dtypes as d
from ..core.errors import OpError
from ..core.sizes import is_symbolic
from ..core.types import TensorType
from .emitter import Emitter
from .random import uniform_at, uniform_part
from .registry import Array, Composite
from .statistics import MASKED_SOFTMAX, SOFTMAX

Value = Any
AT_ONCE = 2**19
"""Scores up to which they are made at once, where a block has all queries of a row of the batch."""


# attention: softmax(query @ key.T * scale + mask) @ value, for query [n, l, e], key [n, s, e] and value [n, s, v].
# `causal` leaves out what lies behind a row's own place; `rows` says how many queries a block has. A mask, of bools or
# floats, is [1 or n, 1 or l, s]. Where shares are dropped, `place` is where the draws for it begin, and `kept`, [1], is
# the probability with which one stays.
def attention_type(
    q: TensorType, k: TensorType, v: TensorType, *more: TensorType, scale: float, causal: bool, rows: int
) -> TensorType:
    """The type of what attention gives. Errors: OpError for operands of other shapes or dtypes."""
    fits = q.rank == k.rank == v.rank == 3 and q.dtype is k.dtype is v.dtype and q.dtype.is_float and rows > 0
    if not fits or q.shape[0] != k.shape[0] or k.shape[:2] != v.shape[:2] or q.shape[2] != k.shape[2]:
        raise OpError(f"attention takes floats [n, l, e], [n, s, e] and [n, s, v], got {q}, {k} and {v}")
    if 0 in (*q.shape, *v.shape):
        raise OpError(f"attention takes operands with elements, got {q} and {v}")
    for mask in (each for each in more if each.rank != 1):
        full = (*q.shape[:2], k.shape[1])
        alike = mask.rank == 3 and mask.shape[2] == full[2] and all(a in (1, b) for a, b in zip(mask.shape, full))
        if not alike or not (mask.dtype.is_bool or mask.dtype is q.dtype):
            raise OpError(f"attention takes a mask of bools or {q.dtype} that broadcasts to {full}, got {mask}")
    return q.with_shape((*q.shape[:2], v.shape[2]))


def _pieces(length: int, rows: int) -> list[tuple[int, int]]:
    """The blocks of queries, from where to where."""
    return [(start, min(start + rows, length)) for start in range(0, length, rows)]


def is_at_once(query: Sequence[Any], keys: Any, rows: int) -> bool:
    """Whether all scores are made at once. query: its shape.   keys: their number.   rows: the queries of a block."""
    n, length, _ = query
    return not is_symbolic((n, length, keys)) and length <= rows and n * length * keys <= AT_ONCE


# In NumPy.
class Blocks:
    """The shares of blocks of queries, and what a dropout multiplies them by."""

    def __init__(
        self, q: Array, k: Array, mask: Array | None, draws: Sequence[Array], scale: float, causal: bool
    ) -> None:
        self.q, self.k, self.scale, self.causal = q, k, scale, causal
        self.size = (q.shape[0], q.shape[1], k.shape[1])
        self.mask = None if mask is None else np.broadcast_to(mask, self.size)
        self.draws = draws

    def shares(self, n: int, start: int, stop: int) -> Array:
        """The shares of the queries of a block, [stop - start, s]."""
        scores = np.matmul(self.q[n, start:stop], self.k[n].T)
        scores *= self.scale
        if self.causal:
            behind = np.arange(self.size[2]) > np.arange(start, stop)[:, None]
            np.copyto(scores, -np.inf, where=behind)
        if self.mask is None:
            return SOFTMAX.eager(scores, axis=1)
        mask = self.mask[n, start:stop]
        if mask.dtype.kind == "b":
            np.copyto(scores, -np.inf, where=~mask)
        else:
            scores += mask
        return MASKED_SOFTMAX.eager(scores, axis=1)

    def noise(self, n: int, start: int, stop: int) -> Array | None:
        """The factors of the shares of a block; None where nothing is dropped."""
        if not self.draws:
            return None
        seed, offset = (int(each) % 2**64 for each in self.draws[0])
        _, length, width = self.size
        count, dtype = (stop - start) * width, self.q.dtype
        kind = d.float64 if dtype == np.float64 else d.float32
        drawn = uniform_part(seed, offset, (n * length + start) * width, count, kind)
        kept = (drawn < self.draws[1]).astype(dtype)
        kept /= self.draws[1]
        return kept.reshape(stop - start, width)


def eager_attention(blocks: Blocks, v: Array, rows: int) -> Array:
    """The result of attention, in NumPy. Shapes: v [n, s, v] -> [n, l, v]."""
    n_rows, length, _ = blocks.size
    result = np.zeros((n_rows, length, v.shape[2]), v.dtype)
    for n in range(n_rows):
        for start, stop in _pieces(length, rows):
            shares, noise = blocks.shares(n, start, stop), blocks.noise(n, start, stop)
            if noise is not None:
                shares *= noise
            np.matmul(shares, v[n], out=result[n, start:stop])
    return result


def eager_gradients(blocks: Blocks, g: Array, v: Array, rows: int) -> tuple[Array, Array, Array]:
    """The cotangents of query, key and value, made of that of the result, in NumPy."""
    q, k = blocks.q, blocks.k
    for_q, for_k, for_v = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    for n in range(q.shape[0]):
        for start, stop in _pieces(q.shape[1], rows):
            part, slope = q[n, start:stop], g[n, start:stop]
            shares, noise = blocks.shares(n, start, stop), blocks.noise(n, start, stop)
            kept = shares if noise is None else shares * noise
            for_v[n] += np.matmul(kept.T, slope)
            slopes = np.matmul(slope, v[n].T)
            if noise is not None:
                slopes *= noise
            slopes -= np.add.reduce(slopes * shares, axis=1)[:, None]
            slopes *= shares
            slopes *= blocks.scale
            np.matmul(slopes, k[n], out=for_q[n, start:stop])
            for_k[n] += np.matmul(slopes.T, part)
    return for_q, for_k, for_v


# Over an emitter.
def turned(f: Emitter, x: Value) -> Value:
    """A matrix transposed, or each of a batch."""
    rank = len(f.shape(x))
    return f.permute(x, axes=(*range(rank - 2), rank - 1, rank - 2))


def _slopes(f: Emitter, g: Value, v: Value, shares: Value, noise: Value | None, scale: float) -> tuple[Value, Value]:
    """The cotangents of queries times keys, made of that of the result, and the shares as used. noise: of a dropout."""
    slopes, kept = f.matmul(g, turned(f, v)), shares
    if noise is not None:
        slopes, kept = f.multiply(slopes, noise), f.multiply(shares, noise)
    *rows, _ = f.shape(shares)
    mean = f.reshape(f.sum(f.multiply(slopes, shares), axes=(len(rows),)), shape=(*rows, 1))
    return f.multiply(f.multiply(f.subtract(slopes, mean), shares), scale), kept


def _shares(f: Emitter, q: Value, k: Value, mask: Value | None, scale: float, start: Value | None) -> Value:
    """The shares of a block; `start` is the place of its first query where what lies behind is left out."""
    scores = f.multiply(f.matmul(q, turned(f, k)), scale)
    if start is not None:
        rows, places = f.shape(scores)
        row = f.add(f.reshape(f.arange(start=0, step=1, size=rows, dtype=d.int64), shape=(rows, 1)), start)
        place = f.reshape(f.arange(start=0, step=1, size=places, dtype=d.int64), shape=(1, places))
        scores = f.where(f.less_equal(place, row), scores, -math.inf)
    if mask is None:
        return f.apply(SOFTMAX, scores, axis=1)
    scores = f.where(mask, scores, -math.inf) if f.dtype(mask).is_bool else f.add(scores, mask)
    return f.apply(MASKED_SOFTMAX, scores, axis=1)


def _noise(f: Emitter, draws: Sequence[Value], start: Value, like: Value) -> Value:
    """The factors of the shares of a block, as those of `like`.

    draws: the number of the first element of a row of the batch, among those of a draw of all; place, and `kept`.
    """
    first, place, kept = draws
    rows, width = f.shape(like)
    number = f.reshape(f.arange(start=0, step=1, size=rows * width, dtype=d.uint64), shape=(rows, width))
    index = f.add(f.add(number, first), f.multiply(f.cast(start, dtype=d.uint64), width))
    seed, offset = (
        f.reshape(f.slice(place, starts=(each,), sizes=(1,), steps=(1,)), shape=(1, 1)) for each in range(2)
    )
    share = f.reshape(kept, shape=(1, 1))
    stays = f.less(uniform_at(f, seed, offset, index, f.dtype(like)), share)
    return f.divide(f.cast(stays, dtype=f.dtype(like)), share)


def masked_shares(
    f: Emitter, q: Value, k: Value, mask: Value | None, scale: float, causal: bool, in_primitives: bool = False
) -> Value:
    """All shares, with nothing dropped. Shapes: q [n, l, e], k [n, s, e] -> [n, l, s].

    in_primitives: whether no composite may be among the operations, as in the expansion of another one."""
    scores = f.multiply(f.matmul(q, turned(f, k)), scale)
    rows, places = f.shape(scores)[1:]
    if causal:
        row = f.reshape(f.arange(start=0, step=1, size=rows, dtype=d.int64), shape=(1, rows, 1))
        place = f.reshape(f.arange(start=0, step=1, size=places, dtype=d.int64), shape=(1, 1, places))
        scores = f.where(f.less_equal(place, row), scores, -math.inf)
    if mask is not None:
        scores = f.where(mask, scores, -math.inf) if f.dtype(mask).is_bool else f.add(scores, mask)
    op = SOFTMAX if mask is None else MASKED_SOFTMAX
    if in_primitives and isinstance(op.lower, Composite):
        return op.lower.expand(f, scores, axis=2)
    return f.apply(op, scores, axis=2)


def noise_of_all(f: Emitter, draws: Sequence[Value], like: Value) -> Value:
    """The factors by which a dropout multiplies all shares. Shapes: like [n, l, s] -> [n, l, s]."""
    place, kept = draws
    shape = f.shape(like)
    index = f.reshape(f.arange(start=0, step=1, size=math.prod(shape), dtype=d.uint64), shape=shape)
    seed, offset = (
        f.reshape(f.slice(place, starts=(each,), sizes=(1,), steps=(1,)), shape=(1, 1, 1)) for each in range(2)
    )
    share = f.reshape(kept, shape=(1, 1, 1))
    stays = f.less(uniform_at(f, seed, offset, index, f.dtype(like)), share)
    return f.divide(f.cast(stays, dtype=f.dtype(like)), share)


def attention_at_once(
    f: Emitter,
    q: Value,
    k: Value,
    v: Value,
    mask: Value | None,
    draws: Sequence[Value],
    *,
    scale: float,
    causal: bool,
    in_primitives: bool,
) -> Value:
    """The result of attention with all scores in memory. in_primitives: see `masked_shares`."""
    shares = masked_shares(f, q, k, mask, scale, causal, in_primitives)
    return f.matmul(f.multiply(shares, noise_of_all(f, draws, shares)) if draws else shares, v)


def gradients_at_once(
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
) -> Sequence[Value]:
    """The cotangents of query, key and value with all scores in memory, made of that of the result."""
    shares = masked_shares(f, query, key, mask, scale, causal)
    slopes, kept = _slopes(f, g, value, shares, noise_of_all(f, draws, shares) if draws else None, scale)
    return f.matmul(slopes, key), f.matmul(turned(f, slopes), query), f.matmul(turned(f, kept), g)


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


def _operands(
    f: Emitter, q: Value, k: Value, mask: Value | None, draws: Sequence[Value]
) -> tuple[list[Value], list[Value], bool]:
    """The operands of each round beside query, key and value, those of all rounds, and whether masks have rows."""
    n, length, width = (*f.shape(q)[:2], f.shape(k)[1])
    scanned, by_rows = [], False
    if mask is not None:
        by_rows = f.shape(mask)[1] == length and length > 1
        form = (n, *f.shape(mask)[1:])
        scanned.append(mask if f.shape(mask) == form else f.expand(mask, shape=form))
    if draws:
        scanned.append(f.arange(start=0, step=length * width, size=n, dtype=d.uint64))
    return scanned, list(draws), by_rows


class _Round:
    """The operands of a round of the batch beside query, key and value: a mask, and the draws of a dropout."""

    def __init__(self, f: Emitter, given: Sequence[Value], draws: Sequence[Value], masked: bool, by_rows: bool) -> None:
        given = list(given)
        mask = given.pop(0) if masked else None
        self.rows = [] if mask is None or not by_rows else [mask]
        self.fixed = [] if mask is None or by_rows else [mask]
        self.masked, self.by_rows = masked, by_rows
        if given:
            self.fixed += [f.reshape(given[0], shape=(1, 1)), *draws]
        self.draws = bool(given)

    def of_block(self, parts: Sequence[Value], fixed: Sequence[Value]) -> tuple[Value | None, Sequence[Value]]:
        """The mask of a block, and where its draws begin, of what its round hands on."""
        mask = parts[-1] if self.rows else fixed[-1 - 3 * self.draws] if self.masked else None
        return mask, fixed[-3:] if self.draws else ()


def attention_by_blocks(
    f: Emitter,
    q: Value,
    k: Value,
    v: Value,
    mask: Value | None,
    draws: Sequence[Value],
    *,
    scale: float,
    causal: bool,
    rows: int,
) -> Value:
    """The result of attention, over an emitter."""
    scanned, whole, by_rows = _operands(f, q, k, mask, draws)

    def step(f: Emitter, held: list[Value], given: list[Value], fixed: list[Value]) -> tuple[Any, Any]:
        one = _Round(f, given[3:], fixed, mask is not None, by_rows)

        def block(
            f: Emitter, held: Any, parts: Sequence[Value], start: Value, fixed: Sequence[Value]
        ) -> tuple[Any, Value]:
            shown, drawn = one.of_block(parts, fixed)
            shares = _shares(f, parts[0], fixed[0], shown, scale, start if causal else None)
            if drawn:
                shares = f.multiply(shares, _noise(f, drawn, start, shares))
            return held, f.matmul(shares, fixed[1])

        return held, [_by_blocks(f, block, [given[0], *one.rows], [], [*given[1:3], *one.fixed], rows)[1]]

    return f.loop(step, [], [q, k, v, *scanned], whole)[1][0]


def gradients_by_blocks(
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
) -> Sequence[Value]:
    """The cotangents of query, key and value, made of that of the result, over an emitter."""
    scanned, whole, by_rows = _operands(f, query, key, mask, draws)

    def step(f: Emitter, held: list[Value], given: list[Value], fixed: list[Value]) -> tuple[Any, Any]:
        q, k, v, slope = given[:4]
        one = _Round(f, given[4:], fixed, mask is not None, by_rows)

        def block(
            f: Emitter, held: Sequence[Value], parts: Sequence[Value], start: Value, fixed: Sequence[Value]
        ) -> tuple[Any, Value]:
            (part, slope), (k, v), (for_k, for_v) = parts[:2], fixed[:2], held
            shown, drawn = one.of_block(parts, fixed)
            shares = _shares(f, part, k, shown, scale, start if causal else None)
            noise = _noise(f, drawn, start, shares) if drawn else None
            slopes, kept = _slopes(f, slope, v, shares, noise, scale)
            for_k = f.add(for_k, f.matmul(turned(f, slopes), part))
            for_v = f.add(for_v, f.matmul(turned(f, kept), slope))
            return [for_k, for_v], f.matmul(slopes, k)

        nothing = [f.multiply(each, 0.0) for each in (k, v)]
        totals, for_q = _by_blocks(f, block, [q, slope, *one.rows], nothing, [k, v, *one.fixed], rows)
        return held, [for_q, *totals]

    return f.loop(step, [], [query, key, value, g, *scanned], whole)[1]
