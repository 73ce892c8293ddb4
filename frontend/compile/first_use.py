"""Lines that made facts about arguments matter, and the part of a line that is to blame.

An argument is looked at before the first line runs, so its guards would name the `def`. What a reader wants is the line
that uses the argument.
"""

from __future__ import annotations

import linecache
import types
from collections.abc import Iterable

from ...core.records import replace
from ...graph.node import Graph, Location
from ...guards.guard import Guard, Where
from ...guards.sources import Source
from ..bytecode.decode import decode, source_line, variable_name
from ..bytecode.opcode_table import traits_of
from ..tracing.trace import Trace


def at_first_use(
    guards: Iterable[Guard], code: types.CodeType, trace: Trace | None = None, graph: Graph | None = None
) -> tuple[Guard, ...]:
    """The guards; one that names the function's first line is moved to where its value is first used.

    That is where the traced `graph` first computes with it, or else where the function's own code first reads it.
    """
    used = _first_uses(trace, graph) if trace is not None and graph is not None else {}
    return tuple(_moved(guard, code, used) for guard in guards)


def _first_uses(trace: Trace, graph: Graph) -> dict[Source, Location]:
    """The places at which the traced graph first computes with each of its inputs."""
    sources = {each.node: each.source for each in trace.inputs.entries}
    found: dict[Source, Location] = {}
    for node in graph.nodes:
        for operand in node.inputs:
            if operand in sources and node.location is not None:
                found.setdefault(sources[operand], node.location)
    return found


def _moved(guard: Guard, code: types.CodeType, used: dict[Source, Location]) -> Guard:
    where = guard.where
    if where is None or where.file != code.co_filename or where.line != code.co_firstlineno:
        return guard
    use = used.get(guard.source)
    file, line = (use.file, use.line) if use else (code.co_filename, _first_load(code, guard.source.local_name()))
    if not line:
        return guard
    return replace(guard, where=Where(file, line, source_line(file, line)))


def _first_load(code: types.CodeType, name: str | None) -> int:
    """The line that first reads the variable `name`; 0 when none does."""
    for each in decode(code).instructions:
        read = traits_of(each.name).used(each.arg, "read", "take", "cell")
        if name is not None and name in map(variable_name, read):
            return each.line
    return 0


def characters(location: Location, columns: tuple[int, int]) -> tuple[int, int]:
    """Columns of a line counted in characters instead of bytes; -1 when they do not lie in the line."""
    text = linecache.getline(location.file, location.line).rstrip("\n").encode()
    start, end = columns
    if not 0 <= start < end <= len(text):
        return -1, -1
    return len(text[:start].decode(errors="replace")), len(text[:end].decode(errors="replace"))
