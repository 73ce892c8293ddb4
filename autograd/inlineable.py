"""Saved-tensor hooks that compiled code may take in: the mark on a function, and what tells one such pair from another.

A function with the mark is traced where a jitted forward saves tensors, instead of being called. So it must be a plain
function of the tensor: what it does besides would not be done.
"""

# Note [Keys of pairs]
# While a pair of marked functions is the one in force, `MODES.inlined` holds its key, and else None; compiled code asks
# for that one object. Pairs whose functions have equal code over the same globals have one key, wherever and however
# often they were defined: with `config.hook_guard` at "structure" they share what was compiled. All that such code
# reads besides (globals, cells, defaults) is guarded where the pair in force is found, so that a pair is never taken
# for another whose cells hold something else. At "id" each pair of function objects has a key of its own.

from __future__ import annotations

import types
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from ..core.config import config
from .hook_pairs import HookChain
from .modes import MODES

F = TypeVar("F", bound=Callable[..., Any])

_MARKED: weakref.WeakSet[types.FunctionType] = weakref.WeakSet()


def inlineable(function: F) -> F:
    """`function` itself, marked: as a saved-tensor hook it may be traced into compiled code instead of being called.

    Both hooks of a pair have to be marked, and the pair to be neither composed nor checked. A marked function computes
    on tensors and does nothing else: it is traced once for each tensor that compiled code saves, and not called when
    that code runs. In eager mode it is called as any.
    pack takes a tensor (and a `SaveInfo`, if it requires two arguments) and gives tensors and constants, in containers
    and objects that tracing can build. unpack makes of that one tensor of the shape and dtype of the first.
    Errors: TypeError for what is no plain Python function.
    """
    if not isinstance(function, types.FunctionType):
        raise TypeError(
            f"inlineable() takes a function made by def or lambda, got {type(function).__name__}; wrap it in one"
        )
    _MARKED.add(function)
    return function


def is_inlineable(function: object) -> bool:
    """Whether a hook bears the mark."""
    return isinstance(function, types.FunctionType) and function in _MARKED


class PairKey:
    """Stands for all pairs of hooks that compiled code need not tell apart; compare with `is`."""

    __slots__ = ("__weakref__", "about", "name")
    in_words = "hooks that are inlined"

    def __init__(self, name: str, about: tuple[Any, ...]) -> None:
        self.name = name
        self.about = about

    def __repr__(self) -> str:
        return f"the saved-tensor hooks {self.name}"


_KEYS: weakref.WeakValueDictionary[tuple[Any, ...], PairKey] = weakref.WeakValueDictionary()


def key_of(pair: object) -> PairKey | None:
    """The key of a pair of hooks that are both marked; None for any other hooks. See Note [Keys of pairs]."""
    pair = _functions(pair)
    if not pair or not all(map(is_inlineable, pair)):
        return None
    if config.hook_guard == "id":
        about: tuple[Any, ...] = tuple(map(id, pair))
        held: tuple[Any, ...] = pair
    else:
        about = tuple((id(each.__globals__), _structure(each.__code__)) for each in pair)
        held = tuple(each.__globals__ for each in pair)
    found = _KEYS.get(about)
    if found is None:
        # What the ids stand for lives as long as the key.
        found = _KEYS.setdefault(about, PairKey(f"({pair[0].__name__}, {pair[1].__name__})", held))
    return found


def _functions(hooks: object) -> tuple[Any, ...]:
    """Pack and unpack of a pair, which may be told what it packs; nothing of one that is composed or checked."""
    if isinstance(hooks, HookChain):
        link = hooks.links[0]
        return (link.pack, link.unpack) if len(hooks.links) == 1 and not hooks.checked else ()
    return hooks if type(hooks) is tuple else ()


def take_in() -> None:
    """Notes whether compiled code takes in the pair now in force: not while backward is compiled as a whole."""
    MODES.inlined = None if MODES.compiled_autograd else key_of(MODES.hooks)


def _structure(code: types.CodeType) -> tuple[Any, ...]:
    """A key that is equal for two pieces of code that do the same, whatever they are called and wherever they stand."""
    constants = tuple(
        _structure(each) if isinstance(each, types.CodeType) else (type(each), repr(each)) for each in code.co_consts
    )
    return (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags,
        code.co_exceptiontable,
    )
