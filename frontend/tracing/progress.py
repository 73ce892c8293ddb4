"""The progress of an evaluation: the frames, the instructions, the user's line, `vmap`, and where it stops."""

# Note [Batches in a trace]
# The tracer follows a function that `vmap` maps as any other: over tensors of the shape that one call sees, whose nodes
# go back to marks, `one_call`. When the function has returned, what its results depend on is written once more for the
# whole batch, by the rules of `ops/batching.py`, and the nodes of one call are taken out of the graph. So nothing else
# in the tracer knows of batches: gradients within the function, views and writes are nodes like all others. A node that
# is recorded gives recorded ones, a leaf gives a constant: what was detached within stays so.

from __future__ import annotations

import types
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ...core.config import config
from ...core.records import dataclass, replace
from ...graph.node import Location, Node
from ...guards.guard import Where
from ..bytecode.decode import source_line

if TYPE_CHECKING:
    from ..codegen.graph_break_split import StackProvenance
    from ..interpreter.frame import Frame
    from ..values.tensors.autograd_identity import AutogradIdentity


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
    caught_warnings: int = 0
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


@dataclass(eq=False)
class BatchLevel:
    """One `vmap`.

    number: its own in the trace.   size: how many calls it stands for.
    given:  the same as the traced value that the program knows.
    randomness: what a draw inside of it is.
    builder, first: the builder of the graph when it began, and how many nodes that had.
    storages: how many memories the trace knew then.
    arguments: the memories of the tensors that are mapped over, as one call sees them.
    whole: by node of one call, the node of all calls.
    """

    number: int
    size: Any
    given: Any
    randomness: str
    builder: Any
    first: int
    storages: int
    arguments: list[Any] = field(default_factory=list)
    whole: dict[Node, Node] = field(default_factory=dict)


@dataclass(eq=False)
class Batches:
    """The levels that are entered, the outermost first.

    left:   nodes of one call of a level that has ended.
    begun:  how many levels there have been.
    tangents: how many functions are under way of which derivatives are carried forward.
    passed: leaves of transforms that are over (see `autograd.outside`).
    """

    levels: list[BatchLevel] = field(default_factory=list)
    left: set[Node] = field(default_factory=set)
    begun: int = 0
    tangents: int = 0
    passed: set[AutogradIdentity] = field(default_factory=set)
