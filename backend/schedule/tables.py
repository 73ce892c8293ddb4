"""What a table is, as data: a kernel's operands row by row, and the vector whose segments the rows are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...graph.node import Node
from ..evaluate.buffers import Buffer, BufferView


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """How a vector is divided: the size and the start of each segment, and which one starts where (empty ones aside).

    `small`: too few elements in most segments for a table to pay. See Note [Tables]."""

    sizes: tuple[int, ...]
    starts: tuple[int, ...]
    """One more than there are sizes: the last is the size of the vector."""
    rows: Mapping[int, int]
    small: bool


@dataclass(slots=True, eq=False)
class TableRoot:
    """A flat value that a table computes, stored as a vector to `flat`, and segment by segment to `rows`."""

    node: Node
    flat: tuple[BufferView, ...]
    rows: dict[int, list[BufferView]] = field(default_factory=dict)
    stores: list[int] = field(default_factory=list)
    """The columns that say where its rows go."""


Column = Sequence[tuple[Buffer, int] | None]
"""Where each row of a table has an operand, if it has it: element (offset) of a buffer."""


@dataclass(slots=True, eq=False)
class ForeachKernel:
    """One kernel over the rows of `columns`, a row for each segment. `leaves` are the values read from a column."""

    segments: Segments
    roots: list[TableRoot]
    leaves: dict[Node, int] = field(default_factory=dict)
    columns: list[Column] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    """Of each column: how far the next element of a row is."""
    uniform: set[Buffer] = field(default_factory=set)
    """What all rows read at one place."""

    def add(self, column: Column, step: int) -> int:
        """The number of a new column."""
        self.columns.append(column)
        self.steps.append(step)
        return len(self.columns) - 1

    def buffers(self, columns: Iterable[int]) -> set[Buffer]:
        """The memory that these columns name."""
        return {operand[0] for number in columns for operand in self.columns[number] if operand is not None}
