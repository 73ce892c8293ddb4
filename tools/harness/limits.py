"""Limits of what functions may do: what an observation has beyond one, in words. Expectations and markers have them."""

from __future__ import annotations

from ...core.events import BREAK, LIMIT, RECOMPILE, plural
from ...core.user_line import described
from ...guards.entry import Entry
from .observation import Observation

DEAREST = 5
"""Guards that are listed when all of an entry's take too long."""


def recompiles_beyond(seen: Observation, most: int, allowed: str) -> str:
    """More recompiles than `most`, in words; empty when there are none. `allowed` tells the limit."""
    counted = seen.log.counted
    found = counted[RECOMPILE] + counted[LIMIT]
    beyond = f", {counted[LIMIT]} of them beyond the limit of entries" if counted[LIMIT] else ""
    return f"{plural(found, 'recompile')}{beyond}, where {allowed}" if found > most else ""


def breaks_beyond(seen: Observation, most: int, allowed: str) -> str:
    """More graph breaks than `most`, in words; empty when there are none."""
    found = seen.log.counted[BREAK]
    return f"{plural(found, 'graph break')}, where {allowed}" if found > most else ""


def guard_us_beyond(seen: Observation, most: float, allowed: str) -> str:
    """Entries whose guards take more microseconds a call than `most`: the dearest one with its dearest guards."""
    from ..collect import guard_microseconds

    entries = [(state, entry) for state in seen.functions() for entry in state.entries if not entry.stale]
    if not entries:
        return ""
    state, dearest = max(entries, key=lambda pair: guard_microseconds(pair[1]))
    found = guard_microseconds(dearest)
    if found <= most:
        return ""
    first = (
        f"the guards of entry {dearest.number} of {state.original.__qualname__} take about {found} us, where {allowed}"
    )
    return "\n".join([first, *_dearest_guards(dearest)])


def _dearest_guards(entry: Entry) -> list[str]:
    listed = sorted(entry.guards, key=lambda guard: -guard.nanoseconds)
    lines = []
    for guard in listed[:DEAREST]:
        where = f"  # {described(guard.where.file, guard.where.line)}" if guard.where else ""
        lines.append(f"  {guard.nanoseconds / 1e3:6.3f} us  {guard.fact()}{where}")
    if len(listed) > DEAREST:
        rest = sum(guard.nanoseconds for guard in listed[DEAREST:]) / 1e3
        lines.append(f"  {rest:6.3f} us  in {plural(len(listed) - DEAREST, 'other guard')}")
    return lines
