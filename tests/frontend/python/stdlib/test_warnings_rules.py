"""`warnings.catch_warnings`, `inspect.getattr_static` and `inspect.isclass` in jitted functions."""

from __future__ import annotations

import inspect
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from frontend.language import X, compiled, plain

import guardlift as gl


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="CPython 3.14 keeps filters in another way")
def test_filters_that_are_set_in_a_block_and_taken_back() -> None:
    def function(x: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            warnings.filterwarnings("ignore", message="nothing")
            try:
                total = np.sqrt(x * x).sum()
            except UserWarning:
                total = np.float64(-1.0)
        return x * total

    def strict(x: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("error", category=RuntimeWarning)
            try:
                return np.sqrt(x * x)
            except RuntimeWarning:
                return -x

    compiled(function, X)
    filters = list(warnings.filters)
    jitted = gl.jit(function)
    jitted(X)
    assert warnings.filters == filters
    assert not gl.explain(jitted).breaks
    plain(strict, X, code="B201")
    plain(lambda x: x if warnings.simplefilter("ignore") is None else x + 1, X, code="B201")


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="CPython 3.14 keeps filters in another way")
def test_what_was_shown_once_is_shown_again_after_the_block() -> None:
    def warn() -> None:
        warnings.warn("once", UserWarning, stacklevel=1)

    def function(x: Any) -> Any:
        with warnings.catch_warnings():
            pass
        return x + 1

    jitted = gl.jit(function)
    jitted(X)
    for call in (function, jitted):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            warn()
            warn()
            first = len(caught)
            call(X)
            warn()
            assert (first, len(caught)) == (1, 2), call


def test_what_inspect_says_of_arrays_and_classes() -> None:
    missing = object()

    def function(x: Any) -> Any:
        asked = inspect.getattr_static(x, "__narwhals__", missing) is missing
        return x + 1, asked, inspect.getattr_static(None, "shape", 3), inspect.isclass(int), inspect.isclass(x)

    compiled(function, X)
    plain(lambda x: x + (inspect.getattr_static(x, "shape", None) is not None), X, code="B201")
