"""Nodes and graphs. A node *is* the value it defines; nothing here is ever changed, passes build new graphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from ..core.devices import CPU
from ..core.records import dataclass
from ..core.types import TensorType
from ..ops.registry import OpDef

Attrs = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class Location:
    """The user's line that made a node."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One value in a graph: `op` applied to `inputs`.

    A graph input has the op `placeholder` and no inputs. `name` is only for reading; identity is the node itself.
    """

    op: OpDef
    inputs: tuple[Node, ...]
    type: TensorType
    attrs: Attrs = ()
    name: str = ""
    location: Location | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        """One line; the inputs by op and type only, since the whole would be as large as the graph."""
        operands = ", ".join(f"%{node.name or node.op.name}: {node.type}" for node in self.inputs)
        attrs = "".join(f", {key}={value!r}" for key, value in self.attrs)
        return f"{self.op.name}({operands}{attrs}) : {self.type}"

    def attr(self, name: str) -> object:
        """The attribute called `name`. Errors: KeyError when the op has none of that name."""
        for key, value in self.attrs:
            if key == name:
                return value
        raise KeyError(name)

    @property
    def kwargs(self) -> dict[str, object]:
        """The attributes, as keyword arguments of the op's functions."""
        return dict(self.attrs)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape

    @property
    def is_input(self) -> bool:
        return self.op.name == "placeholder"


@dataclass(frozen=True, slots=True)
class Write:
    """At the end of the graph, `value` is copied over the memory of the graph input `target` (same type)."""

    target: Node
    value: Node


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A pure function of its inputs, plus the final writes into them.

    `nodes` holds every node that is not an input, in an order where inputs come before users. No node has an effect: an
    in-place write of the user's program is a `slice_store` value and, if the memory came from outside, a `Write`.
    Several outputs may be the same node.
    """

    inputs: tuple[Node, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Node, ...]
    writes: tuple[Write, ...] = ()

    @property
    def device(self) -> str:
        """The device that it runs on: that of any of its values, else the CPU."""
        placed = (node.type.device for node in (*self.inputs, *self.nodes) if node.type.device != CPU)
        return next(placed, CPU)

    @property
    def results(self) -> Iterator[Node]:
        """Everything the outside sees: outputs, then written values."""
        yield from self.outputs
        for write in self.writes:
            yield write.value
