"""Artifacts: what graphs became, shared by every trace that gives the same graph over the same layout of its call.

An artifact knows no tensor and no object of the user's: which memory a plan works on is told when it is built
(`CompiledGraph.build`), and each entry is built for its own.
"""

# Note [Sharing by graph]
# Twelve optimizers of one class, or as many closures over equal layers, are twelve identities and so twelve entries,
# with guards of their own. Each is traced: whether two of them do the same is what a trace finds out, and it is
# never guessed from their code. But passes, lowering and kernels see no identity, and are done once.

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ...backend.call_layout import input_line, layout_lines
from ...core.locks import ForkSafeLock
from ...core.records import dataclass
from ...graph.digest import Line, NotComparable, digest, lines

if TYPE_CHECKING:
    from ...backend.call_layout import CallLayout, InputLayout
    from ...backend.compile import CompiledGraph
    from ...backend.plugins.python_plan import PluginGraph
    from ...graph.node import Graph

KEPT = 64
"""Artifacts that a function keeps for entries to come, the ones used last."""

_alive: WeakValueDictionary[bytes, Artifact] = WeakValueDictionary()
_lock = ForkSafeLock()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Artifact:
    """A graph after all passes, and what it was compiled to.

    maker: the number of the entry for which it was made, of the function that made it.
    """

    traced: Graph
    graph: Graph
    compiled: CompiledGraph | PluginGraph
    maker: int


@dataclass(frozen=True, slots=True)
class Found:
    """The result of looking up a trace: its artifact, or why there is none.

    ours: whether this very function has used it before.   unlike: how the trace differs from the latest of its own.
    """

    artifact: Artifact | None = None
    ours: bool = False
    unlike: str = ""


class Artifacts:
    """Artifacts that one function has used. It finds those of other functions too, as long as somebody uses them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, Artifact] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Artifact]:
        return iter(self._kept.values())

    def find(self, traced: Graph, layout: CallLayout, back_end: Line, names: Sequence[str]) -> tuple[bytes, Found]:
        """The key of a trace, empty where it cannot be compared with others, and what there is for it.

        back_end: who compiles graphs, as a line of the key; what another one made does not count.
        names: what the user calls the graph's inputs.
        """
        try:
            key = digest([back_end, *lines(traced), *layout_lines(layout)])
        except NotComparable:
            return b"", Found()
        ours = self._kept.get(key)
        if ours is not None:
            self._kept.move_to_end(key)
            return key, Found(ours, ours=True)
        with _lock:
            found = _alive.get(key)
        if found is not None:
            return key, Found(found)
        latest = next(reversed(self._kept.values()), None)
        return key, Found(unlike=_difference(latest, traced, layout, names) if latest is not None else "")

    def keep(self, key: bytes, artifact: Artifact) -> None:
        """Have an artifact at hand for the next trace that is like it."""
        if not key:
            return
        self._kept[key] = artifact
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        with _lock:
            _alive.setdefault(key, artifact)

    def drop(self, key: bytes) -> None:
        """Forget one of them, if it is there."""
        self._kept.pop(key, None)

    def clear(self) -> None:
        """Forget all of them; those that entries or other functions use live on there."""
        self._kept.clear()


def _difference(artifact: Artifact, traced: Graph, layout: CallLayout, names: Sequence[str]) -> str:
    """The difference between a trace and the one that an artifact was made of, in words."""
    before, now = artifact.compiled.layout, layout
    if len(before.inputs) != len(now.inputs):
        return f"{len(now.inputs)} inputs, and {len(before.inputs)} there"
    for name, one, other in zip(names, now.inputs, before.inputs, strict=True):
        if input_line(one) != input_line(other):
            return f"{name} is {_described(one, other)}, and {_described(other, one)} there"
    for new, old in zip(traced.nodes, artifact.traced.nodes, strict=False):
        if (new.op, new.type) != (old.op, old.type):
            return f"it computes {new.op.name} : {new.type}{_at(new)}, and {old.op.name} : {old.type} there"
        if new.attrs != old.attrs:
            return f"{new.op.name}{_at(new)} has other constants"
    if len(traced.nodes) != len(artifact.traced.nodes):
        return f"{len(traced.nodes)} operations, and {len(artifact.traced.nodes)} there"
    return "the same operations, on other operands or for other results"


def _described(entry: InputLayout, other: InputLayout) -> str:
    """An input in words, as far as it takes to tell it from the other."""
    if (entry.kind, entry.type) != (other.kind, other.type):
        return f"{'' if entry.kind in ('array', 'lifted') else entry.kind + ' '}{entry.type}"
    if entry.strides != other.strides:
        return f"of strides {entry.strides}"
    if entry.writeable != other.writeable:
        return "written" if entry.writeable else "only read"
    return "found anew at each call" if entry.access_path is not None and not entry.subscribed else "known beforehand"


def _at(node: object) -> str:
    location = getattr(node, "location", None)
    return f" at line {location.line}" if location is not None else ""
