"""Calls that are not inlined: what is called is compiled for itself, and plain Python where that cannot be."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ...backend.plugins.registry import NUMBA, Backend
from ...core.package import is_layer, is_ours
from .registry import left_alone, state_of
from .shared_state import another
from .state import jitted

if TYPE_CHECKING:
    from .state import FunctionState

_compiled: WeakKeyDictionary[types.FunctionType, dict[Backend, tuple[tuple[Any, ...], types.FunctionType]]]
_compiled = WeakKeyDictionary()
"""Compiled copies and what they were made of, by function and backend."""


class CallSite:
    """The place of a call that is not inlined: called with what the program calls there, it gives what to call instead.

    That is a compiled copy of a Python function, and anything else as it is. A function that the program makes anew for
    each call shares the state of the one before: see Note [Functions that share a state].
    """

    __slots__ = ("_backend", "_shared")

    def __init__(self, backend: Backend = NUMBA) -> None:
        self._backend = backend
        self._shared: tuple[tuple[Any, ...], FunctionState] | None = None
        """The parts of the last function that was compiled here, and the state that others of these parts share."""

    def __call__(self, callable: Any) -> Any:
        """The callable to use instead of `callable`."""
        if is_layer(callable):
            return self._module(callable)
        if type(callable) is types.MethodType:
            function = self(callable.__func__)
            return callable if function is callable.__func__ else types.MethodType(function, callable.__self__)
        if type(callable) is not types.FunctionType or is_ours(callable.__globals__):
            return callable
        return self._copy(callable)

    def _copy(self, callable: types.FunctionType) -> Any:
        """A compiled copy of a function, known again; the function itself where it is jitted, or left alone."""
        now = _parts(callable)
        copies = _compiled.get(callable)
        known = None if copies is None else copies.get(self._backend)
        if known is None or not _same(known[0], now):
            if state_of(callable) is not None or left_alone(callable):
                return callable
            copy = self._compiled(callable)
            copy.__kwdefaults__ = callable.__kwdefaults__
            known = _compiled.setdefault(callable, {})[self._backend] = now, copy
        return known[1]

    def _compiled(self, callable: types.FunctionType) -> types.FunctionType:
        parts = _parts(callable)
        if self._shared is None or not _same(self._shared[0], parts):
            state = state_of(jitted(_without_closure(callable), False, backend=self._backend))
            assert state is not None
            state.is_callee = True
            self._shared = parts, state
        return another(self._shared[1], callable)

    def _module(self, module: Any) -> Any:
        """The callable to use for a module: its forward, compiled, where a call does nothing else; or itself.

        That of a module of ours, such as `Sequential`, calls modules of the user's.
        """
        forward = module.forward if _calls_only_forward()(module) else None
        if type(forward) is not types.MethodType:
            return module if forward is None else self(forward)
        function = forward.__func__
        if type(function) is types.FunctionType:
            function = self._copy(function)
        return module if function is forward.__func__ else types.MethodType(function, forward.__self__)


@cache
def _calls_only_forward() -> Callable[[Any], bool]:
    from ...nn.jitted_module import calls_only_forward  # there is a module, so `nn` is loaded

    return calls_only_forward


def _parts(function: types.FunctionType) -> tuple[Any, ...]:
    """The parts of a function that a compiled copy takes over, its closure not among them."""
    keywords = function.__kwdefaults__
    named = () if keywords is None else tuple(keywords.items())
    return function.__code__, function.__globals__, function.__defaults__, named


def _without_closure(function: types.FunctionType) -> types.FunctionType:
    """The function with empty cells: a state that outlives it keeps nothing of the call in which it was made."""
    closure = tuple(types.CellType() for _ in function.__closure__ or ())
    made = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__qualname__ = function.__qualname__
    return made


def _same(before: tuple[Any, ...], now: tuple[Any, ...]) -> bool:
    if any(a is not b for a, b in zip(before[:3], now[:3], strict=True)) or len(before[3]) != len(now[3]):
        return False
    return all(a == c and b is d for (a, b), (c, d) in zip(before[3], now[3], strict=True))
