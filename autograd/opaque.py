"""Functions that saved-tensor hooks call and whose code does not say what they do: `gl.wrap`."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable
from typing import Any, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])

_HASHES: weakref.WeakKeyDictionary[types.FunctionType, str | None] = weakref.WeakKeyDictionary()


@overload
def wrap(fn: F, user_cache_hash: str | None = None) -> F: ...
@overload
def wrap(fn: None = None, user_cache_hash: str | None = None) -> Callable[[F], F]: ...


def wrap(fn: Any = None, user_cache_hash: str | None = None) -> Any:
    """`fn` itself, marked as opaque: the graph of a hook that calls it does not tell what it does. A decorator too.

    A hook that compiled code takes in (see `autograd.graph.inlineable`) is followed into such a function with the very
    tensor that is packed, so it may decide by dtype, size or whatever it looks up. What was compiled is kept on disk
    only if each opaque function that the hooks called has a `user_cache_hash`: it stands for all that the function's
    decisions depend on, and code is found again under equal ones alone.
    user_cache_hash: any text. A function that is marked anew has the new one.
    Errors: TypeError for what is no plain Python function, and for a hash that is no text.
    """
    if user_cache_hash is not None and not isinstance(user_cache_hash, str):
        raise TypeError(f"wrap() takes a str as user_cache_hash, got {type(user_cache_hash).__name__}; use its repr")
    if fn is None:
        return lambda given: wrap(given, user_cache_hash)
    if not isinstance(fn, types.FunctionType):
        raise TypeError(f"wrap() takes a function made by def or lambda, got {type(fn).__name__}; wrap it in one")
    _HASHES[fn] = user_cache_hash
    return fn


def is_opaque(function: object) -> bool:
    """Whether `wrap` has marked a function."""
    return isinstance(function, types.FunctionType) and function in _HASHES


def hash_of(function: types.FunctionType) -> str | None:
    """The hash that the user has given for a function; None if `function` has none."""
    return _HASHES.get(function)
