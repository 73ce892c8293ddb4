"""Functions that entry code calls to make iterators and generators that stand where the traced ones stood."""

from __future__ import annotations

import types
from collections.abc import Generator
from typing import Any


def standing(iterator: Any, place: int | None) -> Any:
    """A built-in iterator over a sequence, moved to `place`; None is its end."""
    if place is None:
        next(iterator, None)
    else:
        iterator.__setstate__(place)
    return iterator


def inner_function(code: types.CodeType, names: dict[str, Any], closure: tuple[Any, ...]) -> types.FunctionType:
    """A function made inside a jitted one; called, it gives a generator that has not started."""
    return types.FunctionType(code, names, code.co_name, None, closure)


def finished_generator(code: types.CodeType, function: types.FunctionType | None) -> Generator[Any, Any, Any]:
    """A generator of this code that is at its end."""
    empty = tuple(types.CellType() for _ in code.co_freevars)
    generator = _called(types.FunctionType(code, {}, code.co_name, None, empty), function)
    generator.close()
    return generator


def waiting_generator(
    code: types.CodeType,
    names: dict[str, Any],
    closure: tuple[Any, ...],
    state: tuple[Any, ...],
    function: types.FunctionType | None,
) -> Generator[Any, Any, Any]:
    """A generator that waits at a `yield`: of a code whose first step leads there with the values in `state`."""
    made = types.FunctionType(code, names, code.co_name, None, (*closure, types.CellType(state)))
    generator = _called(made, function)
    next(generator)
    return generator


def _called(made: types.FunctionType, function: types.FunctionType | None) -> Generator[Any, Any, Any]:
    """The generator of a call with None for every argument, named after `function`."""
    code = made.__code__
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    generator: Any = made(*[None] * code.co_argcount, **dict.fromkeys(keywords))
    if function is not None:
        generator.__name__, generator.__qualname__ = function.__name__, function.__qualname__
    return generator  # type: ignore[no-any-return]
