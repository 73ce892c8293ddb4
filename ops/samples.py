"""Example operands for op declarations. Deterministic, small, and with the awkward values in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from .registry import Array, Sample

SHAPES: tuple[tuple[int, ...], ...] = ((3, 4), (), (5,), (0, 2), (2, 1, 3))


def uniform(
    low: float, high: float, shape: tuple[int, ...] = (3, 4), dtype: DType = dtypes.float64, seed: int = 0
) -> Array:
    """An array of `dtype` with values drawn evenly from [low, high)."""
    draw = np.random.default_rng(seed).uniform(low, high, shape)
    return np.asarray(draw).astype(dtype.numpy)


def integers(low: int, high: int, shape: tuple[int, ...] = (3, 4), dtype: DType = dtypes.int64, seed: int = 0) -> Array:
    """An array of `dtype` with whole values drawn evenly from [low, high)."""
    return np.asarray(np.random.default_rng(seed).integers(low, high, shape)).astype(dtype.numpy)


def values(dtype: DType, shape: tuple[int, ...], seed: int = 0) -> Array:
    """An array of any dtype with ordinary values, zeros among them."""
    if dtype.is_bool:
        return integers(0, 2, shape, dtype, seed)
    if dtype.kind == "u":
        return integers(0, 100, shape, dtype, seed)
    if dtype.is_integer:
        return integers(-50, 50, shape, dtype, seed)
    return uniform(-4.0, 4.0, shape, dtype, seed)


def special_floats(dtype: DType) -> Array:
    """Every awkward float: zeros of both signs, infinities, NaN, subnormals, the largest and the smallest."""
    info = np.finfo(dtype.numpy)
    tiny = float(info.smallest_subnormal)
    listed = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        np.inf,
        -np.inf,
        np.nan,
        tiny,
        -tiny,
        float(info.tiny),
        float(info.max),
        float(info.min),
        0.5,
        -2.5,
    ]
    return np.array(listed, dtype.numpy)


def unary(kinds: Iterable[DType], low: float = -4.0, high: float = 4.0, special: bool = True) -> Iterator[Sample]:
    """Samples for a pointwise op of one operand."""
    for dtype in kinds:
        if dtype.is_float:
            yield Sample((uniform(low, high, (3, 4), dtype),))
            if special:
                yield Sample((special_floats(dtype),))
        else:
            yield Sample((values(dtype, (3, 4)),))
    for shape in SHAPES[1:]:
        yield Sample(
            (
                uniform(low, high, shape, dtypes.float64)
                if dtypes.float64 in tuple(kinds)
                else values(tuple(kinds)[0], shape),
            )
        )


def binary(kinds: Iterable[DType], special: bool = True) -> Iterator[Sample]:
    """Samples for a pointwise op of two operands of one dtype."""
    kinds = tuple(kinds)
    for dtype in kinds:
        yield Sample((values(dtype, (3, 4), 1), values(dtype, (3, 4), 2)))
        if special and dtype.is_float:
            left, right = np.meshgrid(special_floats(dtype), special_floats(dtype))
            yield Sample((left.copy(), right.copy()))
    for shape in SHAPES[1:]:
        yield Sample((values(kinds[-1], shape, 1), values(kinds[-1], shape, 2)))


def with_attrs(arrays: tuple[Array, ...], **attrs: Any) -> Sample:
    """One sample with attributes."""
    return Sample(arrays, tuple(sorted(attrs.items())))


def powers() -> Iterator[Sample]:
    """Bases and exponents: positive ones for integers, all pairs of special floats, and two without axes."""
    for dtype in dtypes.INTEGERS:
        yield Sample((values(dtype, (3, 4)), integers(0, 6, (3, 4), dtype)))
    for dtype in dtypes.FLOATS:
        yield Sample((uniform(0.1, 4.0, (3, 4), dtype), uniform(-3.0, 3.0, (3, 4), dtype)))
        left, right = np.meshgrid(special_floats(dtype), special_floats(dtype))
        yield Sample((left.copy(), right.copy()))
    for dtype in dtypes.FLOATS:
        yield Sample((np.array(-np.inf, dtype.numpy), np.array(0.5, dtype.numpy)))


def shifts() -> Iterator[Sample]:
    """Integers, and by how many bits they are shifted; by all of them, too."""
    for dtype in dtypes.INTEGERS:
        yield Sample((values(dtype, (3, 4)), integers(0, 9, (3, 4), dtype)))
        yield Sample((values(dtype, (2, 2)), np.full((2, 2), dtype.itemsize * 8, dtype.numpy)))
