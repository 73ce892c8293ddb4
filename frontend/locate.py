"""Lines that made facts about arguments matter.

An argument is looked at before the first line runs, so its guards would name the `def`. What a reader wants is the line
that uses the argument.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterable

from ..graph.node import Graph, Location
from ..guards.guard import Guard, Where
from ..guards.sources import Source
from .code import decode, source_line, variable_name
from .trace import Trace


def at_first_use(guards: Iterable[Guard], code: types.CodeType, trace: Trace, graph: Graph) -> tuple[Guard, ...]:
    """The guards; one that names the function's first line is moved to where its value is first used."""
    used = _first_uses(trace, graph)
    return tuple(_moved(guard, code, used) for guard in guards)


def _first_uses(trace: Trace, graph: Graph) -> dict[Source, Location]:
    """Where the traced graph first computes with each of its inputs."""
    sources = {each.node: each.source for each in trace.inputs}
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
    return dataclasses.replace(guard, where=Where(file, line, source_line(file, line)))


def _first_load(code: types.CodeType, name: str | None) -> int:
    """The line that first reads the variable `name`; 0 when none does."""
    for each in decode(code).instructions:
        if name is not None and each.name.startswith("LOAD_") and _loads(each.arg, name):
            return each.line
    return 0


def _loads(arg: object, name: str) -> bool:
    if isinstance(arg, tuple):
        return any(_loads(each, name) for each in arg)
    return isinstance(arg, str) and arg == name or hasattr(arg, "name") and variable_name(arg) == name  # type: ignore[arg-type]
