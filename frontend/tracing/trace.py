"""The state of one trace: the graph so far, its inputs, the facts relied on, and where in the user's code we are."""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backend.plugins.registry import NUMBA, Backend
from ...core.types import TensorType
from ...graph.builder import GraphBuilder
from ...graph.node import Location, Node
from ...guards.assumptions import Assumption
from ...guards.class_facts import class_of
from ...guards.guard import Guard, Is, WeakIs
from ...guards.pool import RebindableRef, Rebinding
from ...guards.sources import Source
from ...ops.registry import OpDef
from ..breaks import DTYPE, PART_CHANGE
from . import half_floats
from .complex_numbers import KEEPING
from .dynamic_sizes import FreeSizes
from .effects import TraceEffects
from .facts import TraceFacts
from .inputs import LIFTED, Input, TraceInputs
from .progress import Batches, TraceProgress
from .random_draws import Draws, PlanWrapper
from .restarts import forget_frames
from .speculation import SpeculationLog
from .tape import new_tape

if TYPE_CHECKING:
    from ...guards.assumptions import Assumption
    from ..control_flow.tensors.stacked_lists import StackedRows
    from ..control_flow.tensors.subgraph import Subgraph
    from ..regions.builder import Region
    from ..tensors.aot.deferred_trace import DeferredTrace
    from ..tensors.surface.parts import Parts
    from ..values.base import Value
    from ..values.effects.external_objects import ExternalObjects
    from ..values.functions.generators import GeneratorValue
    from ..values.objects.exceptions import ExceptionValue


class Trace:
    """One evaluation of a function over traced values.

    Four records hold what a deferred trace has of its own, beside the tape: `inputs`, `facts`, `effects`, `progress`.
    """

    def __init__(
        self,
        code: types.CodeType,
        outside: Callable[[Trace], ExternalObjects],
        speculation: SpeculationLog | None = None,
        has_free_sizes: FreeSizes | None = None,
        backend: Backend = NUMBA,
    ) -> None:
        self.backend = backend
        """The backend that runs the graph."""
        self.builder = GraphBuilder()
        self.inputs = TraceInputs()
        self.facts = TraceFacts(
            has_free_sizes=has_free_sizes or FreeSizes(), may_count=has_free_sizes is not None and backend.is_native
        )
        self.effects = TraceEffects(lambda: outside(self))
        self.progress = TraceProgress(start=Location(code.co_filename, code.co_firstlineno, code.co_qualname))
        if has_free_sizes is not None:
            self.facts.sizes.here = lambda: self.progress.where
        self.tape = new_tape()
        self.exceptions: dict[int, ExceptionValue] = {}
        """The traced exceptions, by the identity of the real ones that stand for them."""
        self.handled_before = sys.exc_info()[1]
        """The exception that the caller is handling."""
        self.generators: list[GeneratorValue] = []
        """The generators that the trace made."""
        self.wrapping: set[int] = set()
        """The containers whose elements are being looked at, to notice one that holds itself."""
        self.speculation = speculation or SpeculationLog()
        """The facts that earlier traces have found about the function's loops."""
        self.deferred: DeferredTrace | None = None
        """The deferred trace that is being evaluated, for another time, if any."""
        self.batches = Batches()
        """The calls of `vmap` that are under way."""
        self.draws = Draws()
        """The trace's draws from generators of random numbers."""
        self.communications = 0
        """The number of communications with other processes."""
        self.around_plan: tuple[PlanWrapper, ...] = ()
        """The wrappers of the plan, which do something before it runs and after."""
        self.has_other_bytes = False
        """Whether bools were made of bytes that may be neither 0 nor 1. See Note [Views of another dtype]."""
        self.error_states: list[dict[str, str]] = []
        """The changes that the entered `np.errstate` contexts make to NumPy's error state, the outermost first."""
        self.iterations: list[Subgraph] = []
        """The loops over tensors of which an iteration is being evaluated, the innermost last."""
        self.stacked: StackedRows | None = None
        """The rows that such loops have appended to lists, as tensors."""
        self.parts: dict[int, tuple[Value, Parts, int]] = {}
        """The tensors that are parts of another one along an axis, by identity."""
        self.firsts: dict[Node, Any] = {}
        """The numbers that tensors of integers begin with in every call, by the values of the graph."""
        self.region: Region | None = None
        """The region that is being written, if any."""
        self.holds_optionals = False
        """Whether a region has left numbers that may be None."""
        self.holds_texts = False
        """Whether there are texts with numbers that only the call knows."""

    def forget(self) -> None:
        """Let go of everything, so that the user's objects need no collector to be freed. No value is of use after."""
        self.effects.external.forget()
        for root in (root for storage in self.inputs.storages for root in storage.roots):
            root.real = None
        for exception in self.exceptions.values():
            forget_frames(exception.raised, self.handled_before)
            forget_frames(exception.shadow, self.handled_before)
        vars(self).clear()

    # Facts.
    def guard(self, kind: type[Guard], source: Source, **facts: Any) -> None:
        """Rely on a fact; said again, it is kept once with its first line."""
        self.facts.keep(kind(source, self.progress.where, **facts))

    def guard_function(self, source: Source, function: types.FunctionType) -> None:
        """Rely on the identity of a function; one with a closure may hold a model, and is not kept alive for that."""
        guard = Is(source, self.progress.where, expected=function)
        if function.__closure__ is None or class_of(guard) is not None:
            self.facts.keep(guard)
        else:
            self.guard(WeakIs, source, reference=weakref.ref(function))

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
        if known not in self.facts.assumptions:
            held = key if isinstance(key, (str, int)) else self.facts.anchor(key)
            self.facts.assumptions[known] = Assumption(
                self.facts.anchor(owner), held, fact, self.progress.where, check, renew
            )

    def assume_same(self, owner: Any, key: Any, fact: str, find: Callable[[], Any], held: RebindableRef) -> None:
        """Rely on `find()` giving the object at an anchor. Another one of its type may take its place later."""
        self.assume(owner, key, fact, lambda: find() is held(), lambda moves: moves.put(held, find()))

    def refuse_in_iterations(self, what: str) -> None:
        """Errors: a break while a loop's round is evaluated that stands for all of them."""
        if self.iterations:
            raise PART_CHANGE.stop(name=what)

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
        node = self.builder.add(op, *inputs, location=self.progress.location, **attrs)
        if self.tape.enabled:
            self.tape.recorded.add(node)
        return node

    def lifted_input(self, array: np.ndarray[Any, Any], type: TensorType, source: Source) -> Input:
        """The memory of a tensor that is known by identity: part of the graph, no argument of the plan."""
        strides = tuple(step // array.itemsize for step in array.strides)
        entry = Input(
            LIFTED, source, self.builder.input(type, self.inputs.name_for(source), self.progress.location), strides
        )
        entry.example, entry.static_address = array, True
        self.inputs.entries.append(entry)
        return entry

    def array_input(
        self, array: np.ndarray[Any, Any], type: TensorType, source: Source, strides: tuple[int, ...] | None = None
    ) -> Input:
        """The plan argument for an array; its layout (strides in elements, by default its own) becomes a guard."""
        if strides is None:
            strides = tuple(step // array.itemsize for step in array.strides)
        node = self.builder.input(type, self.inputs.name_for(source), self.progress.location)
        entry = Input("array", source, node, strides, False, array)
        self.inputs.entries.append(entry)
        return entry

    def scalar_input(self, kind: str, type: TensorType, source: Source, example: object) -> Node:
        """The plan argument for a number read at `source`; one for each source and kind."""
        key = (source, kind)
        if key not in self.inputs.scalars:
            node = self.builder.input(type, self.inputs.name_for(source), self.progress.location)
            self.inputs.entries.append(Input(kind, source, node, example=example))
            self.inputs.scalars[key] = node
        return self.inputs.scalars[key]
