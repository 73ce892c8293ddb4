"""The arguments of a function that it is differentiated by."""

from __future__ import annotations

from typing import Any

from ..tensor.dispatch import is_tensor_like, named_type
from .trees import flattened

Argnums = int | tuple[int, ...]


def chosen(args: tuple[Any, ...], argnums: Argnums) -> Any:
    """The arguments that are meant: one, or a tuple of them.

    Errors: RuntimeError for a number that is none of a positional argument, or stands there twice; ValueError for an
    argument that is no tree of tensors.
    """
    if isinstance(argnums, int):
        found = args[_place(argnums, args)]
    elif isinstance(argnums, tuple):
        if not argnums:
            raise RuntimeError("argnums must be non-empty")
        places = [_place(each, args) for each in argnums]
        if len(set(places)) != len(places):
            raise RuntimeError(f"argnums elements must be unique, got {argnums}")
        found = tuple([args[place] for place in places])
    else:
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    for leaf in flattened(found):
        if not is_tensor_like(leaf):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {named_type(leaf)}")
    return found


def with_chosen(args: tuple[Any, ...], argnums: Argnums, new: Any) -> list[Any]:
    """All arguments, with others in place of those that are meant."""
    given = list(args)
    if isinstance(argnums, int):
        given[_place(argnums, args)] = new
    else:
        for number, each in zip(argnums, new):
            given[_place(number, args)] = each
    return given


def _place(number: int, args: tuple[Any, ...]) -> int:
    if not isinstance(number, int):
        raise RuntimeError(f"argnum must be int, got: {type(number)}")
    if not -len(args) <= number < len(args):
        raise RuntimeError(f"Got argnum={number}, but only {len(args)} positional inputs")
    return number % len(args)


def with_aux(found: Any, caller: str) -> tuple[Any, Any]:
    """A pair that a function gave: its output and the rest. Errors: RuntimeError unless it is a tuple of the two."""
    if not (isinstance(found, tuple) and len(found) == 2):
        raise RuntimeError(
            f"{caller}: output of function f should be a tuple: (output, aux) if has_aux is True, got "
            f"{named_type(found)}"
        )
    return found
