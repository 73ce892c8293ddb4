"""The oracle of tests about effects: two equal worlds, one left to Python and one to the jitted function.

Each call must give both the same result, and leave both in the same state, down to which object is which.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from oracle import under

import guardlift as gl
from guardlift.frontend import state_of

World = tuple[Callable[..., Any], tuple[Any, ...]]


class Thing:
    """An object of a user's class, given its attributes in the order of the keywords."""

    limit = 3

    def __init__(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            setattr(self, name, value)


def picture(value: Any, known: dict[int, int] | None = None) -> Any:
    """A description of a value and all it leads to: types, values, orders, and which objects are one."""
    known = {} if known is None else known
    if value is None or isinstance(value, (bool, int, float, str, types.ModuleType, type)):
        return type(value).__name__, repr(value)
    if id(value) in known:
        return "seen", known[id(value)]
    if not isinstance(value, tuple):
        known[id(value)] = len(known)
    kind = type(value).__name__

    def inside(each: Any) -> Any:
        return picture(each, known)

    if isinstance(value, np.ndarray):
        return kind, str(value.dtype), value.tolist()
    if isinstance(value, np.generic):
        return kind, value.item()
    if isinstance(value, deque):
        return kind, value.maxlen, [inside(each) for each in value]
    if isinstance(value, (list, dict)) and hasattr(value, "__dict__"):
        plain = list if isinstance(value, list) else dict
        held = [*plain.__iter__(value)] if plain is list else [(key, dict.get(value, key)) for key in value]
        return kind, inside(held), inside(vars(value)), inside(getattr(value, "default_factory", None))
    if isinstance(value, (list, tuple)):
        return kind, [inside(each) for each in value]
    if isinstance(value, (set, frozenset)):
        return kind, sorted(map(repr, value))
    if isinstance(value, dict):
        return kind, [(inside(key), inside(each)) for key, each in value.items()]
    if isinstance(value, types.FunctionType):
        cells = zip(value.__code__.co_freevars, value.__closure__ or (), strict=False)
        return kind, [(name, inside(cell)) for name, cell in cells], inside(value.__defaults__)
    if isinstance(value, types.CellType):
        try:
            return kind, inside(value.cell_contents)
        except ValueError:
            return kind, "empty"
    slots = [(name, inside(getattr(value, name, "empty"))) for name in getattr(type(value), "__slots__", ())]
    return kind, slots, inside(vars(value)) if hasattr(value, "__dict__") else None


def replayed(make: Callable[[], World], *, calls: int = 2, compiles: int = 1, code: str = "") -> Any:
    """The jitted function, after `calls` calls in a world of its own that left it as plain calls leave another.

    compiles: how many entries that may take at most.   code: of the break that is expected instead.
    """
    (plain, plain_args), (function, args) = make(), make()
    jitted: Any = gl.jit(function, fullgraph=not code)
    with under("reference"):
        for call in range(calls):
            wanted, got = _outcome(plain, plain_args), _outcome(jitted, args)
            assert picture((wanted, plain_args, plain)) == picture((got, args, function)), f"call {call + 1}"
    state = state_of(jitted)
    assert state is not None
    breaks = {event.break_code for event in state.history if event.kind == "break"}
    assert breaks == ({code} if code else set()), [str(event) for event in state.history]
    assert code or 1 <= len(state.entries) <= compiles, f"{len(state.entries)} entries"
    return jitted


def _outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
