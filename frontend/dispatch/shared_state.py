"""Functions that are made anew from one code object, such as a closure in a training step, and share one state."""

# Note [Functions that share a state]
# A function that a program defines where it runs is another object each time, with another closure. Entries do not
# depend on that: they find free variables in the closure of the function that is called. So such functions run the
# same code, and have one state. Only a miss has to know which of them is called, for it is traced with its closure:
# each has a pool tuple of its own, in which a `SharedState` stands in the place of the miss handler.

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...guards.entry_code import MISS_SLOT
from .install import function_like

if TYPE_CHECKING:
    from .call_counts import CallCounter
    from .state import FunctionState


class SharedState:
    """The miss handler of a function that runs the code of another one's state. The function keeps it alive."""

    def __init__(self, state: FunctionState, original: types.FunctionType, function: types.FunctionType) -> None:
        self.state = state
        self.original = original
        self._function = weakref.ref(function)

    def __call__(self, *values: Any) -> Any:
        """The answer to a call that no entry fits."""
        with self.state.answering_for(self.original, self._cell()):
            return self.state.missed(values, sys._getframe(1).f_code)

    def resume(self, position: int, stack: tuple[Any, ...], own_cells: Callable[[], Any] | None) -> Any:
        """The answer to the rest of a call, from a resume point where no entry fits."""
        with self.state.answering_for(self.original, self._cell()):
            return self.state.resumed(position, stack, own_cells, sys._getframe(1))

    @property
    def calls(self) -> CallCounter:
        """The counts of the calls of all functions that share the state."""
        return self.state.calls

    def see_call(self) -> None:
        """Count a call, as `FunctionState.see_call` does."""
        self.state.see_call()

    def show(self, objects: tuple[object, ...]) -> None:
        """Let the function's code see these objects of the pool."""
        function = self._function()
        if function is not None:
            _cell_of(function).cell_contents = (*objects[:MISS_SLOT], self, *objects[MISS_SLOT + 1 :])

    def replace_code(self, code: types.CodeType) -> None:
        """Give the function this code."""
        function = self._function()
        if function is not None:
            function.__code__ = code

    def _cell(self) -> types.CellType:
        function = self._function()
        assert function is not None, "a function that is called is alive"
        return _cell_of(function)


def another(state: FunctionState, function: types.FunctionType) -> types.FunctionType:
    """The compiled copy of `function`, which has the code, the globals and the defaults of the state's own function.

    Nothing is compiled for it that was compiled before.
    """
    original = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    original.__qualname__ = function.__qualname__
    with state.lock:
        assert state.function is not None
        made = function_like(original, state.function.__code__, types.CellType())
        shared = SharedState(state, original, made)
        shared.show(state.pool.objects)
        state.sharing.add(shared)
    return made


def _cell_of(function: types.FunctionType) -> types.CellType:
    """The cell in which the code of a compiled function finds the pool."""
    return (function.__closure__ or ())[-1]
