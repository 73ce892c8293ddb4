"""Large arrays on one thread: a pointwise chain, reductions, a softmax, a stencil; beside NumPy."""

from __future__ import annotations

import numpy as np
from timing import Row, alternate, text

import guardlift as gl


@gl.jit
def chain(x):
    """Ten operations, one of them transcendental."""
    y = x * 1.5 + 0.5
    y = y * y - x
    y = np.tanh(y) * 0.5
    y = np.maximum(y, -0.25) + x
    return np.abs(y) * 2.0


@gl.jit
def arithmetic(x):
    """Ten exact operations."""
    y = (x + 1.0) * x
    y = (y - 0.5) * y
    y = (y + x) * 0.5
    y = (y - x) * y
    return (y + 2.0) * 0.25


@gl.jit
def softmax(x):
    """Along the last axis."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@gl.jit
def total(x):
    """Everything added up."""
    return x.sum()


@gl.jit
def columns(x):
    """Sums down the columns."""
    return x.sum(axis=0)


@gl.jit
def variance(x):
    """A chain of reductions."""
    return ((x - x.mean()) ** 2).mean()


def compare(name: str, function, x, aim: float | None = None) -> Row:
    """Jitted beside plain NumPy; the larger the ratio, the better for us."""
    function(x)
    times = alternate({"jit": lambda: function(x), "numpy": lambda: function.__wrapped__(x)}, rounds=7, seconds=0.2)
    ratio = times["numpy"] / times["jit"]
    per_element = times["jit"] / x.size * 1e9
    reference = f"{text(times['jit'])} / {text(times['numpy'])}, {per_element:.2f} ns an element"
    return Row(
        name,
        f"{ratio:.2f}x NumPy's speed",
        reference,
        f">= {aim:g}x" if aim else "",
        None if aim is None else ratio >= aim,
    )


def rows() -> list[Row]:
    """Throughput, and what it is aimed to be."""
    large = np.random.default_rng(0).standard_normal(10_000_000).astype(np.float32)
    square = np.random.default_rng(1).standard_normal((1024, 1024)).astype(np.float32)
    return [
        compare("10 operations with tanh, 10M float32", chain, large, 3.0),
        compare("10 exact operations, 10M float32", arithmetic, large, 3.0),
        compare("softmax 1024 x 1024 float32", softmax, square),
        compare("sum of 10M float32", total, large),
        compare("column sums 1024 x 1024 float32", columns, square),
        compare("variance of 10M float32", variance, large),
    ]
