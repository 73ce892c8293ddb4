"""The inputs of a trace: memory, numbers and tensors that the plan is given, and the arrays over them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import MutableMapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ...backend.call_layout import AccessPath
from ...core.records import dataclass, replace
from ...core.sizes import is_symbolic
from ...graph.node import Node
from ...guards.arrays import ArrayLayout
from ...guards.guard import Guard, NumberInput, Where
from ...guards.sizes import SizedLayout
from ...guards.sources import Source
from ..bytecode.decode import source_line
from .overlap_index import Spans
from .random_draws import KINDS, CalledDraw, StateCall

if TYPE_CHECKING:
    from ..values.arrays.array import Storage
    from ..values.tensors.tensor import TensorValue

LIFTED = "lifted"
"""The kind of an input that is no argument of the call."""


@dataclass(eq=False)
class Input:
    """One argument of the compiled plan.

    kind: array, float, int or numpy_scalar; or lifted: no argument at all, but memory that is known when the plan is
    built; or one of `random_draws.KINDS`, which become numbers on the way.
    """

    kind: str
    source: Source
    node: Node
    strides: tuple[int, ...] = ()
    writeable: bool = False
    example: Any = field(default=None, repr=False)
    access_path: AccessPath | None = None
    """The way of the plan to the array: from what the call passes (`passed`), or from an `owner` it knows itself."""
    passed: Source | None = None
    owner: Any = field(default=None, repr=False)
    static_address: bool = False
    """Whether the memory is known by identity: always the same, as long as the entry stands."""
    subscribed: bool = False
    """Whether the owner tells of all changes on the access path."""
    blocks: Any = 0
    """The number of blocks that are read from an offset of draws on."""
    draw: CalledDraw | StateCall | None = None
    """The draw, or the call of a generator, that it is or begins with."""

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


@dataclass(eq=False)
class KnownMasks:
    """The masks of which the call finds the places; see Note [Places of a mask] in `arrays.mask_places`.

    places:  the inputs that are the places, by the number of the mask.
    numbers: a number for each value that masks are computed from, the same for values that are computed alike.
    asked: how many arrays of such a size the program has asked for.
    """

    asked: int = 0
    places: dict[int, Node] = field(default_factory=dict)
    numbers: dict[Any, int] = field(default_factory=dict)


@dataclass(eq=False, kw_only=True)
class TraceInputs:
    """Everything that the trace reads from outside, and all memory that it knows."""

    entries: list[Input] = field(default_factory=list)
    """The plan's arguments, in the order in which the trace met them."""
    storages: list[Storage] = field(default_factory=list)
    """All memory, of inputs and of arrays made inside."""
    arrays: dict[int, Any] = field(default_factory=dict)
    """The traced arrays that existed before the call, by identity."""
    tensors: dict[int, TensorValue] = field(default_factory=dict)
    """The tensors that existed before the call, by identity."""
    scalars: dict[tuple[Source, str], Node] = field(default_factory=dict)
    """The nodes of numbers from outside, by where they are read and the kind of input."""
    scalar_types: MutableMapping[Source, type] = field(default_factory=dict)
    scalar_examples: MutableMapping[Source, Any] = field(default_factory=dict)
    """The values in the traced call of numbers from outside, by where they are read."""
    written: list[Input] = field(default_factory=list)
    """The array inputs that the call writes."""
    checks: list[tuple[Any, AccessPath]] = field(default_factory=list)
    """The known objects that the plan looks at besides its inputs, and the access path that it follows on each."""
    spans: Spans = field(default_factory=Spans)
    written_spans: Spans = field(default_factory=Spans)
    masks: KnownMasks = field(default_factory=KnownMasks)
    names: dict[str, int] = field(default_factory=dict)
    """The number of times that each name was given to a node."""

    def of_deferred_trace(self) -> TraceInputs:
        """The inputs that a deferred trace begins with: these, to which it adds its own."""
        return replace(
            self,
            entries=[*self.entries],
            storages=[*self.storages],
            arrays={**self.arrays},
            tensors={**self.tensors},
            scalars={**self.scalars},
            scalar_types=ChainMap({}, self.scalar_types),  # what is in the first one was read again
            scalar_examples=ChainMap({}, self.scalar_examples),
            written=[],
            checks=[],
            spans=Spans(),
            written_spans=Spans(),
        )

    def writes(self) -> list[tuple[Input, Node]]:
        """The memory from outside that the call writes, and what it holds then."""
        return [(each.input, each.node) for each in self.storages if each.input is not None and each.version]

    def layout_guards(self) -> list[Guard]:
        """The facts that the plan's own prologue checks of its arguments."""
        result: list[Guard] = []
        for each in self.entries:
            if each.kind == LIFTED or each.kind in KINDS:
                continue
            if each.kind == "array" and is_symbolic((*each.node.type.shape, *each.strides)):
                result.append(SizedLayout(each.source, each.where, each.node.type, each.strides, each.writeable))
            elif each.kind == "array":
                result.append(ArrayLayout(each.source, each.where, each.node.type, each.strides, each.writeable))
            else:
                result.append(NumberInput(each.source, each.where, type(each.example)))
        return result

    def name_for(self, source: Source) -> str:
        """A name for a node that stands for what is read at `source`, given to no other one."""
        wanted = "".join(letter if letter.isalnum() else "_" for letter in str(source)).strip("_") or "input"
        if wanted[0].isdigit():
            wanted = "_" + wanted
        count = self.names.get(wanted, 0) + 1
        name = wanted if count == 1 else f"{wanted}_{count}"
        while name in self.names and count > 1:
            count += 1
            name = f"{wanted}_{count}"
        self.names[wanted] = count
        self.names.setdefault(name, 1)
        return name
