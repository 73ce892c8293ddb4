"""Matrix products on one thread, jitted beside NumPy, in the layouts that a linear layer and its gradients need."""

from __future__ import annotations

import numpy as np
from timing import Row, alternate, text

import guardlift as gl


@gl.jit
def straight(a, b):
    """As the gradient of a layer's input."""
    return a @ b


@gl.jit
def turned_right(a, b):
    """As a layer."""
    return a @ b.T


@gl.jit
def turned_left(a, b):
    """As the gradient of a layer's weight."""
    return a.T @ b


def compare(name: str, function, a: np.ndarray, b: np.ndarray) -> Row:
    """The share of NumPy's time that the jitted product takes."""
    work = 2 * function(a, b).size * (a.size // (function(a, b).shape[0]))
    times = alternate({"jit": lambda: function(a, b), "numpy": lambda: function.__wrapped__(a, b)}, rounds=9)
    ratio, rate = times["jit"] / times["numpy"], work / times["jit"] / 1e9
    return Row(name, f"{ratio:.2f}x", f"{text(times['jit'])} / {text(times['numpy'])}, {rate:.0f} GFLOP/s")


def rows() -> list[Row]:
    """Sizes of the digits example; a larger one; float64."""
    rng = np.random.default_rng(0)
    single = {n: rng.standard_normal((n, 256), dtype=np.float32) for n in (10, 128, 256, 512)}
    double = rng.standard_normal((2, 256, 256))
    return [
        compare("128 x 256 @ 256 x 256", straight, single[128], single[256]),
        compare("128 x 256 @ (256 x 256).T", turned_right, single[128], single[256]),
        compare("(128 x 256).T @ 128 x 256", turned_left, single[128], single[128].copy()),
        compare("(128 x 256).T @ 128 x 64", turned_left, single[128], single[128][:, :64].copy()),
        compare("128 x 256 @ (10 x 256).T, by BLAS", turned_right, single[128], single[10]),
        compare("512 x 256 @ (512 x 256).T, by BLAS", turned_right, single[512], single[512].copy()),
        compare("256 x 256 @ 256 x 256, float64", straight, *double),
    ]
