"""Entries of calls without array work: guards, all checked by the entry code, and statements that rebuild the result.

Made where `config.trace_without_arrays` is on; else such a call is left to the function's own instructions.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...core.config import config
from ...core.watch import Validity
from ...guards.assumptions import checked_first, subscribe
from ...guards.entry import Entry, condition, guards_only_block, needed
from .first_use import at_first_use

if TYPE_CHECKING:
    from ...guards.assumptions import Assumption
    from ...guards.pool import Pool
    from ..codegen.reconstruct import EntryWriter


def needs_no_plan(writer: EntryWriter) -> bool:
    """Whether a traced call computes, writes and asks nothing that native code is for."""
    trace = writer.trace
    native = writer.outputs or trace.inputs.writes() or trace.inputs.checks or trace.builder.nodes
    arguments_only = all(each.kind == "array" and each.argument is not None for each in trace.inputs.entries)
    return config.trace_without_arrays and arguments_only and not native


def guards_only_entry(
    function: types.FunctionType, number: int, writer: EntryWriter, seconds: Mapping[str, float]
) -> Entry:
    """The entry of such a call. What a plan's prologue would check is checked by the entry code, as text."""
    trace, pool = writer.trace, writer.pool
    guards = at_first_use(needed([*trace.facts.guards, *trace.inputs.layout_guards()]), function.__code__, trace)
    check = condition(guards, pool, natively=False)
    assumptions = tuple(trace.facts.assumptions.values())
    title = f"entry {number} of {function.__qualname__}"
    check, slot, validity = while_assumed(check, assumptions, pool, title)
    block = guards_only_block(check, writer.code)
    return Entry(number, guards, block, slot, seconds=seconds, assumptions=assumptions, validity=validity)


def while_assumed(
    check: str, assumptions: tuple[Assumption, ...], pool: Pool, title: str
) -> tuple[str, int, Validity | None]:
    """The condition of an entry without a plan, with its assumptions; the slot of what watches them, and that itself.

    title: names the entry in the error of `config.check_assumptions`.
    """
    if not assumptions:
        return check, -1, None
    validity = Validity(True, False)
    name, slot = pool.new(validity)
    check = checked_first(check, validity, name, assumptions, title)
    subscribe(assumptions, validity)
    return f"{name}.payload and {check}" if check else f"{name}.payload", slot, validity
