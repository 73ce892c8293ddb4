"""The record of a forward trace on its way to a forward and a backward graph: every stage, with names, as text.

In this order: the two graphs before saved-tensor hooks are inlined; for each value that is packed, what pack and what
unpack do, under the value's name; the two graphs after that; the two as they are compiled. A line tells of a value its
dtype, shape, strides and device, the user's line, and which values are needed no longer.
"""

from __future__ import annotations

import json
import linecache
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...core.records import dataclass
from ...core.sizes import Size
from ...core.types import contiguous_strides
from ..node import Graph, Location, Node
from ..printer import format_attribute, format_type
from .packing import Packed
from .pair import Pair
from .partition import bytes_of
from .peak import peak_bytes
from .symbols import symbols_of

Names = Mapping[Node, str]
Symbols = tuple[tuple[str, str], ...]
"""Symbolic sizes by the names under which they are kept, each as an expression."""
FORWARD_BEFORE = "forward graph before saved-tensor hooks are inlined"
BACKWARD_BEFORE = "backward graph before saved-tensor hooks are inlined"
PACK, UNPACK = "pack hook of {}", "unpack hook of {}"
FORWARD_AFTER = "forward graph with saved-tensor hooks"
BACKWARD_AFTER = "backward graph with saved-tensor hooks"
FORWARD, BACKWARD = "forward graph as it is compiled", "backward graph as it is compiled"


@dataclass(frozen=True, slots=True)
class Stage:
    """A graph at one stage; `names` are those of its values, `given` and `kept` symbolic sizes; see `dump`."""

    title: str
    graph: Graph
    names: Names
    given: Symbols = ()
    kept: Symbols = ()

    def text(self) -> str:
        """The dump."""
        return f"{self.title}\n{dump(self.graph, self.names, self.given, self.kept)}"


@dataclass(frozen=True, slots=True, eq=False)
class AotRecord:
    """All stages of one pair of graphs. Texts are made when they are asked for.

    results:  what the forward graph gives the user.
    mode:     what `config.saved_tensors_hooks_filtering_mode` was.
    static:   the inputs whose memory is there anyway.
    compiled: the backward graph after all passes.
    """

    pair: Pair
    results: tuple[Node, ...]
    mode: str
    static: frozenset[Node]
    compiled: Graph

    def stages(self, forward: Graph | None = None) -> list[Stage]:
        """Every stage in order; with the compiled forward graph among them, if it is given."""
        pair, names, symbols = self.pair, self.names(), tuple(self.symbols().items())
        packs = {node for each in pair.packings for node in each.pack}
        kept = [node for node in pair.partition.kept if not node.is_input]
        nodes = tuple(node for node in pair.forward.nodes if node not in packs)
        plain, plain_saved = pair.plain()
        loads = [names[node] for node in pair.saved]
        found = [
            Stage(FORWARD_BEFORE, Graph(pair.forward.inputs, nodes, (*self.results, *kept)), names),
            Stage(BACKWARD_BEFORE, plain, _backward_names(plain, [names[each] for each in plain_saved])),
            *(stage for each in pair.packings for stage in _hook_stages(each, names)),
            Stage(FORWARD_AFTER, pair.forward, names, kept=symbols),
            Stage(BACKWARD_AFTER, pair.backward, _backward_names(pair.backward, loads), symbols),
        ]
        if forward is not None:
            found.append(Stage(FORWARD, forward, _named((*forward.inputs, *forward.nodes), {})))
        found.append(Stage(BACKWARD, self.compiled, _backward_names(self.compiled, loads)))
        return found

    def names(self) -> dict[Node, str]:
        """The names of the values of the forward graph; packed values bear that of their value, with a place."""
        forward = self.pair.forward
        packs = {node for each in self.pair.packings for node in each.pack}
        names = names_of(node for node in (*forward.inputs, *forward.nodes) if node not in packs)
        for each in self.pair.packings:
            places = {part: place for place, part in enumerate(each.parts) if isinstance(part, Node)}
            for place, node in enumerate(each.kept, len(each.parts) if places else 0):
                if node in packs and node not in names:
                    names[node] = f"{names[each.node]}_hook_{places.get(node, place)}"
        return _named(forward.nodes, names)

    def symbols(self) -> dict[str, str]:
        """The symbolic sizes that backward is given: those in its own types, then those that hooks packed."""
        names = self.names()
        found = {name: name for name in symbols_of(self.pair.backward)}
        for each in self.pair.packings:
            sizes = {place: part for place, part in enumerate(each.parts) if isinstance(part, Size)}
            found.update((f"{names[each.node]}_hook_{place}", size.text) for place, size in sizes.items())
        return found

    @property
    def bytes_without_hooks(self) -> int:
        """The bytes that would be kept for backward without hooks, but for memory that is there anyway."""
        return self.pair.partition.nbytes

    @property
    def bytes_kept(self) -> int:
        """The bytes that are kept for backward, but for memory that is there anyway."""
        return sum(bytes_of(node) for node in self.pair.saved if node not in self.static)

    @property
    def peak_without_hooks(self) -> int:
        """About what backward would hold at once without hooks, but for memory that is there anyway. Units: bytes."""
        graph, saved = self.pair.plain()
        return peak_bytes(graph, self._free(graph, saved))

    @property
    def peak(self) -> int:
        """About what backward holds at once with hooks, but for memory that is there anyway. Units: bytes."""
        return peak_bytes(self.pair.backward, self._free(self.pair.backward, self.pair.saved))

    def _free(self, graph: Graph, saved: Sequence[Node]) -> set[Node]:
        return {load for load, node in zip(graph.inputs, saved, strict=False) if node in self.static}

    def as_json(self, forward: Graph | None = None) -> str:
        """Everything, for tools: the dumps, and what is packed, kept and given to backward, by name."""
        pair, names = self.pair, self.names()
        packed = [each.node for each in pair.packings]
        return json.dumps(
            {
                "mode": self.mode,
                "packed": [names[node] for node in packed],
                "plain": [names[node] for node in pair.partition.kept if node not in packed],
                "kept": [names[node] for node in pair.saved],
                "symbols": self.symbols(),
                "backward inputs": [*self.symbols(), *(names[node] for node in pair.saved)]
                + [node.name for node in pair.backward.inputs[len(pair.saved) :]],
                "bytes kept without hooks": self.bytes_without_hooks,
                "bytes kept": self.bytes_kept,
                "peak of backward without hooks": self.peak_without_hooks,
                "peak of backward": self.peak,
                "partition": pair.partition.table(names.__getitem__),
                "dumps": [{"title": each.title, "text": each.text()} for each in self.stages(forward)],
            }
        )

    def lines(self, forward: Graph | None = None) -> Iterator[str]:
        """The dumps, one after the other, and what backward costs in memory."""
        for stage in self.stages(forward):
            yield from stage.text().splitlines()
        yield "what is kept for backward, and what is computed again"
        yield from ("  " + line for line in self.pair.partition.table(self.names().__getitem__).splitlines())
        yield f"kept for backward: {self.bytes_without_hooks:,} bytes without hooks, {self.bytes_kept:,} bytes as it is"
        peaks = f"{self.peak_without_hooks:,} bytes without hooks, {self.peak:,} bytes as it is"
        yield f"held by backward at once, estimated: {peaks}"


def _hook_stages(packed: Packed, names: Names) -> Iterator[Stage]:
    """The stages of one packed value: its pack hook and its unpack hook, each as a graph of its own."""
    name = names[packed.node]
    yield Stage(PACK.format(name), *_alone(packed.pack, packed.kept, names))
    yield Stage(UNPACK.format(name), *_alone(packed.unpack, (packed.value,), names))


def _alone(nodes: Sequence[Node], outputs: Sequence[Node], names: Names) -> tuple[Graph, Names]:
    """Some nodes as a graph: what they read from elsewhere are its inputs."""
    inner = set(nodes)
    outside = dict.fromkeys(each for node in nodes for each in node.inputs if each not in inner)
    outside.update(dict.fromkeys(each for each in outputs if each not in inner))
    given = dict(names)
    given.update((node, name) for node, name in _named(nodes, {}).items() if node not in given)
    return Graph(tuple(outside), tuple(nodes), tuple(outputs)), given


def names_of(nodes: Iterable[Node]) -> dict[Node, str]:
    """The names by which dumps call the values of a trace: its inputs, then its nodes."""
    return _named(nodes, {})


def _named(nodes: Iterable[Node], given: Names) -> dict[Node, str]:
    """A name for each node: the given one, or that of an input, or of its op, numbered where it was there before."""
    taken = set(given.values())
    names = dict(given)
    for node in nodes:
        if node in names:
            continue
        wanted = name = node.name or node.op.name
        count = 0
        while name in taken:
            count += 1
            name = f"{wanted}_{count}"
        taken.add(name)
        names[node] = name
    return names


def _backward_names(graph: Graph, loads: Sequence[str]) -> dict[Node, str]:
    given = dict(zip(graph.inputs, loads, strict=False))
    return _named((*graph.inputs, *graph.nodes), given)


# -- one graph --------------------------------------------------------------------------------------------------------
def dump(graph: Graph, names: Names, given: Symbols = (), kept: Symbols = ()) -> str:
    """The text of a graph; see the head of this module. Strides are those of rows: memory is laid out later.

    given: symbolic sizes that it takes before its inputs.   kept: those that it hands on behind its results.
    """
    last = _last_uses(graph)
    lines = [f"  {name}: size = {text}" for name, text in given]
    lines += [f"  {_typed(node, names)}" for node in graph.inputs]
    for node in graph.nodes:
        operands = [names.get(each, "?") for each in node.inputs]
        operands += (f"{key}={format_attribute(value)}" for key, value in node.attrs)
        notes = [_user_line(node.location)] if node.location else []
        if last.get(node):
            notes.append("last use of " + ", ".join(names.get(each, "?") for each in last[node]))
        text = f"  {_typed(node, names)} = {node.op.name}({', '.join(operands)})"
        lines.append(text + (f"  # {'; '.join(notes)}" if notes else ""))
    lines += [f"  write {names[write.target]} <- {names[write.value]}" for write in graph.writes]
    results = [*(names.get(node, "?") for node in graph.outputs), *(name for name, _ in kept)]
    lines.append(f"  return {', '.join(results)}".rstrip())
    return "\n".join(lines)


def _typed(node: Node, names: Names) -> str:
    device = f" {node.type.device}" if node.type.device == "cpu" else ""
    return f"{names.get(node, '?')}: {format_type(node.type)} {list(contiguous_strides(node.shape))}{device}"


def _user_line(location: Location) -> str:
    text = linecache.getline(location.file, location.line).strip()
    return f"{location.file.rpartition('/')[2]}:{location.line}" + (f" {text}" if text else "")


def _last_uses(graph: Graph) -> dict[Node, list[Node]]:
    """By node, the values that nobody needs after it."""
    last: dict[Node, Node] = {}
    for node in graph.nodes:
        last.update(dict.fromkeys(node.inputs, node))
    found: dict[Node, list[Node]] = {}
    kept = set(graph.results)
    for value, node in last.items():
        if value not in kept:
            found.setdefault(node, []).append(value)
    return found
