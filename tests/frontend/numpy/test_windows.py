"""Sliding windows, diagonals of matrices and what dtypes say, beside NumPy's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from oracle import Tolerance, check, check_in_turn

X, M = np.arange(8.0), np.arange(20.0).reshape(4, 5)


def compiled(function: Any, *args: Any) -> None:
    check(function, *args, expect="compiled", backend="reference")


CASES: list[tuple[str, Any, tuple[Any, ...]]] = [
    ("means", lambda x: sliding_window_view(x, 3).mean(axis=1), (X,)),
    ("the view itself", lambda x: (sliding_window_view(x, 3), x + 1), (X,)),
    ("blocks", lambda m: sliding_window_view(m, (2, 3)).sum(axis=(2, 3)), (M,)),
    ("one axis", lambda m: sliding_window_view(m, 2, axis=0) * 2, (M,)),
    ("the last axis", lambda m: sliding_window_view(m, (4,), axis=-1).max(axis=-1), (M,)),
    ("an axis twice", lambda m: sliding_window_view(m, (2, 2), axis=(1, 1)) + 0, (M,)),
    ("axes in another order", lambda m: sliding_window_view(m, (3, 2), axis=(1, 0)) + 0, (M,)),
    ("a window of its windows", lambda x: sliding_window_view(x, 4)[::2, 1:] @ np.ones(3), (X,)),
    ("columns", lambda m: sliding_window_view(m, (2, 2)).sum(axis=(2, 3)), (np.asfortranarray(M),)),
    ("every other", lambda x: sliding_window_view(x, 2).min(axis=1), (np.arange(16, dtype=np.int32)[::-2],)),
    ("whole", lambda x: sliding_window_view(x, 8) * 1, (X,)),
    ("of what was computed", lambda x: sliding_window_view(x * 2 + 1, 5).std(axis=-1), (X,)),
]


@pytest.mark.parametrize(("function", "args"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_windows(function: Any, args: tuple[Any, ...]) -> None:
    compiled(function, *args)


def test_windows_see_what_is_written_later() -> None:
    def function(x: Any) -> Any:
        seen = sliding_window_view(x, 2)
        before = seen.sum()
        x[1] = 9
        return before, seen.sum(axis=1), x

    compiled(function, X)


def test_windows_that_numpy_refuses_or_that_may_be_written() -> None:
    def too_wide(x: Any) -> Any:
        return x + 1, sliding_window_view(x, 9)

    def negative(x: Any) -> Any:
        return x + 1, sliding_window_view(x, -1)

    def written(x: Any) -> Any:
        seen = sliding_window_view(x, 2)
        seen[0, 0] = 1
        return x + 1

    def writeable(x: Any) -> Any:
        sliding_window_view(x, 2, writeable=True)[0, 1] = 5
        return x + 1

    def with_axes(x: Any) -> Any:
        return x + 1, sliding_window_view(x, (2, 2))

    for function in (too_wide, negative, written, writeable, with_axes):
        assert "B900" not in check(function, X, backend="reference").breaks


def test_windows_of_arrays_whose_sizes_change() -> None:
    def windows(x: Any, n: int) -> Any:
        w = sliding_window_view(x, n, axis=0)
        return w.sum(-1), w[::2] * 1.0, w, w.max(axis=-1) - w.min(axis=-1)

    sizes = (10, 12, 15, 3, 20, 2, 25)
    report = check_in_turn(windows, [(np.arange(2.0 * k).reshape(k, 2), 3) for k in sizes], Tolerance(sums=True))
    assert set(report.breaks) == {"B304"}
    assert report.compiles <= 3


@pytest.mark.parametrize("k", [0, 1, -1, 3, -3, 4])
def test_diagonals_of_matrices(k: int) -> None:
    compiled(lambda m: (np.diag(m, k), np.diag(m, k) + 1, np.diag(np.diag(m, k))), M)
    compiled(lambda m: np.diag(m @ m.T, k).sum(), M)


def test_a_diagonal_of_other_shapes() -> None:
    for function, args in ((lambda x: (x + 1, np.diag(x)), (np.ones((2, 2, 2)),)), (np.diag, (np.array(1.0),))):
        check(lambda *each, function=function: (each[0] + 1, function(*each)), *args, backend="reference")

    def written(m: Any) -> Any:
        np.diag(m)[0] = 1
        return m + 1

    check(written, M, backend="reference")


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i8", "u2", "?", "c16"])
def test_what_dtypes_say(dtype: str) -> None:
    def facts(a: Any) -> Any:
        d = a.dtype
        numbers = d.num, d.alignment, d.itemsize, d.isnative, d.hasobject, d.ndim, d.byteorder, d.kind
        return numbers, d.names, d.fields, d.subdtype, d.shape, d.base == d, d.type, d.type is np.float32, a + 1

    compiled(facts, np.ones(3, dtype))
    if dtype in ("f4", "f8", "i8"):
        compiled(lambda a: (a * a.dtype.type(2), a.dtype.type(0), a.dtype.type), np.ones(3, dtype))
