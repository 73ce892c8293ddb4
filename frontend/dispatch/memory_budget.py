"""The memory that entries take, and the budget for it, `config.memory_limit`: the least lately used are dropped."""

# Note [Who was used]
# A call that hits an entry runs no code of ours but its plan, so nothing could keep a list in order of use. A plan's
# table has a word that counts calls; whoever compiles looks at it everywhere, so it knows who was used since.

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from ...core.config import config
from ...core.events import DROP
from ...core.locks import Attempt
from .call_counts import plan_tables
from .event_history import event, note
from .install import without
from .registry import live_states

if TYPE_CHECKING:
    from ...guards.entry import Entry
    from ..codegen.frame_state import ResumePoint
    from .state import FunctionState


def plan_bytes(state: FunctionState, entry: Entry) -> int:
    """Bytes of an entry's plans, and of the memory that they keep between calls."""
    return sum(table.held_bytes for table in plan_tables(state, entry))


def code_bytes(entry: Entry) -> int:
    """Bytes of an entry's text; the bytecode made of it is about as long."""
    return 2 * sys.getsizeof(entry.block)


def graph_bytes(graph: Any) -> int:
    """Bytes of the records of a graph's nodes."""
    return sum(
        sys.getsizeof(node) + sys.getsizeof(node.inputs) + sys.getsizeof(node.attrs)
        for node in (*graph.inputs, *graph.nodes)
    )


def entry_bytes(state: FunctionState, entry: Entry) -> int:
    """Bytes that dropping an entry would free. Graphs that it shares with another one are that one's."""
    graphs = [] if entry.shares else [entry.details[name] for name in ("traced", "graph") if name in entry.details]
    return plan_bytes(state, entry) + code_bytes(entry) + sum(map(graph_bytes, graphs))


def keep_within(latest: Entry) -> None:
    """Drops entries, those used least lately first, until all take no more than `config.memory_limit`.

    The one just compiled stays, and so do those of functions that another thread is compiling.
    """
    if not config.memory_limit:
        return
    now = time.monotonic()
    found: list[tuple[float, int, FunctionState, ResumePoint, Entry]] = []
    for state in live_states():
        for point in list(state.points.values()):
            for entry in point.entries:
                if entry.slot >= 0 and not entry.stale:
                    tables = list(plan_tables(state, entry))
                    used = [table.was_used() for table in tables]  # every one of them, since to ask begins anew
                    if any(used):
                        entry.used = now
                    found.append((entry.used, entry_bytes(state, entry), state, point, entry))
    total = sum(each[1] for each in found)
    for _, size, state, point, entry in sorted(found, key=lambda each: each[0]):
        if total <= config.memory_limit:
            return
        if entry is not latest and _dropped(state, point, entry, size):
            total -= size


def _dropped(state: FunctionState, point: ResumePoint, entry: Entry, size: int) -> bool:
    taken = True
    try:
        with Attempt(state.lock) as taken:
            if not taken or entry not in point.entries:
                return False
            without(state, point, entry)
            if all(each.artifact != entry.artifact for each in state.entries):
                state.artifacts.drop(entry.artifact)
            text = f"entry {entry.number} was dropped, which frees {size} bytes (gl.config.memory_limit)"
            note(state, event(state, DROP, entry=entry.number, text=text))
            point.dropped.append(entry.number)
            state.refresh_code()
            return True
    except RuntimeError:
        if taken:
            raise
        return False
