"""The tensors that a graph keeps for backward, as a list: whose they are, how large, and which share memory."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from ..core.dtypes import DType
from ..core.records import dataclass
from ..tensor.tensor import DTYPES, Tensor
from .edges import edge_of
from .node import Node, reached
from .packed_memory import PackedMemory
from .save_info import is_parameter, op_of
from .saved import SavedTensor


@dataclass(frozen=True, slots=True, eq=False)
class SavedRow:
    """One saved tensor. It keeps neither the tensor nor the graph alive.

    node: the name of the node that saved it; of the write inside a `CopySlices`, ``CopySlices(MulBackward0)``.
    op: its operation.   argument: the operand that was saved, as in ``node._saved_<argument>``.
    shape, dtype: of the tensor as it was saved.
    nbytes: of its elements; of a hooked one, of the tensors, arrays and byte strings that its packed value holds.
    groups: the numbers of the pieces of memory that these lie in, see `SavedListing.groups`.
    unknown: the types of the objects in a packed value whose size is not known, and not counted.
    hooked: saved-tensor hooks keep it.   is_leaf, is_parameter, is_output: as in `SaveInfo`.
    sequence: nodes made later have a greater one.
    """

    node: str
    op: str
    argument: str
    shape: tuple[int, ...]
    dtype: DType
    nbytes: int
    groups: tuple[int, ...]
    unknown: tuple[str, ...]
    hooked: bool
    is_leaf: bool
    is_parameter: bool
    is_output: bool
    sequence: int
    _reference: weakref.ref[Node]

    @property
    def grad_fn(self) -> Node | None:
        """The node itself; None when it is gone."""
        return self._reference()

    def remarks(self) -> str:
        """All else there is to say of the row, for the last column of the table."""
        kind = "parameter" if self.is_parameter else "leaf" if self.is_leaf else "output" if self.is_output else ""
        unknown = f"not counted: {', '.join(self.unknown)}" if self.unknown else ""
        return ", ".join(filter(None, (kind, "hooked" if self.hooked else "", unknown)))


@dataclass(frozen=True, slots=True)
class StorageGroup:
    """A piece of memory, and the saved tensors that lie in it, with others or alone. nbytes: of all of it."""

    number: int
    nbytes: int
    rows: tuple[SavedRow, ...]


class SavedListing(Sequence[SavedRow]):
    """The saved tensors of a graph, those of earlier nodes first. As text it is a table."""

    def __init__(self, rows: Iterable[SavedRow], sizes: dict[int, int]) -> None:
        self._rows = tuple(rows)
        self._sizes = sizes

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> SavedRow: ...

    @overload
    def __getitem__(self, index: slice) -> SavedListing: ...

    def __getitem__(self, index: int | slice) -> SavedRow | SavedListing:
        return SavedListing(self._rows[index], self._sizes) if isinstance(index, slice) else self._rows[index]

    def where(self, keep: Callable[[SavedRow], Any]) -> SavedListing:
        """The rows for which `keep` is true, as a listing of its own."""
        return SavedListing(filter(keep, self._rows), self._sizes)

    @property
    def total_bytes(self) -> int:
        """The bytes of the memory that all rows lie in, each piece once, and whole."""
        return self._bytes_of(self._rows)

    @property
    def groups(self) -> tuple[StorageGroup, ...]:
        """The pieces of memory, in the order in which the rows name them first."""
        by_number: dict[int, list[SavedRow]] = {}
        for row in self._rows:
            for number in row.groups:
                by_number.setdefault(number, []).append(row)
        return tuple(StorageGroup(number, self._sizes[number], tuple(rows)) for number, rows in by_number.items())

    def by_op(self) -> dict[str, int]:
        """The bytes that each operation keeps, the most first; memory that two of them keep counts for both."""
        names = dict.fromkeys(row.op for row in self._rows)
        totals = {name: self._bytes_of(row for row in self._rows if row.op == name) for name in names}
        return dict(sorted(totals.items(), key=lambda item: -item[1]))

    def _bytes_of(self, rows: Iterable[SavedRow]) -> int:
        return sum(self._sizes[number] for number in {number for row in rows for number in row.groups})

    def __str__(self) -> str:
        lines = [("node", "argument", "shape", "dtype", "bytes", "memory", "")]
        for row in self._rows:
            memory = " ".join(f"#{number}" for number in row.groups)
            shape, size = str(list(row.shape)), f"{row.nbytes:,}"
            lines.append((row.node, row.argument, shape, row.dtype.name, size, memory, row.remarks()))
        widths = [max(map(len, column)) for column in zip(*lines)]
        text = "\n".join(
            "  ".join(f"{each:>{width}}" if place == 4 else f"{each:<{width}}" for place, (each, width) in
                      enumerate(zip(line, widths))).rstrip()
            for line in lines
        )  # fmt: skip
        return f"{text}\n{len(self)} saved tensors, {self.total_bytes:,} bytes in {len(self.groups)} pieces of memory"

    def __repr__(self) -> str:
        return f"<SavedListing of {len(self)} tensors, {self.total_bytes} bytes>"


def list_saved_tensors(roots: Any) -> SavedListing:
    """A list of what the graph behind `roots` keeps for backward. No unpack hook runs; nothing is freed or kept by it.

    roots: a tensor, an edge, a `GradientEdge` or a node, or several of them. A tensor without history keeps nothing.
    What a backward has released is not listed. Errors: TypeError for anything else.
    """
    memory = PackedMemory()
    rows = []
    for node, name, argument, record in _records(sorted(reached(_root_nodes(roots)), key=lambda node: node.sequence)):
        row = _row(node, name, argument, record, memory)
        if row is not None:
            rows.append(row)
    return SavedListing(rows, memory.sizes())


def _row(node: Node, name: str, argument: str, record: SavedTensor, memory: PackedMemory) -> SavedRow | None:
    """The row of one record; None for one that keeps nothing."""
    if record._hooks is not None:
        shape, dtype, of_parameter = record._form
        held = memory.hold(record._packed)
    elif record._tensor is not None:
        tensor = record._tensor
        shape, dtype, of_parameter = tensor._array.shape, tensor._array.dtype, is_parameter(tensor)
        held = memory.hold(tensor)
    else:
        return None
    return SavedRow(
        node=name, op=op_of(node), argument=argument, shape=shape, dtype=DTYPES[dtype],
        nbytes=held.nbytes, groups=held.groups, unknown=held.unknown,
        hooked=record._hooks is not None, is_leaf=record._is_leaf, is_parameter=of_parameter,
        is_output=record._is_output, sequence=node.sequence, _reference=weakref.ref(node),
    )  # fmt: skip


# Walking.


def _root_nodes(roots: Any) -> list[Node]:
    if isinstance(roots, Tensor):
        roots = edge_of(roots)
    if isinstance(roots, tuple) and len(roots) >= 2 and isinstance(roots[1], int):  # an edge, or a GradientEdge
        roots = roots[0] if roots[0] is not None else ()
    if isinstance(roots, Node):
        return [roots]
    if isinstance(roots, (list, tuple)):
        return [node for each in roots for node in _root_nodes(each)]
    raise TypeError(f"list_saved_tensors takes tensors, gradient edges and nodes, got {type(roots).__name__}")


def _records(nodes: list[Node]) -> Iterator[tuple[Node, str, str, SavedTensor]]:
    """The records of the nodes, and of nodes inside them: node, name, argument and record, each once."""
    seen: set[int] = set()
    waiting = [(node, node.name()) for node in reversed(nodes)]
    ways = set(map(id, nodes))
    while waiting:
        node, name = waiting.pop()
        for argument, value in _kept_by(node):
            if isinstance(value, SavedTensor):
                if id(value) not in seen:
                    seen.add(id(value))
                    yield node, name, argument, value
            elif id(value) not in ways:
                ways.add(id(value))
                waiting.append((value, f"{name}({value.name()})"))


def _kept_by(node: Node) -> Iterator[tuple[str, Any]]:
    """The records and the nodes among the attributes of `node`, whatever class it is of, with names."""
    try:
        listed = getattr(node, "_raw_saved_tensors", ())
    except RuntimeError:  # it was freed
        listed = ()
    yield from _picked("saved_tensors", listed)
    for attribute in _attributes(node):
        yield from _picked(attribute, getattr(node, attribute, None))


def _picked(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (SavedTensor, Node)):
        yield name.removeprefix("_raw_saved_").lstrip("_"), value
    elif isinstance(value, dict):
        yield from ((str(key), each) for key, each in value.items() if isinstance(each, SavedTensor))
    elif isinstance(value, (tuple, list)):
        named = ((f"{name}[{number}]", each) for number, each in enumerate(value))
        yield from ((each_name, each) for each_name, each in named if isinstance(each, SavedTensor))


_COMMON = frozenset(Node.__slots__)
"""The slots that every node has, and no record is in."""


def _attributes(node: Node) -> Iterator[str]:
    if node.listed:
        yield from node.listed
        return
    for kind in type(node).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        yield from (each for each in ((slots,) if isinstance(slots, str) else slots) if each not in _COMMON)
    yield from list(getattr(node, "__dict__", ()))
