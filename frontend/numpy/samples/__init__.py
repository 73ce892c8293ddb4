"""Example calls of what is traced of NumPy, from which the page of coverage and its tests are made.

Each is an expression over the operands that `operands` makes for a dtype. A function without an example here gets the
one of its family (`np.f(a)` or `np.f(a, b)` for ufuncs); one that has none at all fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .arrangement import CREATION, FACTS, SHAPING, WRITERS
from .computation import LINEAR_ALGEBRA, MATHEMATICS, ORDER, REDUCTIONS, SCANS
from .methods import GENERATOR, LEGACY, METHODS, UFUNC_METHODS, WITH_METHODS

__all__ = ["DTYPES", "FUNCTIONS", "GENERATOR", "UFUNC_METHODS", "WITH_METHODS", "operands"]

Array = np.ndarray[Any, Any]

DTYPES = ("bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64", "complex128")
"""The dtypes with which every example is run, as far as NumPy itself takes them."""


def operands(dtype: str, sizes: tuple[int, int, int, int] = (2, 3, 4, 6)) -> dict[str, Any]:
    """The operands by their names in examples: a, b: matrices; m, s: square ones; t: a block; v, w, p: vectors.

    Of fixed dtype are `i`: indices, `c`, `d`: masks, `x`: ascending floats, `q`: some numbers between them. `g` and
    `r` are generators of random numbers. sizes: of the first axis of blocks, the two of matrices, and of vectors.
    """
    deep, rows, columns, length = sizes
    draw = np.random.default_rng(5)

    def some(*shape: int) -> Array:
        low, high = (0, 2) if dtype == "bool" else (1, 10) if dtype == "uint8" else (-9, 10)
        numbers = draw.integers(low, high, shape)
        if dtype.startswith("complex"):
            return (numbers + 1j * numbers[..., ::-1]).astype(dtype)
        return (numbers / 4 if dtype.startswith("float") else numbers).astype(dtype)

    made = {"a": some(rows, columns), "b": some(rows, columns), "m": some(rows, rows)}
    made |= {"t": some(deep, rows, columns), "v": some(length), "w": some(length)}
    made["s"] = (np.eye(rows) * 5 + np.ones((rows, rows))).astype(dtype)
    ascending = np.arange(length).astype(dtype)
    fixed: dict[str, Any] = {
        "p": ascending, "i": np.array([2, 0, 1, 2]), "c": np.arange(rows * columns).reshape(rows, columns) % 3 == 0,
        "d": np.resize([True, False, True, True, False, False], length), "x": np.arange(float(length)),
        "q": np.array([0.5, 3.25, 9.0]),
        "g": np.random.default_rng(9), "r": np.random.RandomState(9),
    }  # fmt: skip
    return made | fixed


FUNCTIONS: Mapping[str, str] = {
    **CREATION, **SHAPING, **REDUCTIONS, **SCANS, **ORDER, **MATHEMATICS, **FACTS, **LINEAR_ALGEBRA, **WRITERS,
}  # fmt: skip


def of_function(name: str) -> str:
    """The example of `np.<name>`; empty where there is none."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name.startswith("random."):
        return LEGACY.get(name.removeprefix("random."), "")
    function: Any = np
    for part in name.split("."):
        function = getattr(function, part)
    fake = next((known for known in FUNCTIONS if getattr(np, known, None) is function), None)
    if fake is not None:
        return FUNCTIONS[fake].replace(f"np.{fake}(", f"np.{name}(")
    if isinstance(function, np.ufunc) and function.signature is None and function.nin < 3:
        return f"np.{name}(a)" if function.nin == 1 else f"np.{name}(a, b)"
    return f"np.{name}(v)" if name.startswith("fft.") else ""


def of_method(name: str) -> str:
    """The example of `ndarray.<name>`."""
    return METHODS.get(name, f"a.{name}()")


def of_attribute(name: str) -> str:
    """The example of the attribute."""
    return "(a + 1).flags.writeable" if name == "flags" else f"a.{name}, a.T.{name}"
