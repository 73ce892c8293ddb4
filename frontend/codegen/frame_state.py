"""Points of a function at which compiled code can take over, and the state of a frame at one of them.

Loaded when a function is jitted, so nothing of the tracer is loaded with it.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ...core.records import dataclass
from ...guards.entry import Entry
from ...guards.entry_code import STACK
from ...guards.names import name_text
from ...guards.sources import CELL, Source

if TYPE_CHECKING:
    from ..tracing.dynamic_sizes import FreeSizes


@dataclass(eq=False)
class ResumePoint:
    """One point: the entries that start there.

    position: of the instruction before which it lies; 0 for the function's start.
    kinds:    those of the stack's slots (see `guards.entry_code.ResumeSection`).
    """

    position: int
    kinds: str = ""
    entries: list[Entry] = field(default_factory=list)
    misses_over_limit: int = 0
    replaced: int = 0
    """Entries that were dropped because something changed that they assumed (and not because it died)."""
    missed_in: tuple[int, int] = (0, 0)
    """The frame that missed last after the limit was reached, and how often it did in a row."""
    left: bool = False
    """Whether compiled code is not to take over here any more."""
    changed_sizes: set[Source] = field(default_factory=set)
    """The places of arrays that came with several sizes."""
    changed_strides: set[Source] = field(default_factory=set)
    """The places of arrays that came with several strides, where sizes are alike or do not determine the strides."""
    has_free_sizes: FreeSizes | None = None
    """The places of which the next entry has symbolic sizes."""
    dropped: list[int] = field(default_factory=list)
    """The numbers of entries that were dropped to free memory."""
    made_at: float = 0.0
    """The time when the last entry was compiled, and how long that took. Units: seconds."""
    took: float = 0.0
    raised: int = 0
    """The number of traces in a row that ended with an error which the program raises."""
    passing: bool = False
    """Whether each of its latest entries, which run older code, has served only the call that it was made for."""
    hurried: int = 0
    """The number of stale entries in a row that had not been there for as long as compiling them took."""


@dataclass(frozen=True)
class FrameState:
    """A frame at a point: its bound local variables, the objects on its stack by slot, and its own cells by name."""

    point: ResumePoint
    variables: Mapping[str, Any]
    stack: Mapping[int, Any] = field(default_factory=dict)
    cells: Mapping[str, types.CellType] = field(default_factory=dict)

    def namespace(self) -> dict[str, Any]:
        """The objects that the texts of guards see of the frame, by name."""
        found = {**self.variables, **{STACK.format(slot): value for slot, value in self.stack.items()}}
        for name, cell in self.cells.items():
            found[CELL.format(name_text(name))] = cell
            try:
                found[name] = cell.cell_contents
            except ValueError:
                continue
        return found
