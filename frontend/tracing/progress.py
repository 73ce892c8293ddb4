"""The progress of an evaluation: the frames, the instructions, the user's line, and where it stops."""

from __future__ import annotations

import types
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from ...core.config import config
from ...core.records import dataclass
from ...graph.node import Location
from ...guards.guard import Where
from ..bytecode.decode import source_line

if TYPE_CHECKING:
    from ..codegen.graph_break_split import StackProvenance
    from ..interpreter.frame import Frame


@dataclass(eq=False, kw_only=True)
class TraceProgress:
    """The place in the user's code that a trace has reached."""

    start: Location
    """The first line of the jitted function."""
    frames: list[Frame] = field(default_factory=list)
    """The frames that are being evaluated, the innermost last."""
    root: Frame | None = None
    """The first frame: of the jitted function itself."""
    evaluated: set[types.CodeType] = field(default_factory=set)
    """The code objects of which frames were made: what the trace has read of the program."""
    instructions: int = 0
    """The number of instructions that were evaluated, those of inlined calls among them."""
    limit: int = field(default_factory=lambda: config.trace_limit)
    """At how many the trace stops."""
    split_at: int | None = None
    """At how many the trace stops before an instruction of its first frame, to be written out there; else None."""
    provenance: StackProvenance | None = None
    """The facts of the first frame that a split needs to know; only in a trace that is to be split."""
    _here: tuple[Any, Location | None] = (None, None)
    _where: tuple[Any, Where] = (None, Where("", 0))

    def of_deferred_trace(self) -> TraceProgress:
        """The progress that a deferred trace begins with: it has a limit of its own and is not split."""
        return replace(self, limit=self.instructions + config.trace_limit, split_at=None, provenance=None)

    @property
    def location(self) -> Location:
        """The user's line now being evaluated: of the frames, the innermost of the user's, else the outermost."""
        for frame in reversed(self.frames):
            if frame.users or frame is self.frames[0] and not frame.ours:
                break
        else:
            return self.start
        key = (frame.code, frame.line)
        known, here = self._here
        if here is None or known != key:
            here = Location(frame.code.raw.co_filename, frame.line, frame.code.raw.co_qualname)
            self._here = key, here
        return here

    @property
    def where(self) -> Where:
        """The user's line now being evaluated, with its text, for a guard."""
        here = self.location
        if self._where[0] is not here:
            self._where = here, Where(here.file, here.line, source_line(here.file, here.line))
        return self._where[1]
