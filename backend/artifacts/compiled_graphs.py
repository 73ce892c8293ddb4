"""Graphs with a program from disk, where there is one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ...core.asynchronous import is_asynchronous
from ...core.config import config
from ...core.devices import CPU
from ...core.records import replace
from ...graph.digest import NotComparable, lines
from .. import compile
from ..call_layout import layout_lines
from . import program_codec
from .counters import count
from .identity import BackendIdentity
from .keys import Request, request
from .store import bypassed, keep, missed, recall

if TYPE_CHECKING:
    from ...graph.node import Graph
    from ..call_layout import CallLayout
    from ..compile import CompiledGraph
    from ..compiled_program import CompiledProgram


def compiled(graph: Graph, layout: CallLayout, identity: BackendIdentity) -> CompiledGraph:
    """The compiled form of `graph` for calls of this layout. What is read from disk is not lowered.

    Errors: GraphError when the graph holds what no lowering knows.
    """
    wanted = None if graph.device != CPU else wanted_program(graph, layout, identity)
    if wanted is None:
        return compile.compile_graph(graph, layout)
    data = recall(wanted)
    try:
        found = program_codec.read(data, len(graph_operands(layout))) if data is not None else None
    except program_codec.NotWholeError:
        found = None
    if found is None:
        missed(wanted)
        lazy = compile.LazyProgram(graph, layout, keep=partial(_keep, wanted))
        lazy.lowered  # noqa: B018 (errors come now)
    else:
        count(wanted.kind, "hit")
        lazy = compile.LazyProgram(graph, layout, given=partial(_program, found), keep=partial(_keep, wanted))
    return compile.CompiledGraph(graph, layout, lazy)


def graph_operands(layout: CallLayout) -> tuple[Any, ...]:
    """The operands that have a number in the plans of this layout, in order, but for temporaries."""
    return (*layout.inputs, *layout.objects, *layout.outputs)


def wanted_program(graph: Graph, layout: CallLayout, identity: BackendIdentity) -> Request | None:
    """The request for a graph's program on disk; None where nothing is looked for, which is counted."""
    if not config.artifact_cache or compile.compile_graph.__module__ != compile.__name__:
        return None
    identity = replace(identity, about=identity.about or whose(graph))
    wanted, why = _request(graph, layout, identity)
    if wanted is None:
        bypassed(identity.kind, identity.about, why)
    return wanted


def _request(graph: Graph, layout: CallLayout, identity: BackendIdentity) -> tuple[Request | None, str]:
    """The request for a graph's program on disk; or None, and why nothing is looked for."""
    why = program_codec.why_not(graph)
    if identity.hooks.unhashed:
        why = f"a hook calls {identity.hooks.unhashed[0]}, which gl.wrap has made opaque without a user_cache_hash"
    if why:
        return None, why
    try:
        return request(identity, lines(graph, places=False), layout_lines(layout)), ""
    except NotComparable as error:
        return None, f"an attribute of type {error} has no text of its own"


def _program(found: program_codec.Reading) -> CompiledProgram | None:
    try:
        return found.program()
    except Exception as error:
        if is_asynchronous(error):
            raise
        return None  # a text that is no kernel's: whatever is wrong with it, the graph is lowered instead


def _keep(wanted: Request, program: CompiledProgram) -> None:
    made = program_codec.written(program)
    if made is not None:
        keep(wanted, made)


def whose(graph: Graph) -> str:
    """The user's function and line that come first in a graph; "a graph" where no node has a line."""
    for node in (*graph.nodes, *graph.inputs):
        if node.location is not None:
            return f"{node.location.function} ({node.location.file}:{node.location.line})"
    return "a graph"
