"""Calls that are not inlined: what is called is compiled for itself, and plain Python where that cannot be."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from ...backend.plugins.registry import NUMBA, Backend
from ...core.package import is_layer, is_ours
from .registry import left_alone, state_of
from .state import jitted

_compiled: WeakKeyDictionary[types.FunctionType, dict[Backend, tuple[tuple[Any, ...], types.FunctionType]]]
_compiled = WeakKeyDictionary()
"""Compiled copies and what they were made of, by function and backend."""


def jitted_callee(callable: Any, backend: Backend = NUMBA) -> Any:
    """The callable to use instead of `callable`: a compiled copy of a Python function, anything else as it is."""
    if is_layer(callable):
        return _jitted_module(callable, backend)
    if type(callable) is types.MethodType:
        function = jitted_callee(callable.__func__, backend)
        return callable if function is callable.__func__ else types.MethodType(function, callable.__self__)
    if type(callable) is not types.FunctionType or is_ours(callable.__globals__):
        return callable
    return _copy(callable, backend)


def _copy(callable: types.FunctionType, backend: Backend) -> Any:
    """A compiled copy of a function, known again; the function itself where it is jitted, or left alone."""
    keywords = callable.__kwdefaults__
    now = (callable.__code__, callable.__defaults__, () if keywords is None else tuple(keywords.items()))
    copies = _compiled.get(callable)
    known = None if copies is None else copies.get(backend)
    if known is None or not _same(known[0], now):
        if state_of(callable) is not None or left_alone(callable):
            return callable
        copy = jitted(callable, False, backend=backend)
        state = state_of(copy)
        assert state is not None
        state.is_callee = True
        copy.__kwdefaults__ = callable.__kwdefaults__
        known = _compiled.setdefault(callable, {})[backend] = now, copy
    return known[1]


def _jitted_module(module: Any, backend: Backend) -> Any:
    """The callable to use for a module: its forward, compiled, where a call does nothing else; or the module itself.

    That of a module of ours, such as `Sequential`, calls modules of the user's.
    """
    forward = module.forward if _calls_only_forward()(module) else None
    if type(forward) is not types.MethodType:
        return module if forward is None else jitted_callee(forward, backend)
    function = forward.__func__
    if type(function) is types.FunctionType:
        function = _copy(function, backend)
    return module if function is forward.__func__ else types.MethodType(function, forward.__self__)


@cache
def _calls_only_forward() -> Callable[[Any], bool]:
    from ...nn.jitted_module import calls_only_forward  # there is a module, so `nn` is loaded

    return calls_only_forward


def _same(before: tuple[Any, ...], now: tuple[Any, ...]) -> bool:
    if before[0] is not now[0] or before[1] is not now[1] or len(before[2]) != len(now[2]):
        return False
    return all(a == c and b is d for (a, b), (c, d) in zip(before[2], now[2], strict=True))
