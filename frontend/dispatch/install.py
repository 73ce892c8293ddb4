"""The code a jitted function carries: a prologue for its entries in front of the original body."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.package import PROBES
from ...guards.entry import Entry
from ...guards.entry_code import (
    NEXT,
    SEE_CALL,
    STOP_CLOCK,
    Parts,
    ResumeSection,
    local_names,
    prologue,
    resume_section,
)
from ..codegen.frame_state import FrameState, ResumePoint

if TYPE_CHECKING:
    from .state import FunctionState


def install(
    state: FunctionState, point: ResumePoint, entries: list[Entry], resumptions: Mapping[int, str] | None = None
) -> None:
    """Make these a point's entries, tried in this order; `resumptions` are new points, with the stack's kinds there.

    The function's code follows when `assemble` is called.
    """
    # In this order, so that an interrupt never leaves an entry whose objects the code does not see. Running code finds
    # its own numbers in either tuple.
    state.show_pool()
    state.outdated = True
    state.newest.clear()
    for position, kinds in (resumptions or {}).items():
        state.points.setdefault(position, ResumePoint(position, kinds))
    point.entries = entries


def assemble(state: FunctionState) -> None:
    """Give the function the code that its entries ask for, if it has not got it."""
    if not state.outdated:
        return
    replacement = state.code_objects.function(_prologue(state), sections(state))
    state.outdated = False
    state.newest.append(replacement)
    state.replace_code(replacement)


def drop_stale(point: ResumePoint) -> list[set[int]]:
    """Take out the entries whose assumptions broke, and give what they named in the pool, to be released.

    Code that still tries them finds empty slots, and moves on.
    """
    stale = [entry for entry in point.entries if entry.stale]
    point.replaced += sum(entry.replaceable for entry in stale)
    point.entries = [entry for entry in point.entries if not entry.stale]
    for entry in stale:
        point.hurried = point.hurried + 1 if entry.younger_than(1.0) else 0
    return [entry.pooled for entry in stale]


def without(state: FunctionState, point: ResumePoint, entry: Entry) -> None:
    """Take out one entry. Code that still tries it finds empty slots, and moves on."""
    install(state, point, [each for each in point.entries if each is not entry])
    state.pool.release(entry.pooled)
    state.show_pool()


def entry_text(state: FunctionState) -> str:
    """The prologue of the function's present entries, as Python text."""
    return "\n".join(part.removesuffix(f"\nreturn {NEXT!r}") for part in _prologue(state))


def _prologue(state: FunctionState) -> Parts:
    blocks = [entry.block for entry in state.points[0].entries]
    return prologue(state.original.__code__, [SEE_CALL, *blocks] if state.watchers else blocks)


def sections(state: FunctionState) -> dict[int, ResumeSection]:
    """The sections of the points behind the start."""
    code = state.original.__code__
    return {
        position: resume_section(
            code, position, point.kinds, [STOP_CLOCK] * state.calls.clock.on + [entry.block for entry in point.entries]
        )
        for position, point in state.points.items()
        if position and not point.left
    }


def resume_function(state: FunctionState, at: FrameState) -> tuple[types.FunctionType, list[Any]]:
    """A function that goes on from where a running frame is, in the newest code, and what its argument has to give."""
    bound = tuple(name for name in at.variables if name not in at.cells)
    built = state.code_objects.resume_function(sections(state), at.point.position, bound)
    state.newest.append(built)
    cells = [at.cells[name] for name in state.original.__code__.co_cellvars]
    closure = (*(state.original.__closure__ or ()), state.cell)
    function = types.FunctionType(built, state.original.__globals__, state.original.__name__, None, closure)
    return function, [*cells, *(at.variables[name] for name in bound), *at.stack.values()]


def probe(state: FunctionState, entry: Entry) -> types.FunctionType:
    """A function of the arguments that tries this one entry.

    It answers `LEFT` where the entry leaves the call to the body, and `RUN_ORIGINAL` where it does not fit.

    The entry keeps its code: to make it takes milliseconds, and an entry that was paused is asked for it again and
    again.
    """
    original = state.original
    if entry.probe is None:
        code = state.code_objects.probe(prologue(original.__code__, [entry.block], with_body=False))
        entry.probe = called_plainly(original, code)
    PROBES.add(entry.probe)
    return function_like(original, entry.probe, state.cell)


def function_like(original: types.FunctionType, code: types.CodeType, cell: types.CellType) -> types.FunctionType:
    """A function with this code and the original's scope."""
    closure = (*(original.__closure__ or ()), cell)
    return types.FunctionType(code, original.__globals__, original.__name__, original.__defaults__, closure)


def called_plainly(original: types.FunctionType, code: types.CodeType) -> types.CodeType:
    """The code with every argument positional, in frame order."""
    count = len(local_names(original.__code__))
    return code.replace(co_argcount=count, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=code.co_flags & ~0x0C)
