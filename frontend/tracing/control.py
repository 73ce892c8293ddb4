"""A program's words to the compiler: which functions to leave alone, where to break, whether compiled code runs."""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from ...core.errors import NotAFunctionError, SettingValueError
from ...core.package import is_layer

F = TypeVar("F", bound=Callable[..., Any])

_DISABLED: weakref.WeakKeyDictionary[types.FunctionType, str] = weakref.WeakKeyDictionary()
"""The functions that `disable` gave back, with the reason that the user has given."""


@overload
def disable(fn: F, recursive: bool = True, *, reason: str | None = None) -> F: ...
@overload
def disable(fn: None = None, recursive: bool = True, *, reason: str | None = None) -> Callable[[F], F]: ...


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """A copy of a function that jitted functions leave to plain Python; a decorator too, with or without arguments.

    Where a jitted function calls it, the graph breaks: Python runs the function, with all that it calls, and what
    follows is compiled again. Functions that it calls and that were jitted themselves are compiled still. Of a bound
    method the result is a method of the same object; of a module, the module, whose `forward` was replaced.

    reason: words for the reports.
    Errors: `NotAFunctionError` for anything but these; `SettingValueError` for ``recursive=False``, since what such a
    function calls cannot be compiled unless it is jitted itself.
    """
    if not recursive:
        raise SettingValueError(
            "gl.disable got recursive = False, which there is not: what the function calls is compiled if it is jitted "
            "itself; put @gl.jit on it"
        )
    if reason is not None and not isinstance(reason, str):
        raise SettingValueError(f"gl.disable got reason = {reason!r}; expected a str")
    if fn is None:
        return functools.partial(disable, reason=reason)
    if isinstance(fn, types.MethodType) and isinstance(fn.__func__, types.FunctionType):
        return types.MethodType(disable(fn.__func__, reason=reason), fn.__self__)
    if isinstance(fn, types.FunctionType):
        return _disabled(fn, reason)
    if is_layer(fn):
        fn.forward = disable(fn.forward, reason=reason)
        return fn
    raise NotAFunctionError(
        f"gl.disable takes a Python function, a method or a module, not a value of type {type(fn).__name__}; "
        "write a Python function that calls it"
    )


def _disabled(function: types.FunctionType, reason: str | None) -> types.FunctionType:
    copy = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(copy, function)
    _DISABLED[copy] = reason or ""
    return copy


def why_disabled(function: object) -> str | None:
    """The reason that was given to `disable` for this function, which may be empty; None for any other function."""
    return _DISABLED.get(function) if isinstance(function, types.FunctionType) else None


MARKED: dict[int, tuple[weakref.ref[Any], frozenset[int]]] = {}
"""The arrays that `mark_dynamic` was told of, by address, and the axes."""


def mark_dynamic(x: Any, dim: int | Sequence[int] | None = None) -> None:
    """Says of an array or tensor that its size along `dim` (one, several or all) varies from call to call.

    A jitted function that is called with it then compiles for any size along these axes at once, and not after a second
    size has come: one compile in place of two. Sizes 0 and 1 are compiled apart all the same, and where the function
    relies on a size (a loop over it, a comparison) it is fixed. The mark stays with this array; others have none.
    (``gl.jit(dynamic=True)`` says it of all arguments.)

    Errors: TypeError for what is no array; IndexError for an axis that it has not.
    """
    array = getattr(x, "_array", x)
    if not hasattr(array, "shape") or not hasattr(array, "strides"):
        raise TypeError(f"gl.mark_dynamic takes an array or a tensor, not a value of type {type(x).__name__}")
    rank, address = len(array.shape), id(array)
    dims = range(rank) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    for each in dims:
        if not -rank <= each < rank:
            raise IndexError(f"gl.mark_dynamic got dim = {each} for an array with {rank} axes")
    known = MARKED[address][1] if address in MARKED else frozenset[int]()
    gone = weakref.ref(array, lambda _: MARKED.pop(address, None))
    MARKED[address] = gone, known | {each % rank for each in dims}


def marked_axes(array: Any) -> frozenset[int]:
    """The axes of an array of which `mark_dynamic` was told."""
    found = MARKED.get(id(array))
    return found[1] if found is not None and found[0]() is array else frozenset()


def graph_break(msg: str = "") -> None:
    """Nothing. In a jitted function the graph breaks here: what precedes it and what follows are compiled apart.

    msg: words for the reports.
    """


def is_compiling() -> bool:
    """Whether compiled code gives this answer: True in what a jitted function compiles, False in plain Python."""
    return False
