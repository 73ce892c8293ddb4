"""The code a jitted function carries: a prologue for its entries in front of the original body."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from ..guards.entry import Entry
from ..guards.entry_code import TO_BODY, TO_PLAIN, build, local_names, prologue_text

if TYPE_CHECKING:
    from .state import State


def install(state: State, entries: list[Entry]) -> None:
    """Make these the function's entries, tried in this order."""
    state.entries = entries
    replacement = build(state.original.__code__, entry_text(state))
    # New pool slots first: running code finds its own numbers in either tuple.
    state.cell.cell_contents = state.pool.objects
    if state.function is None:
        state.function = function_like(state.original, replacement, state.cell)
    else:
        state.function.__code__ = replacement


def drop_stale(state: State) -> None:
    """Take out the entries whose assumptions broke. Code that still tries them finds an empty slot, and moves on."""
    stale = [entry for entry in state.entries if entry.stale]
    state.replaced += sum(entry.replaceable for entry in stale)
    state.entries = [entry for entry in state.entries if not entry.stale]
    for entry in stale:
        state.hurried = state.hurried + 1 if entry.younger_than(1.0) else 0
        state.pool.drop(entry.slot)


def entry_text(state: State) -> str:
    """The prologue of the function's present entries, as Python text."""
    return prologue_text(state.original.__code__, [entry.block for entry in state.entries])


def probe(state: State, entry: Entry) -> types.FunctionType:
    """A function of the arguments that tries this one entry, and answers `PLAIN` where the body should run.

    The entry keeps it: to make one takes milliseconds, and an entry that was paused is asked for it again and again.
    """
    if entry.probe is None:
        code = state.original.__code__
        text = prologue_text(code, [entry.block.replace(TO_BODY, TO_PLAIN)], with_body=False)
        entry.probe = function_like(state.original, build(code, text, with_body=False), state.cell, plain_call=True)
    probe: types.FunctionType = entry.probe
    return probe


def function_like(
    original: types.FunctionType, code: types.CodeType, cell: types.CellType, *, plain_call: bool = False
) -> types.FunctionType:
    """A function with this code and the original's scope.

    With `plain_call` every argument is positional, in frame order.
    """
    closure = (*(original.__closure__ or ()), cell)
    if plain_call:
        count = len(local_names(original.__code__))
        code = code.replace(
            co_argcount=count, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=code.co_flags & ~0x0C
        )
    return types.FunctionType(code, original.__globals__, original.__name__, original.__defaults__, closure)
