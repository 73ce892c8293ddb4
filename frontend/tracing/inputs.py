"""Inputs of a trace: memory, numbers and tensors that the plan is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...backend.call_layout import AccessPath
from ...graph.node import Node
from ...guards.guard import Where
from ...guards.sources import Source
from ..bytecode.decode import source_line

LIFTED = "lifted"
"""The kind of an input that is no argument of the call."""


@dataclass(eq=False)
class Input:
    """One argument of the compiled plan. `kind` is array, float, int or numpy_scalar; or lifted: no argument at all,

    but memory that is known when the plan is built; or one of `drawing.KINDS`, which become ints on the way."""

    kind: str
    source: Source
    node: Node
    strides: tuple[int, ...] = ()
    writeable: bool = False
    example: Any = field(default=None, repr=False)
    access_path: AccessPath | None = None
    """How the plan gets to the array from what the call passes (`passed`), or from an `owner` it knows itself."""
    passed: Source | None = None
    owner: Any = field(default=None, repr=False)
    known: bool = False
    """Whether the memory is known by identity: always the same, as long as the entry stands."""
    tells: bool = False
    """Whether the owner tells of all changes on the access path."""
    blocks: Any = 0
    """Of an offset of draws: how many blocks are read from there on."""

    @property
    def where(self) -> Where | None:
        """The line of the user's code that read it first, for the explanations."""
        place = self.node.location
        return Where(place.file, place.line, source_line(place.file, place.line)) if place else None

    @property
    def argument(self) -> Source | None:
        """The source of what the call passes for it; None when it passes nothing."""
        if self.kind == LIFTED or self.owner is not None:
            return None
        return self.passed or self.source
