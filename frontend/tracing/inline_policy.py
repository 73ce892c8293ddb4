"""The choice of Python functions that the tracer follows into when they are called."""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping
from typing import Any

from ...core.config import config
from ...core.package import is_ours

STRUCTURE = frozenset(
    "abc bisect collections contextlib copy dataclasses enum functools heapq numbers operator types typing".split()
)
"""Modules of the standard library that only arrange what they are given: calls of the user's functions, his values."""

ENDS_OF_CONTEXTS = ("__enter__", "__exit__")
"""The names of what a `with` statement calls."""

BLIND_TO_NODES: set[types.CodeType] = set()
"""Code of autograd that looks at no node of a history, and calls what the user has written."""


def is_followed(scope: Mapping[str, Any]) -> bool:
    """Whether a function with these globals is evaluated as part of the trace.

    The user's functions and those of installed packages are: arrays go through them. Those of the standard library
    are not, but for the modules in `STRUCTURE`: they lead to files, locks and caches, not to array code. Where calls
    without arrays are wanted as well (`config.trace_without_arrays`), every function is.
    """
    if config.trace_without_arrays:
        return True
    top = _package(scope)
    return top not in sys.stdlib_module_names or top in STRUCTURE


def is_users(scope: Mapping[str, Any]) -> bool:
    """Whether code with these globals is that of a program or an installed package, whose lines reports are about."""
    return not is_ours(scope) and _package(scope) not in sys.stdlib_module_names


def is_numpys(scope: Mapping[str, Any]) -> bool:
    """Whether these are the globals of one of NumPy's modules, whose objects have rules or none."""
    return _package(scope) == "numpy"


def _package(scope: Mapping[str, Any]) -> str:
    name = scope.get("__name__")
    return name.partition(".")[0] if type(name) is str else ""
