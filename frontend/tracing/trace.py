"""The state of one trace: the graph so far, its inputs, the facts relied on, and where in the user's code we are."""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backend.call_layout import AccessPath
from ...backend.plugins.registry import NUMBA, Backend
from ...core.config import config
from ...core.sizes import Facts, Size, is_symbolic
from ...core.types import TensorType
from ...graph.builder import GraphBuilder
from ...graph.node import Location, Node
from ...guards.arrays import ArrayLayout
from ...guards.assumptions import Assumption
from ...guards.class_facts import class_of
from ...guards.guard import Guard, Is, NumberInput, WeakIs, Where
from ...guards.pool import RebindableRef, Rebinding
from ...guards.sizes import SizedLayout
from ...guards.sources import Source
from ...ops.registry import OpDef
from ..breaks import DTYPE, MANY_FACTS, UNKNOWN_VALUE
from ..bytecode.decode import source_line
from . import half_floats
from .complex_numbers import KEEPING
from .dynamic_sizes import FreeSizes
from .inputs import LIFTED, Input
from .overlap_index import Spans
from .random_draws import KINDS, Draws
from .restarts import forget_frames
from .speculation import SpeculationLog
from .tape import new_tape

if TYPE_CHECKING:
    from ...guards.assumptions import Assumption
    from ..codegen.graph_break_split import StackProvenance
    from ..control_flow.tensors.stacked_lists import Stacked
    from ..control_flow.tensors.subgraph import Subgraph
    from ..interpreter.frame import Frame
    from ..regions.builder import Region
    from ..tensors.aot.deferred_trace import DeferredTrace
    from ..tensors.surface.parts import Parts
    from ..values.arrays.array import Storage
    from ..values.base import Value
    from ..values.created.classes import NewClass
    from ..values.created.instances import NewInstance
    from ..values.effects.external_objects import ExternalObjects
    from ..values.effects.side_effects import SideEffect
    from ..values.functions.generators import GeneratorValue
    from ..values.objects.exceptions import ExceptionValue
    from ..values.tensors.tensor import TensorValue


class Trace:
    """One evaluation of a function over traced values."""

    def __init__(
        self,
        code: types.CodeType,
        outside: Callable[[Trace], ExternalObjects],
        speculation: SpeculationLog | None = None,
        has_free_sizes: FreeSizes | None = None,
        backend: Backend = NUMBA,
    ) -> None:
        self.backend = backend
        """Who runs the graph."""
        self.start = Location(code.co_filename, code.co_firstlineno, code.co_qualname)
        self.builder = GraphBuilder()
        self.guards: dict[Guard, None] = {}
        self.counted_facts = 0
        """How many of them `config.guard_limit` counts."""
        self.inputs: list[Input] = []
        self.storages: list[Storage] = []
        self.frames: list[Frame] = []
        self.exceptions: dict[int, ExceptionValue] = {}
        """The traced exceptions, by the identity of the real ones that stand for them."""
        self.handled_before = sys.exc_info()[1]
        """The exception that the caller is handling."""
        self.generators: list[GeneratorValue] = []
        """The generators that the trace made."""
        self.arrays: dict[int, Any] = {}
        self.scalar_inputs: dict[tuple[Source, str], Node] = {}
        self.scalar_types: MutableMapping[Source, type] = {}
        self.scalar_examples: MutableMapping[Source, Any] = {}
        """The values in the traced call of numbers from outside, by where they are read."""
        self.instructions = 0
        """How many instructions were evaluated, those of inlined calls among them."""
        self.limit: int = config.trace_limit
        """At how many the trace stops."""
        self.split_at: int | None = None
        """At how many the trace stops before an instruction of its first frame, to be written out there; else None."""
        self.provenance: StackProvenance | None = None
        """The facts of the first frame that a split needs to know; only in a trace that is to be split."""
        self.root: Frame | None = None
        """The first frame: of the jitted function itself."""
        self.wrapping: set[int] = set()
        """The containers whose elements are being looked at, to notice one that holds itself."""
        self._names: dict[str, int] = {}
        self._here: tuple[Any, Location] = (None, self.start)
        self._where: tuple[Any, Where] = (None, Where("", 0))
        self.written_arrays: list[Input] = []
        """The array inputs that the call writes."""
        self.input_spans, self.written_spans = Spans(), Spans()
        self.tape = new_tape()
        self.initial_grad_mode = self.tape.enabled
        self.initial_inference, self.initial_asked = self.tape.inference, self.tape.asked
        self.tensors: dict[int, TensorValue] = {}
        """The tensors that existed before the call, by identity."""
        self.checks: list[tuple[Any, AccessPath]] = []
        """The known objects that the plan looks at besides its inputs, and the access path that it follows on each."""
        self.effects: dict[tuple[int, str], SideEffect] = {}
        """The side effects that follow when the plan has run, by the object concerned and the place in it."""
        self.external = outside(self)
        self.new_classes: list[NewClass] = []
        """The classes that the trace made."""
        self.is_about_template: Callable[[Source], bool] = lambda source: False
        """Whether a source starts at the template of such a class: no guard is made for it. See Note [Templates]."""
        self.class_began: int | None = None
        """How many instructions had been evaluated when the first frame's one began that led to a class statement."""
        self.statement_began: int | None = None
        """How many had been evaluated when the first frame's one began that led to the present class statement."""
        self.class_inside = False
        """Whether that was in an inlined call."""
        self.owners: dict[int, NewInstance] = {}
        """The objects that the trace made and whose dicts were handed out, by the identity of the traced dict."""
        self.template_values: dict[int, tuple[Any, Value]] = {}
        """The functions that stand for traced ones in templates, by identity, see Note [Templates]."""
        self.assumptions: dict[tuple[int, Any], Assumption] = {}
        self.anchors: dict[int, RebindableRef] = {}
        """The references that stand for objects known by identity, by their identities."""
        self.speculation = speculation or SpeculationLog()
        """The facts that earlier traces have found about the function's loops."""
        self.deferred: DeferredTrace | None = None
        """The deferred trace that is being evaluated, for another time, if any."""
        self.draws = Draws()
        """The trace's draws from generators of random numbers."""
        self.has_other_bytes = False
        """Whether bools were made of bytes that may be neither 0 nor 1. See Note [Views of another dtype]."""
        self.error_states: list[dict[str, str]] = []
        """The changes that the entered `np.errstate` contexts make to NumPy's error state, the outermost first."""
        self.iterations: list[Subgraph] = []
        """The loops over tensors of which an iteration is being evaluated, the innermost last."""
        self.stacked: Stacked | None = None
        """The rows that such loops have appended to lists, as tensors."""
        self.parts: dict[int, tuple[Value, Parts, int]] = {}
        """The tensors that are parts of another one along an axis, by identity."""
        self.region: Region | None = None
        """The region that is being written, if any."""
        self.holds_optionals = False
        """Whether a region has left numbers that may be None."""
        self.has_free_sizes = has_free_sizes or FreeSizes()
        """Whether the sizes of the array at a place are to be symbolic."""
        self.may_have_free_sizes = has_free_sizes is not None
        self.sizes = Facts()
        if self.may_have_free_sizes:
            self.sizes.here = lambda: self.where
        """The symbolic sizes of the trace, and what it relied on of them."""
        self.size_sources: dict[Source, Size] = {}
        """The ints from outside that are sizes, by where they are read."""

    # Where we are.
    def forget(self) -> None:
        """Let go of everything, so that the user's objects need no collector to be freed. No value is of use after."""
        self.external.forget()
        for root in (root for storage in self.storages for root in storage.roots):
            root.real = None
        for exception in self.exceptions.values():
            forget_frames(exception.raised, self.handled_before)
            forget_frames(exception.shadow, self.handled_before)
        for each in self.new_classes:
            each.forget()
        vars(self).clear()

    @property
    def location(self) -> Location:
        """The user's line now being evaluated: of the frames, the innermost that is not in guardlift itself."""
        for frame in reversed(self.frames):
            if not frame.ours:
                break
        else:
            return self.start
        key = (frame.code, frame.line)
        if self._here[0] != key:
            self._here = key, Location(frame.code.raw.co_filename, frame.line, frame.code.raw.co_qualname)
        return self._here[1]

    @property
    def where(self) -> Where:
        """The user's line now being evaluated, with its text, for a guard."""
        here = self.location
        if self._where[0] is not here:
            self._where = here, Where(here.file, here.line, source_line(here.file, here.line))
        return self._where[1]

    def writes(self) -> list[tuple[Input, Node]]:
        """The memory from outside that the call writes, and what it holds then."""
        return [(each.input, each.node) for each in self.storages if each.input is not None and each.version]

    # Facts.
    def guard(self, kind: type[Guard], source: Source, **facts: Any) -> None:
        """Rely on a fact; said again, it is kept once with its first line."""
        if not self.is_about_template(source):
            self._keep(kind(source, self.where, **facts))

    def _keep(self, guard: Guard) -> None:
        if guard in self.guards:
            return
        if guard.checked_by != "owner":
            if self.counted_facts >= config.guard_limit:
                raise MANY_FACTS.stop(limit=config.guard_limit)
            self.counted_facts += 1
        self.guards[guard] = None

    def guard_function(self, source: Source, function: types.FunctionType) -> None:
        """Rely on the identity of a function; one with a closure may hold a model, and is not kept alive for that."""
        guard = Is(source, self.where, expected=function)
        if function.__closure__ is None or class_of(guard) is not None:
            self._keep(guard)
        else:
            self.guard(WeakIs, source, reference=weakref.ref(function))

    def anchor(self, value: Any) -> RebindableRef:
        """The reference to an object known by identity, one for each. Errors: TypeError if it has no weak reference."""
        found = self.anchors.get(id(value))
        if found is None or found() is not value:
            found = self.anchors[id(value)] = RebindableRef(value)
        return found

    def assume(
        self,
        owner: Any,
        key: Any,
        fact: str,
        check: Callable[[], bool],
        renew: Callable[[Rebinding], bool] | None = None,
    ) -> None:
        """Rely on a fact about an object of ours that tells us when it changes. See `guards.assumptions.Assumption`."""
        known = (id(owner), key if isinstance(key, (str, int)) else id(key))
        if known not in self.assumptions:
            held = key if isinstance(key, (str, int)) else self.anchor(key)
            self.assumptions[known] = Assumption(self.anchor(owner), held, fact, self.where, check, renew)

    def assume_same(self, owner: Any, key: Any, fact: str, find: Callable[[], Any], held: RebindableRef) -> None:
        """Rely on `find()` giving the object at an anchor. Another one of its type may take its place later."""
        self.assume(owner, key, fact, lambda: find() is held(), lambda moves: moves.put(held, find()))

    def refuse_in_iterations(self, what: str) -> None:
        """Errors: a break while a loop's round is evaluated that stands for all of them."""
        if self.iterations:
            raise UNKNOWN_VALUE.stop(operation=what, name="an object in a loop over tensors")

    # The tape.
    @property
    def grad_enabled(self) -> bool:
        """Whether operations are being recorded."""
        return self.tape.enabled

    @contextmanager
    def no_grad(self) -> Iterator[None]:
        """A context in which nothing is recorded."""
        before, self.tape.enabled = self.tape.enabled, False
        try:
            yield
        finally:
            self.tape.enabled = before

    @contextmanager
    def recording(self) -> Iterator[None]:
        """A context in which operations are recorded."""
        before, self.tape.enabled = self.tape.enabled, True
        try:
            yield
        finally:
            self.tape.enabled = before

    # The graph.
    @contextmanager
    def into(self, builder: GraphBuilder) -> Iterator[None]:
        """A context in which nodes are added to another builder."""
        before, self.builder = self.builder, builder
        try:
            yield
        finally:
            self.builder = before

    def add(self, op: OpDef, *inputs: Node, **attrs: object) -> Node:
        """A node for the user's present line.

        Errors: a break for an op that computes with what memory only holds, complex numbers or float16.
        """
        if op.name not in KEEPING and any(each.type.dtype.is_complex for each in inputs):
            raise DTYPE.stop(dtype=inputs[0].type.dtype)
        if op.name not in half_floats.KEEPING:
            half_floats.refuse(each.type.dtype for each in inputs)
            half_floats.refuse((attrs.get("dtype"),))
        if self.region is not None:
            made = self.region.add(op, inputs, attrs)
            if made is not None:
                return made
        node = self.builder.add(op, *inputs, location=self.location, **attrs)
        if self.tape.enabled:
            self.tape.recorded.add(node)
        return node

    def lifted_input(self, array: np.ndarray[Any, Any], type: TensorType, source: Source) -> Input:
        """The memory of a tensor that is known by identity: part of the graph, no argument of the plan."""
        strides = tuple(step // array.itemsize for step in array.strides)
        entry = Input(LIFTED, source, self.builder.input(type, self._input_name(source), self.location), strides)
        entry.example, entry.known = array, True
        self.inputs.append(entry)
        return entry

    def array_input(
        self, array: np.ndarray[Any, Any], type: TensorType, source: Source, strides: tuple[int, ...] | None = None
    ) -> Input:
        """The plan argument for an array; its layout (strides in elements, by default its own) becomes a guard."""
        if strides is None:
            strides = tuple(step // array.itemsize for step in array.strides)
        node = self.builder.input(type, self._input_name(source), self.location)
        entry = Input("array", source, node, strides, False, array)
        self.inputs.append(entry)
        return entry

    def scalar_input(self, kind: str, type: TensorType, source: Source, example: object) -> Node:
        """The plan argument for a number read at `source`; one for each source and kind."""
        key = (source, kind)
        if key not in self.scalar_inputs:
            node = self.builder.input(type, self._input_name(source), self.location)
            self.inputs.append(Input(kind, source, node, example=example))
            self.scalar_inputs[key] = node
        return self.scalar_inputs[key]

    def layout_guards(self) -> list[Guard]:
        """The facts that the plan's own prologue checks of its arguments."""
        result: list[Guard] = []
        for each in self.inputs:
            if each.kind == LIFTED or each.kind in KINDS:
                continue
            if each.kind == "array" and is_symbolic((*each.node.type.shape, *each.strides)):
                result.append(SizedLayout(each.source, each.where, each.node.type, each.strides, each.writeable))
            elif each.kind == "array":
                result.append(ArrayLayout(each.source, each.where, each.node.type, each.strides, each.writeable))
            else:
                result.append(NumberInput(each.source, each.where, type(each.example)))
        return result

    def _input_name(self, source: Source) -> str:
        wanted = "".join(letter if letter.isalnum() else "_" for letter in str(source)).strip("_") or "input"
        if wanted[0].isdigit():
            wanted = "_" + wanted
        count = self._names.get(wanted, 0) + 1
        name = wanted if count == 1 else f"{wanted}_{count}"
        while name in self._names and count > 1:
            count += 1
            name = f"{wanted}_{count}"
        self._names[wanted] = count
        self._names.setdefault(name, 1)
        return name
