"""The registry of the surface: the functions that users call, by the name they know them under."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .autocast import autocasting
from .python_types import taking_python_types
from .tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])

SURFACE: dict[Callable[..., Any], str] = {}
"""Every function of the surface, with its name. All of them run over traced values as they are (see `dispatch`)."""


def surface(function: F) -> F:
    """Registers a function of the surface that is no method."""
    _name_as_users_know(function)
    listed: F = _wrapped(function)
    SURFACE[listed] = listed.__name__
    return listed


def _wrapped(function: F) -> F:
    """The function as it is called: it asks about autocast, if it is listed, and takes types of Python's as dtypes."""
    name = function.__name__
    wrapped = autocasting(function, name)
    return wrapped if wrapped is not function else taking_python_types(function, name)  # type: ignore[return-value]


def _name_as_users_know(function: Callable[..., Any]) -> None:
    """Gives the code of a function the names that users know.

    That of the function, if a factory made it: tracebacks and records show it. And that of its first parameter: what
    is `self` of the method is `input` of the function, for whoever gives it by keyword.
    """
    code = function.__code__  # type: ignore[attr-defined]
    if code.co_varnames[:1] == ("self",) and "input" not in (*code.co_varnames, *code.co_cellvars):
        names = {"self": "input"}
        variables, cells = (
            tuple(names.get(each, each) for each in part) for part in (code.co_varnames, code.co_cellvars)
        )
        code = code.replace(co_varnames=variables, co_cellvars=cells)
    function.__code__ = code.replace(co_name=function.__name__)  # type: ignore[attr-defined]


def method(*names: str) -> Callable[[F], F]:
    """Registers a function of the surface that is also a method of Tensor, under its own name if none is given."""

    def register(function: F) -> F:
        _name_as_users_know(function)
        listed: F = _wrapped(function)
        SURFACE[listed] = listed.__name__
        for name in names or (listed.__name__,):
            setattr(Tensor, name, listed)
        return listed

    return register


def attribute(name: str, *, setter: Callable[[Any, Any], None] | None = None) -> Callable[[F], F]:
    """Registers a function of the surface that is also the attribute of Tensor called so.

    setter: what setting the attribute does, to the tensor and the value.
    """

    def register(function: F) -> F:
        SURFACE[function] = name
        setattr(Tensor, name, property(function, setter))
        return function

    return register


def value_method(*names: str) -> Callable[[F], F]:
    """Registers a method of Tensor that needs values and is no part of the surface, by default under its own name."""

    def register(function: F) -> F:
        _name_as_users_know(function)
        for name in names or (function.__name__,):
            setattr(Tensor, name, function)
        return function

    return register
