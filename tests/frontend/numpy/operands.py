"""Arrays to try functions on: every dtype in every memory layout, with the values that tend to go wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

BOOL = ["bool"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float16", "float32", "float64"]
NUMBERS = INTEGERS + FLOATS
DTYPES = BOOL + NUMBERS
SOME = ["bool", "uint8", "int32", "int64", "float16", "float32", "float64"]
"""One dtype of each behaviour."""

LAYOUTS = ("C", "F", "strided", "reversed", "middle", "repeated")
SHAPES = ((), (1,), (5,), (0,), (3, 4), (1, 4), (3, 1), (0, 3), (2, 3, 4), (2, 1, 4))


def values(shape: tuple[int, ...], dtype: str, seed: int = 0, *, special: bool = False) -> Array:
    """A row-major array: small numbers of both signs, exact in any float; with `special` the awkward ones as well."""
    rng = np.random.default_rng([seed, *shape])
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return np.asarray(rng.integers(0, 2, shape).astype(bool))
    if kind.kind == "u":
        choice = [0, 1, 2, 3, 7, np.iinfo(kind).max] if special else [0, 1, 2, 3, 5, 7]
    elif kind.kind == "i":
        choice = [0, 1, -1, 3, -7, np.iinfo(kind).min, np.iinfo(kind).max] if special else [-3, -2, -1, 0, 1, 2, 5]
    else:
        choice = (
            [0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 3.0, 1e-40]
            if special
            else [-1.5, -1.0, 0.5, 1.0, 2.0, 3.25]
        )
    return np.asarray(rng.choice(np.array(choice, kind), shape), kind)


def laid_out(array: Array, layout: str) -> Array:
    """An array of the same elements in another memory layout."""
    if layout == "F":
        return np.asfortranarray(array)
    if layout == "strided":
        wide = np.repeat(array, 2, axis=-1) if array.ndim else array
        return wide[..., ::2] if array.ndim else array
    if layout == "reversed":
        return np.ascontiguousarray(array[::-1])[::-1] if array.ndim else array
    if layout == "middle":
        axes = (*range(1, array.ndim), 0) if array.ndim else ()
        return np.ascontiguousarray(array.transpose(axes)).transpose(np.argsort(axes)) if array.ndim else array
    if layout == "repeated":
        if array.ndim and array.shape[0]:
            return np.broadcast_to(array[:1].copy(), array.shape)
        return array
    return array


def operands(
    dtype: str,
    *,
    shapes: tuple[tuple[int, ...], ...] = SHAPES,
    special: bool = False,
    layouts: tuple[str, ...] = LAYOUTS,
) -> list[Array]:
    """One array for each shape and layout."""
    return [
        laid_out(values(shape, dtype, k, special=special), layout)
        for k, shape in enumerate(shapes)
        for layout in layouts
    ]


def scalars(dtype: str) -> list[Any]:
    """NumPy scalars of this dtype."""
    kind = np.dtype(dtype).type
    return [kind(0), kind(1), kind(3)]
