"""Python's own types as dtypes: where one is asked for, `bool`, `int`, `float` and `complex` will do, as in PyTorch.

Functions of the surface with a parameter `dtype` are wrapped when they are registered, so that none has to think of it.
Those that make tensors get PyTorch's other words on where elements lie there, too: `layout`, `pin_memory` and formats.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from ..core.dtypes import PYTHON_TYPES, DType

Function = Callable[..., Any]

LOOK_THEMSELVES = frozenset({"to", "type", "view"})
"""The functions that take dtypes in other places as well, or names of them, and so look at each themselves."""


def as_dtype(given: Any, name: str) -> DType:
    """The dtype that is meant by itself or by a type of Python's.

    Errors: TypeError for anything else, in the name of the function that was called.
    """
    if isinstance(given, DType):
        return given
    found = PYTHON_TYPES.get(given) if isinstance(given, type) else None
    if found is None:
        raise TypeError(f"{name}(): a dtype is one such as gl.float32, or bool, int, float or complex, got {given!r}")
    return found


def asks_for_dtype(function: Function, name: str) -> bool:
    """Whether a function has a parameter `dtype` that takes dtypes alone, and has not been wrapped for it yet."""
    if name in LOOK_THEMSELVES or hasattr(function, "__guardlift_dtypes__"):
        return False
    code = inspect.unwrap(function).__code__  # type: ignore[attr-defined]
    return "dtype" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def taking_python_types(function: Function, name: str) -> Function:
    """`function`, whose `dtype` may be a type of Python's as well; itself, if it has none. One that makes a tensor of
    nothing takes PyTorch's other words on where elements lie, too.
    """
    if not asks_for_dtype(function, name):
        return function
    code = inspect.unwrap(function).__code__  # type: ignore[attr-defined]
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    place = names.index("dtype")
    place = place if place < code.co_argcount else -1  # -1: by name alone

    def meant(args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments, with a dtype in the place of a type of Python's."""
        given = keywords.get("dtype")
        if given is not None:
            keywords["dtype"] = as_dtype(given, name)
        elif place >= 0 and len(args) > place and args[place] is not None:
            return (*args[:place], as_dtype(args[place], name), *args[place + 1 :])
        return args

    if {"device", "requires_grad"} <= set(names):
        call = _making(function, name, meant)
    else:

        @wraps(function)
        def call(*args: Any, **keywords: Any) -> Any:
            return function(*meant(args, keywords), **keywords)

    call.__guardlift_dtypes__ = True  # type: ignore[attr-defined]
    return call


def _making(function: Function, name: str, meant: Function) -> Function:
    """A function that makes tensors, which takes `layout` and `pin_memory` as well, and `memory_format` if it may."""
    formats = name == "empty" or name.endswith("_like")

    @wraps(function)
    def call(*args: Any, layout: Any = None, pin_memory: bool = False, **keywords: Any) -> Any:
        memory_format = keywords.pop("memory_format", None) if formats else None
        if layout is not None and repr(layout) != "gl.strided":
            raise RuntimeError(f"{name}(): a new tensor has layout=gl.strided, got {layout!r}; use to_sparse()")
        made = function(*meant(args, keywords), **keywords)
        if memory_format is not None:
            from .conversion import in_format  # which is made of functions of the surface
            from .layouts import checked_format

            made = in_format(made, checked_format(name, memory_format))
        return made.pin_memory() if pin_memory else made

    return call
