"""Compiling ahead: the entry of a call is made, with its kernels, and the call does not take place."""

from __future__ import annotations

import inspect
import operator
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.config import config
from ...core.dtypes import DType
from ...core.errors import GraphBreakWarning
from ...core.events import BREAK, PLAIN
from ...core.user_line import stacklevel
from ...guards.entry_code import local_names
from ..codegen.frame_state import FrameState
from .miss_handler import entry_ahead
from .registry import why_left_alone
from .specs import ShapeDtypeStruct

if TYPE_CHECKING:
    import types

    from .state import FunctionState


def compile_ahead(state: FunctionState, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Makes the entry for a call with these arguments, unless there is one; whether it serves the whole call.

    A `ShapeDtypeStruct` among the arguments, or in lists, tuples and dicts there, stands for zeros. Where not the whole
    call is served, a `GraphBreakWarning` says why. Errors: see `gl.warm`.
    """
    at = FrameState(state.points[0], variables_of(state, examples(args), examples(kwargs)))
    name = state.original.__qualname__
    if config.disable:
        return False
    entry = entry_ahead(state, at)
    limit = state.limit_reached(at.point) if entry is None else ""
    if limit:
        _tell(f"{name} was not compiled ahead for these arguments: it {limit}")
    elif entry is None or entry.plain:
        _tell(f"{name} was not compiled ahead. {_why(state)}")
    elif entry.ends_in_break:
        _tell(f"{name} was compiled ahead up to a graph break; the rest is, when a call comes there. {_why(state)}")
    else:
        return True
    return False


def tell_left_alone(function: types.FunctionType) -> None:
    """Warns that a function which `jit` left to Python is not compiled ahead, unless nothing is compiled at all."""
    if not config.disable:
        _tell(f"{function.__qualname__} was not compiled ahead: {why_left_alone(function)}")


def examples(value: Any) -> Any:
    """The value, with zeros for every `ShapeDtypeStruct` that is found in it; the very object where there is none."""
    if isinstance(value, ShapeDtypeStruct):
        if not isinstance(value.dtype, DType):
            return np.zeros(value.shape, value.dtype)
        from ...tensor.creation import zeros

        return zeros(value.shape, dtype=value.dtype)
    if type(value) in (list, tuple):
        found = [examples(each) for each in value]
        return value if all(map(operator.is_, found, value)) else type(value)(found)
    if type(value) is dict:
        named = {key: examples(each) for key, each in value.items()}
        return value if all(map(operator.is_, named.values(), value.values())) else named
    return value


def variables_of(state: FunctionState, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The local variables at the start of a call. Errors: TypeError where the function takes no such arguments."""
    function = state.function
    assert function is not None
    signature = inspect.signature(function, follow_wrapped=False)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{function.__qualname__}{signature} takes no such arguments: {error}") from None
    bound.apply_defaults()
    return {name: bound.arguments[name] for name in local_names(function.__code__)}


def _why(state: FunctionState) -> str:
    """The last that was noted of what Python runs: the function may have been compiled for other arguments before."""
    said = [event.text for event in state.history if event.kind in (BREAK, PLAIN)]
    return said[-1] if said else "Calls like this one run as plain Python now."


def _tell(text: str) -> None:
    warnings.warn(text, GraphBreakWarning, stacklevel=stacklevel())
