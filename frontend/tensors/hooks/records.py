"""Records of what inlined saved-tensor hooks did in a trace: for other people's backends, and the artifact cache."""

from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....autograd.opaque import hash_of, is_opaque
from ....backend.artifacts.identity import BackendIdentity, Hooks
from ....core.records import dataclass
from ....graph.aot.hook_graphs import hook_graphs
from ....graph.aot.packing import Packing
from ....graph.node import Graph, Node

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class PackedValue:
    """A value as the pair of hooks of this number packs it; and the opaque functions that the two called for that."""

    number: int
    node: Node
    packing: Packing
    by_pack: tuple[types.FunctionType, ...]
    by_unpack: tuple[types.FunctionType, ...]


@contextmanager
def opaque_calls(trace: Trace) -> Iterator[list[types.FunctionType]]:
    """A context behind which the list holds the opaque functions that were called in it."""
    found: list[types.FunctionType] = []
    before, trace.tape.called = trace.tape.called, []
    try:
        yield found
    finally:
        found += [each for each in trace.tape.called if each is not None and is_opaque(each)]
        trace.tape.called = before


def hooks_of(trace: Trace) -> Hooks:
    """The hooks that are part of the trace so far. The graphs of those around the call are there even if empty."""
    packed = trace.tape.packed
    numbers = {0} if trace.tape.around else set()
    numbers.update(each.number for each in packed)
    graphs: dict[str, Graph] = {}
    for number in sorted(numbers):
        graphs |= hook_graphs(number, [(each.node, each.packing) for each in packed if each.number == number])
    called = [("pack", each) for value in packed for each in value.by_pack]
    called += [("unpack", each) for value in packed for each in value.by_unpack]
    hashes = {(by, hash_of(function)): function.__qualname__ for by, function in called}
    return Hooks(
        graphs,
        tuple((by, given) for by, given in hashes if given is not None),
        tuple(name for (_, given), name in hashes.items() if given is None),
    )


def identity(trace: Trace, kind: str, *, split: bool) -> BackendIdentity:
    """The identity of a graph of the trace, for the artifact cache. split: whether it was split from its backward."""
    return BackendIdentity(kind, hooks_of(trace), split=split)
