"""Calls that are not inlined: what is called is compiled for itself, and plain Python where that cannot be."""

from __future__ import annotations

import types
from typing import Any
from weakref import WeakKeyDictionary

from ...backend.plugins.registry import NUMBA, Backend
from ...core.package import is_layer, is_ours
from .registry import left_alone, state_of
from .state import jitted

_Copies = WeakKeyDictionary[types.FunctionType, tuple[tuple[Any, ...], types.FunctionType]]
_compiled: WeakKeyDictionary[Backend, _Copies] = WeakKeyDictionary()


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
    copies = _compiled.get(backend)
    if copies is None:
        copies = _compiled.setdefault(backend, WeakKeyDictionary())
    known = copies.get(callable)
    if known is None or not _same(known[0], now):
        if state_of(callable) is not None or left_alone(callable):
            return callable
        copy = jitted(callable, False, backend=backend)
        state = state_of(copy)
        assert state is not None
        state.is_callee = True
        copy.__kwdefaults__ = callable.__kwdefaults__
        known = copies[callable] = now, copy
    return known[1]


def _jitted_module(module: Any, backend: Backend) -> Any:
    """The callable to use for a module: its forward, compiled, where a call does nothing else; or the module itself.

    That of a module of ours, such as `Sequential`, calls modules of the user's.
    """
    from ...nn.jitted_module import calls_only_forward

    forward = module.forward if calls_only_forward(module) else None
    if type(forward) is not types.MethodType:
        return module if forward is None else jitted_callee(forward, backend)
    function = forward.__func__
    if type(function) is types.FunctionType:
        function = _copy(function, backend)
    return module if function is forward.__func__ else types.MethodType(function, forward.__self__)


def _same(before: tuple[Any, ...], now: tuple[Any, ...]) -> bool:
    if before[0] is not now[0] or before[1] is not now[1] or len(before[2]) != len(now[2]):
        return False
    return all(a == c and b is d for (a, b), (c, d) in zip(before[2], now[2], strict=True))
