"""Shared parts of the tests of the language: one array, and the oracle on the quick back end.

PYTEST_DONT_REWRITE: `asserting` is to be traced with the assertion that is written there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from oracle import Report, check

X = np.array([1.5, -2.0, 0.25, 4.0])
Y = np.array([0.5, 3.0, -1.0, 2.0])


def asserting(x: Any, n: int) -> Any:
    assert x.ndim == 1 and n > 0, f"bad {x.shape} {n}"  # here, since pytest rewrites the assertions of test modules
    return x + n


def compiled(function: Callable[..., Any], *args: Any, **options: Any) -> Report:
    """`function` must compile, and give what Python gives."""
    return check(function, *args, expect="compiled", backend="reference", **options)


def plain(function: Callable[..., Any], *args: Any, code: str, **options: Any) -> Report:
    """`function` must break the graph with this code first, and give what Python gives."""
    report = check(function, *args, backend="reference", **options)
    assert report.breaks[:1] == [code], report.events
    return report
