"""Random numbers as pure functions of a seed and an offset: the same bits eager or compiled, on every machine.

The source of all bits is Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011, doi 10.1145/2063384.2063405): a block of
four 32-bit words for each counter, under a 64-bit key. Here the key is the seed and the counters are the numbers from
the offset on: a draw reads the words of blocks `offset`, `offset` + 1, …, one after the other, and the next draw starts
`blocks(op, shape, dtype)` later. The numbers are not those of another library with the same seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .registry import DRAW_KERNEL, Array, Composite, OpDef, Pointwise, Sample, define_op

Shape = tuple[int, ...]

LOW_HALF = 0xFFFFFFFF
FACTORS = np.array([[0xD2511F53], [0xCD9E8D57]], np.uint64)
STEPS = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
PERIOD = 2**62
"""After so many blocks the sequence of a key comes again; offsets count modulo this."""
CHUNK = 8192
"""Blocks computed at a time: few enough that they stay in the cache between one step and the next."""


# philox: word `place`, of which the last two bits count, of the block that the counter `block`, modulo PERIOD, makes
# under `key`. They are two operands, not one number, so that a compiler sees which words are of one block.
def _philox_meta(*types: TensorType) -> TensorType:
    if len(types) != 3:
        raise OpError(f"philox takes a key, a block and a place, got {len(types)} operands")
    if any(each != types[0] for each in types) or types[0].dtype is not dtypes.uint64:
        raise OpError(f"philox takes a key, a block and a place, of uint64 and one shape, got {[*map(str, types)]}")
    return types[0].with_dtype(dtypes.uint32)


def _philox_eager(key: Any, block: Any, place: Any) -> Array:
    keys, blocks_, places = np.broadcast_arrays(*(np.asarray(each, np.uint64) for each in (key, block, place)))
    flat = keys.reshape(-1)
    words_ = _after_rounds(
        *_counters(blocks_.reshape(-1) % np.uint64(PERIOD)), np.stack([flat & LOW_HALF, flat >> np.uint64(32)])
    )
    chosen = np.take_along_axis(words_, (places.reshape(-1) & np.uint64(3)).astype(np.int64)[None], axis=0)
    return np.asarray(chosen.reshape(places.shape).astype(np.uint32))


def _counters(low: Array) -> tuple[Array, Array]:
    """The words of the counters `low`, [n]: those in even places, [2, n], and those in odd places."""
    zero = np.zeros_like(low)
    return np.stack([low & LOW_HALF, zero]), np.stack([low >> np.uint64(32), zero])


def _after_rounds(even: Array, odd: Array, key: Array) -> Array:
    """The words of blocks, [4, n], from those of the counters: `even` holds the first and third, `odd` the others.

    Each row of `key` holds one word of the key; either it has one column for each counter, or one for all.
    """
    steps = np.array([[STEPS[0]], [STEPS[1]]], np.uint64)
    for number in range(ROUNDS):
        product = even * FACTORS
        even = product[::-1] >> 32
        even ^= odd
        even ^= (key + number * steps) & LOW_HALF
        product &= LOW_HALF
        odd = product[::-1]
    return np.stack([even[0], odd[0], even[1], odd[1]])


def _philox_samples() -> Iterable[Sample]:
    edges = np.array([0, 1, 2, 3, 2**32 - 1, 2**32, 2**34, 2**63, 2**64 - 1], np.uint64)
    keys, numbers = np.meshgrid(edges, edges)
    yield Sample((keys.copy(), numbers.copy(), numbers.T.copy()))
    for sample in samples.binary((dtypes.uint64,)):
        yield Sample((*sample.args, sample.args[0]), sample.attrs)


PHILOX = define_op(
    "philox",
    meta=_philox_meta,
    eager=_philox_eager,
    lower=Pointwise("philox_{t}({0}, {1}, {2})", 90),
    samples=_philox_samples,
    operands=("key", "block", "place"),
)


def words(seed: int, offset: int, count: int) -> Array:
    """The first `count` words of the blocks from `offset` on, uint32[count]."""
    found = np.empty((-(-count // 4), 4), np.uint32)
    key = np.array([[seed & LOW_HALF], [seed >> 32 & LOW_HALF]], np.uint64)
    for start in range(0, len(found), CHUNK):
        part = found[start : start + CHUNK]
        low = np.arange(start, start + len(part), dtype=np.uint64) + np.uint64(offset % PERIOD)
        part[...] = _after_rounds(*_counters(low % np.uint64(PERIOD)), key).T
    return found.reshape(-1)[:count]


def _draw(
    name: str,
    accepted: tuple[DType, ...],
    eager: Callable[..., Array],
    expand: Callable[..., Any],
    attrs: tuple[dict[str, Any], ...] = ({},),
    exact: bool = True,
) -> OpDef:
    """An op of a seed and an offset, both of no axes; its attributes are `shape`, `dtype` and what `attrs` samples."""

    def meta(seed: TensorType, offset: TensorType, *, shape: Shape, dtype: DType, **others: Any) -> TensorType:
        for each in (seed, offset):
            if each.shape != () or each.dtype not in (dtypes.uint64, dtypes.int64):
                raise OpError(f"{name} takes a seed and an offset of 64-bit integers without axes, got {each}")
        if dtype not in accepted:
            raise OpError(f"{name} does not make {dtype}; it makes {', '.join(map(str, accepted))}")
        if others:
            _check_range(dtype, **others)
        return TensorType(shape, dtype, seed.device)

    def draw(seed: Array, offset: Array, *, shape: Shape, dtype: DType, **others: Any) -> Array:
        count = math.prod(shape)
        return eager(int(seed) % 2**64, int(offset) % 2**64, count, dtype, **others).reshape(shape)

    return define_op(
        name,
        meta=meta,
        eager=draw,
        lower=Composite(expand),
        samples=lambda: _draw_samples(accepted, attrs),
        exact=exact,
        operands=("seed", "offset"),
        kernel_from=DRAW_KERNEL,
    )


def _draw_samples(accepted: tuple[DType, ...], attrs: tuple[dict[str, Any], ...]) -> Iterable[Sample]:
    for number, shape in enumerate(samples.SHAPES):
        seed = np.array(7 - 4 * number, np.int64)
        offset = np.array((PERIOD - 2, 2**40, 5)[number % 3], np.uint64)
        for dtype in accepted:
            for more in attrs:
                yield samples.with_attrs((seed, offset), shape=shape, dtype=dtype, **more)


def _drawn_words(f: Emitter, seed: Any, offset: Any, index: Any, count: int, sharing: int = 0) -> list[Any]:
    """The `count` words (1, 2 or 4) of each element of a draw; 2**`sharing` elements have the same ones.

    The first of them stands at a multiple of `count`, so the others are of the same block: a compiler computes it once,
    and once for neighbours that are computed together.
    """
    number = f.right_shift(index, sharing) if sharing else index
    place = f.multiply(number, count) if count > 1 else number
    block = f.add(f.cast(offset, dtype=dtypes.uint64), f.right_shift(place, 2))
    key = f.cast(seed, dtype=dtypes.uint64)
    return [f.philox(key, block, f.bitwise_or(place, k) if k else place) for k in range(count)]


def _numbered(f: Emitter, shape: Shape) -> Any:
    """The number of each element of a draw, in row-major order."""
    return f.reshape(f.arange(start=0, step=1, size=math.prod(shape), dtype=dtypes.uint64), shape=shape)


# random_uniform: [0, 1) in steps of 2**-24 or 2**-53, every step alike.
def _fraction(f: Emitter, high: Any, low: Any) -> Any:
    """53 bits of two words as float64, 2**53 times too large; exact."""
    top = f.cast(f.right_shift(high, 5), dtype=dtypes.float64)
    return f.add(f.multiply(top, 2.0**26), f.cast(f.right_shift(low, 6), dtype=dtypes.float64))


def uniform_at(f: Emitter, seed: Any, offset: Any, index: Any, dtype: DType) -> Any:
    """The elements of a draw of uniform numbers that have these numbers (uint64), in row-major order."""
    if dtype is dtypes.float64:
        return f.multiply(_fraction(f, *_drawn_words(f, seed, offset, index, 2)), 2.0**-53)
    (word,) = _drawn_words(f, seed, offset, index, 1)
    return f.multiply(f.cast(f.right_shift(word, 8), dtype=dtypes.float32), 2.0**-24)


def _uniform_eager(seed: int, offset: int, count: int, dtype: DType) -> Array:
    if dtype is dtypes.float64:
        return _fractions(words(seed, offset, 2 * count)) * 2.0**-53
    drawn = words(seed, offset, count)
    drawn >>= 8
    return drawn.astype(np.float32) * np.float32(2.0**-24)


def _fractions(drawn: Array) -> Array:
    pairs = drawn.reshape(-1, 2)
    return (pairs[:, 0] >> 5) * 2.0**26 + (pairs[:, 1] >> 6)


def uniform_part(seed: int, offset: int, first: int, count: int, dtype: DType) -> Array:
    """The elements of a draw of uniform numbers from number `first` on, [count]."""
    each = dtype.itemsize // 4
    skipped = first * each // 4
    extra = first - skipped * 4 // each
    return _uniform_eager(seed, (offset + skipped) % PERIOD, count + extra, dtype)[extra:]


def _uniform_expand(f: Emitter, seed: Any, offset: Any, *, shape: Shape, dtype: DType) -> Any:
    return uniform_at(f, seed, offset, _numbered(f, shape), dtype)


RANDOM_UNIFORM = _draw("random_uniform", dtypes.FLOATS, _uniform_eager, _uniform_expand)


# random_normal: Box and Muller's two normals from two uniforms, the first in (0, 1], in float64 whatever the dtype:
# radius * cos(angle) and radius * sin(angle), the latter as the cosine of a quarter turn less.
def _normal_expand(f: Emitter, seed: Any, offset: Any, *, shape: Shape, dtype: DType) -> Any:
    index = _numbered(f, shape)
    odd = f.cast(f.bitwise_and(index, 1), dtype=dtypes.float64)
    if dtype is dtypes.float64:
        first, second, third, fourth = _drawn_words(f, seed, offset, index, 4, sharing=1)
        one = f.multiply(f.add(_fraction(f, first, second), 1.0), 2.0**-53)
        two = f.multiply(_fraction(f, third, fourth), 2.0**-53)
    else:
        first, second = _drawn_words(f, seed, offset, index, 2, sharing=1)
        one = f.multiply(f.add(f.cast(first, dtype=dtypes.float64), 1.0), 2.0**-32)
        two = f.multiply(f.cast(second, dtype=dtypes.float64), 2.0**-32)
    radius = f.sqrt(f.multiply(f.log(one), -2.0))
    angle = f.multiply(f.subtract(two, f.multiply(odd, 0.25)), 2 * math.pi)
    return f.cast(f.multiply(radius, f.cos(angle)), dtype=dtype)


def _normal_eager(seed: int, offset: int, count: int, dtype: DType) -> Array:
    pairs = -(-count // 2)
    if dtype is dtypes.float64:
        drawn = _fractions(words(seed, offset, 4 * pairs)).reshape(-1, 2)
        one, two = (drawn[:, 0] + 1.0) * 2.0**-53, drawn[:, 1] * 2.0**-53
    else:
        taken = words(seed, offset, 2 * pairs).reshape(-1, 2)
        one, two = (taken[:, 0] + 1.0) * 2.0**-32, taken[:, 1] * 2.0**-32
    radius = np.sqrt(np.log(one) * -2.0)
    found = np.empty((pairs, 2), dtype.numpy)
    found[:, 0] = radius * np.cos(two * (2 * math.pi))
    found[:, 1] = radius * np.cos((two - 0.25) * (2 * math.pi))
    return found.reshape(-1)[:count]


RANDOM_NORMAL = _draw("random_normal", dtypes.FLOATS, _normal_eager, _normal_expand, exact=False)


# random_integers: low, low + 1, … high - 1, as the remainder of 64 random bits: no value is likelier than another by
# more than one part in 2**64 / (high - low).
def _integers_expand(f: Emitter, seed: Any, offset: Any, *, shape: Shape, dtype: DType, low: int, high: int) -> Any:
    return integers_from(f, seed, offset, high - low if high - low < 2**64 else None, low % 2**64, shape, dtype)


def integers_from(f: Emitter, seed: Any, offset: Any, span: Any, low: Any, shape: Shape, dtype: DType) -> Any:
    """A draw of integers from `low` on, of which there are `span`, both of uint64; None for all."""
    first, second = _drawn_words(f, seed, offset, _numbered(f, shape), 2)
    top = f.left_shift(f.cast(first, dtype=dtypes.uint64), 32)
    drawn = f.bitwise_or(top, f.cast(second, dtype=dtypes.uint64))
    if span is not None:
        drawn = f.remainder(drawn, span)
    return f.cast(f.add(drawn, low), dtype=dtype)


def _integers_eager(seed: int, offset: int, count: int, dtype: DType, *, low: int, high: int) -> Array:
    pairs = words(seed, offset, 2 * count).reshape(-1, 2).astype(np.uint64)
    drawn = pairs[:, 0] << 32 | pairs[:, 1]
    if high - low < 2**64:
        drawn %= np.uint64(high - low)
    return (drawn + np.uint64(low % 2**64)).astype(dtype.numpy)


def _check_range(dtype: DType, *, low: int, high: int) -> None:
    info = np.iinfo(dtype.numpy)
    if not info.min <= low < high <= info.max + 1:
        raise OpError(f"random_integers of {dtype} takes a range that is not empty and fits, got {low} to {high}")


RANDOM_INTEGERS = _draw(
    "random_integers",
    dtypes.INTEGERS,
    _integers_eager,
    _integers_expand,
    ({"low": 0, "high": 10}, {"low": 3, "high": 100}),
)


# random_place: the seed and the offset themselves, int64[2], for ops that draw uniform numbers of `shape` in parts.
def _place_meta(seed: TensorType, offset: TensorType, *, shape: Shape, dtype: DType) -> TensorType:
    return TensorType((2,), dtypes.int64, seed.device)


def _place_eager(seed: Array, offset: Array, *, shape: Shape, dtype: DType) -> Array:
    return np.array([np.asarray(seed).astype(np.int64), np.asarray(offset).astype(np.int64)])


def _place_expand(f: Emitter, seed: Any, offset: Any, *, shape: Shape, dtype: DType) -> Any:
    return f.cat(*(f.reshape(f.cast(each, dtype=dtypes.int64), shape=(1,)) for each in (seed, offset)), axis=0)


RANDOM_PLACE = define_op(
    "random_place",
    meta=_place_meta,
    eager=_place_eager,
    lower=Composite(_place_expand),
    samples=lambda: _draw_samples((dtypes.float32,), ({},)),
    operands=("seed", "offset"),
)


def blocks(op: OpDef, shape: Shape, dtype: DType) -> int:
    """The number of blocks that a draw reads: its generator's next one starts as much later."""
    words_each = 2 if op is RANDOM_INTEGERS or dtype.itemsize == 8 else 1
    return (math.prod(shape) * words_each + 3) // 4
