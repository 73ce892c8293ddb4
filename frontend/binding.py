"""Plans of a trace with symbolic sizes: one for each set of sizes that calls come with, made without tracing.

A call of sizes seen last finds its plan in the entry as if they were static, and pays nothing more. One of others is
bound: the sizes' values are taken from the arrays, the facts of the trace are checked, and its graph with these values
goes through the back end, which finds its kernels. Native checks are those of a static plan.
"""

# Note [Binding]
# The back end only ever sees whole numbers: passes, schedule, tiles and memory are decided for the sizes at hand. What
# becomes part of a kernel's text must not depend on them, or each size would compile kernels. So the float of a size
# (the count behind a mean) is handed to the plan as memory, like a lifted constant.

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..backend.foreign.registry import NUMBA, Backend
from ..backend.layout import CallLayout, InputLayout, OutputLayout
from ..core.asynchronous import let_through
from ..core.config import config
from ..core.sizes import Facts
from ..graph.aot.settled import Settler, with_numbers
from ..graph.node import Graph
from ..graph.passes import run_passes
from ..guards.sizes import SizedLayout, SizesFit
from .drawing import Blocks, Kind, drawing

if TYPE_CHECKING:
    from ..backend.compile import CompiledGraph
    from ..guards.pool import Anchor
    from ..runtime.sized_history import SizedHistory

KEPT_PLANS = 64
"""Plans that a binding keeps; of more, those go that were not called for longest."""


@dataclass(frozen=True)
class Bound:
    """A graph for given sizes, as passes left it; what the back end made of it; and the numbers it takes as memory."""

    traced: Graph
    graph: Graph
    compiled: CompiledGraph
    numbers: tuple[np.ndarray[Any, Any], ...]


def _untold(error: Exception) -> None:
    pass


@dataclass(eq=False)
class Template:
    """What a trace recorded, its sizes being symbolic.

    histories: those of the results, which are made for the same values.   backend: who compiles.
    on_error: told of an error inside guardlift while a plan was made; calls with these sizes run as plain Python then.
    """

    graph: Graph
    layout: CallLayout
    facts: Facts
    histories: Sequence[SizedHistory] = ()
    backend: Backend = NUMBA
    on_error: Callable[[Exception], None] = _untold

    def bound_to(self, values: Sequence[int]) -> Bound:
        """The same for these values of the symbols."""
        for each in self.histories:
            each.at(tuple(values))
        settler = Settler(self.facts, values)
        traced, numbers = with_numbers(settler.graph(self.graph), settler.numbers)
        given = tuple(_settled(each, settler) for each in self.layout.inputs)
        lifted = tuple(InputLayout("lifted", node.type) for node in traced.inputs[len(self.graph.inputs) :])
        layout = replace(
            self.layout,
            inputs=(*given, *lifted),
            outputs=tuple(_settled(each, settler) for each in self.layout.outputs),
        )
        graph = run_passes(traced)
        return Bound(traced, graph, self.backend.compile(graph, layout), numbers)  # type: ignore[arg-type]


def _settled(layout: InputLayout | OutputLayout, settler: Settler) -> Any:
    """A layout with values in the place of sizes."""
    return replace(layout, **{each.name: settler.value(getattr(layout, each.name)) for each in fields(layout)})


@dataclass(frozen=True)
class Sized:
    """An argument of plans that has symbolic sizes. tensor: the type of the tensor whose array it is; None: of none."""

    place: int
    tensor: type | None = None

    def array(self, arguments: Sequence[Any]) -> np.ndarray[Any, Any] | None:
        """The array, among the arguments of a call; None where it is something else."""
        found: Any = arguments[self.place]
        if self.tensor is not None:
            kind: type = type(found)
            if kind is not self.tensor:
                return None
            found = found._array
        return found if isinstance(found, np.ndarray) else None


@dataclass(frozen=True)
class Memory:
    """The tensors known by identity over whose memory plans are built; see `relinking.Links`."""

    lifted: tuple[Anchor, ...] = ()
    known: tuple[Anchor, ...] = ()
    owners: tuple[Anchor, ...] = ()

    def build(self, bound: Bound) -> Callable[..., Any]:
        """The plan over the memory of now."""
        tensors: list[list[Any]] = [[anchor() for anchor in each] for each in (self.lifted, self.known)]
        lifted, known = ([each._array for each in listed] for listed in tensors)
        return bound.compiled.build([*lifted, *bound.numbers], [each() for each in self.owners], None, known)


NO_MEMORY = Memory()


class Binding:
    """The plans of one entry with symbolic sizes. `plan` is the one called last; `bind` finds or makes another."""

    def __init__(
        self,
        template: Template,
        fit: SizesFit,
        places: Sequence[Sized],
        kinds: Sequence[Kind],
        memory: Memory = NO_MEMORY,
    ) -> None:
        """`places`: which arguments of the plan have symbolic sizes. Ints that are sizes come behind all.

        kinds: those of the arguments; see `drawing`.
        """
        self.template = template
        self.fit = fit
        self._places = tuple(places)
        self._kinds = tuple(kinds)
        self.memory = memory
        self._numbers = len(fit.numbers)
        self._plans: OrderedDict[tuple[Any, ...], Callable[..., Any]] = OrderedDict()
        self._lock = threading.RLock()  # what is freed meanwhile may call the function
        self.plan: Callable[..., Any] = _unfit

    def anew(self) -> Binding:
        """The same without any plan: those to come are over the memory that tensors have by then."""
        return Binding(self.template, self.fit, self._places, self._kinds, self.memory)

    @property
    def bindings(self) -> list[tuple[Any, ...]]:
        """The shapes of arrays, and the ints, for which there are plans, those called last at the end."""
        return [
            tuple(each if isinstance(each, int) else each[0] for each in key)
            for key, plan in self._plans.items()
            if plan is not _unfit
        ]

    @property
    def plans(self) -> list[Callable[..., Any]]:
        """The plans that there are."""
        with self._lock:
            return [plan for plan in self._plans.values() if plan is not _unfit]

    def first(self, values: Sequence[int], arrays: Sequence[np.ndarray[Any, Any]], numbers: Sequence[int]) -> Bound:
        """Binds to the sizes of the traced call, those of `arrays` and the ints `numbers`."""
        bound = self.template.bound_to(values)
        self.plan = self._plans[*_layouts(arrays), *numbers] = self._run_by(bound, values)
        return bound

    def _run_by(self, bound: Bound, values: Sequence[int]) -> Callable[..., Any]:
        kinds = self._kinds
        if any(isinstance(kind, Blocks) for kind in kinds):
            settler = Settler(self.template.facts, values)
            kinds = tuple(Blocks(settler.value(kind.count)) if isinstance(kind, Blocks) else kind for kind in kinds)
        return drawing(self.memory.build(bound), kinds)

    def bind(self, *arguments: Any) -> Any:
        """The result for these arguments; NotImplemented where a guard, or a fact about sizes, does not hold."""
        arrays = [array for each in self._places if (array := each.array(arguments)) is not None]
        count = len(arguments) - self._numbers
        arguments, numbers = arguments[:count], arguments[count:]
        if len(arrays) < len(self._places) or any(type(number) is not int for number in numbers):
            return NotImplemented
        key = (*_layouts(arrays), *numbers)
        with self._lock:
            plan = self._plans.get(key)
            if plan is None:
                values = self.fit.bind(*arrays, *numbers)
                plan = _unfit if values is None else self._built(values)
                self._plans[key] = plan
                if len(self._plans) > KEPT_PLANS:
                    self._plans.popitem(last=False)
            else:
                self._plans.move_to_end(key)
        result = plan(*arguments)
        if result is not NotImplemented:
            self.plan = plan
        return result

    def _built(self, values: tuple[int, ...]) -> Callable[..., Any]:
        handled = sys.exception()
        try:
            return self._run_by(self.template.bound_to(values), values)
        except Exception as error:
            let_through(error, handled)
            if config.raise_internal_errors:
                raise
            self.template.on_error(error)
            return _unfit


def _layouts(arrays: Sequence[np.ndarray[Any, Any]]) -> tuple[Any, ...]:
    return tuple((array.shape, array.strides) for array in arrays)


def _unfit(*arguments: Any) -> Any:
    return NotImplemented


class _Stale:
    """Stands for the binding of an entry whose assumptions do not hold."""

    plan = bind = staticmethod(_unfit)


STALE = _Stale()


def free_layouts(guards: Sequence[Any]) -> tuple[SizedLayout, ...]:
    """The layouts among guards that have symbolic sizes."""
    return tuple(guard for guard in guards if isinstance(guard, SizedLayout))
