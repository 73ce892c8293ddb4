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
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.asynchronous import let_through
from ...core.config import config
from ...core.devices import CPU
from ...core.devices.arrays import ARRAY_TYPES
from ...core.records import dataclass
from ...graph.aot.specialize import Specializer
from ...guards.sizes import SizedLayout, SizesFit
from ..tracing.random_draws import Kind, depends_on_sizes, drawing, with_sizes
from .plan_template import Bound, FreeBound, PlanTemplate

if TYPE_CHECKING:
    from ...backend.cpu.plan.symbolic_plan import SymbolSource
    from ...guards.pool import RebindableRef

KEPT_PLANS = 64
"""Plans that a binding keeps; of more, those go that were not called for longest."""
STATIC_PLANS = 2
"""Plans that arrays of other sizes get for themselves before one is made for many: they answer 40 ns sooner."""
RESTS = 20.0
"""Times as long as a plan took to make that a binding with that many plans waits before it makes another."""
REFUSING = 3
"""Plans in a row that refused the very call they were made for, after which a binding waits as long, too.

A plan refuses arrays that share memory it writes into, say; one for other sizes does so as well."""


@dataclass(frozen=True)
class SizedPlan:
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
        return found if isinstance(found, ARRAY_TYPES) else None


@dataclass(frozen=True)
class BoundMemory:
    """The tensors known by identity over whose memory plans are built; see `relink.Links`."""

    lifted: tuple[RebindableRef, ...] = ()
    static: tuple[RebindableRef, ...] = ()
    owners: tuple[RebindableRef, ...] = ()

    def build(self, bound: Bound) -> Callable[..., Any]:
        """The plan over the memory of now."""
        lifted, owners, static = self.now()
        return bound.compiled.build([*lifted, *bound.numbers], owners, None, static)

    def build_free(self, bound: FreeBound) -> Callable[..., Any] | None:
        """The plan for many sizes over the memory of now; None where it would be for one value of each symbol only."""
        from ...backend.cpu.plan.symbolic_plan import build_sized

        return build_sized(bound.compiled.plan, bound.call, *self.now())

    def now(self) -> tuple[list[Any], list[Any], list[Any]]:
        """The arrays that are lifted, the owners, and the arrays at static addresses."""
        lifted, owners, static = ([anchor() for anchor in each] for each in (self.lifted, self.owners, self.static))
        return [each._array for each in lifted], owners, [each._array for each in static]


NO_MEMORY = BoundMemory()


class Binding:
    """The plans of one entry with symbolic sizes. `plan` is the one called last; `bind` finds or makes another."""

    def __init__(
        self,
        template: PlanTemplate,
        fit: SizesFit,
        places: Sequence[SizedPlan],
        kinds: Sequence[Kind],
        arguments: int,
        memory: BoundMemory = NO_MEMORY,
    ) -> None:
        """`places`: which arguments of the plan have symbolic sizes. Ints that are sizes come behind all `arguments`.

        kinds: those of the arguments; see `drawing`.
        """
        self.template = template
        self.fit = fit
        self._places = tuple(places)
        self._kinds = tuple(kinds)
        self._arguments = arguments
        self.memory = memory
        self._numbers = len(fit.numbers)
        self._free: tuple[Callable[..., Any], ...] = ()
        """Plans for many sizes, those made last first."""
        self._plans: OrderedDict[tuple[Any, ...], Callable[..., Any]] = OrderedDict()
        self._made = 0
        self._rests_until = 0.0
        self._refused = 0
        self._lock = threading.RLock()  # what is freed meanwhile may call the function
        self.plan: Callable[..., Any] = _unfit

    def anew(self) -> Binding:
        """A copy of the binding without any plan: plans to come are over the memory that tensors have by then."""
        return Binding(self.template, self.fit, self._places, self._kinds, self._arguments, self.memory)

    @property
    def bindings(self) -> list[tuple[Any, ...]]:
        """The shapes of arrays, and the ints, for which there are plans, those called last at the end."""
        return [
            tuple(each if isinstance(each, int) else each[0] for each in key)
            for key, plan in self._plans.items()
            if plan is not _unfit
        ]

    @property
    def has_free_strides(self) -> bool:
        """Whether strides of arrays are symbolic that do not follow from sizes."""
        return any(unit for layout in self.fit.layouts for _, unit in layout.symbols.values())

    @property
    def free_plans(self) -> int:
        """The number of plans that serve many sizes."""
        return len(self._free)

    @property
    def plans(self) -> list[Callable[..., Any]]:
        """The plans that there are."""
        with self._lock:
            return [*self._free, *(plan for plan in self._plans.values() if plan is not _unfit)]

    def first(self, values: Sequence[int], arrays: Sequence[np.ndarray[Any, Any]], numbers: Sequence[int]) -> Bound:
        """Binds to the sizes of the traced call, those of `arrays` and the ints `numbers`."""
        from ...backend.compile import CompiledGraph

        bound = self.template.bound_to(values)
        self.template.frees = isinstance(bound.compiled, CompiledGraph) and self.template.graph.device == CPU
        plan = self._plans[*_layouts(arrays), *numbers] = self._run_by(bound, values)
        if not self._numbers:
            self.plan = plan
        return bound

    def _run_by(self, bound: Bound, values: Sequence[int]) -> Callable[..., Any]:
        return self.drawn_for(self.memory.build(bound), values)

    def drawn_for(self, plan: Callable[..., Any], values: Sequence[int]) -> Callable[..., Any]:
        """A plan that draws what it draws for these values."""
        kinds = self._kinds
        if depends_on_sizes(kinds):
            specializer = Specializer(self.template.facts, values)
            kinds = tuple(with_sizes(kind, specializer.value) for kind in kinds)
        return drawing(plan, kinds)

    def _drawing_for_all(self, plan: Callable[..., Any]) -> Callable[..., Any]:
        """A plan for many sizes, which may decide how much it draws."""
        return _DrawingBySizes(self, plan) if depends_on_sizes(self._kinds) else drawing(plan, self._kinds)

    def values_of(self, arguments: Sequence[Any]) -> tuple[int, ...] | None:
        """The values of the symbols in the arguments of a call; None where these do not fit."""
        given = (*self._arrays(arguments), *arguments[len(arguments) - self._numbers :])
        return self.fit.values_of(given) if self.fit.accepts(given) else None

    def _arrays(self, arguments: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
        return [array for each in self._places if (array := each.array(arguments)) is not None]

    def bind(self, *arguments: Any) -> Any:
        """The result for these arguments, where `plan` has none; NotImplemented where a guard or a fact does not hold.

        Ellipsis where the call has to run as plain Python."""
        tried = self.plan
        for plan in self._free:
            if plan is not tried:
                result = plan(*arguments)
                if result is not NotImplemented:
                    self.plan = plan
                    return result
        arrays = self._arrays(arguments)
        count = len(arguments) - self._numbers
        passed, numbers = arguments[:count], arguments[count:]
        # Kinds, dtypes and flags are asked of every call: what is kept by sizes and strides follows from these alone.
        if not self.fit.accepts((*arrays, *numbers)):
            return NotImplemented
        key = (*_layouts(arrays), *numbers)
        with self._lock:
            known = self._plans.get(key)
            if known is not None:
                plan = known
                self._plans.move_to_end(key)
            else:
                values = self.fit.bind(*arrays, *numbers)
                if values is not None and self._refused >= REFUSING and time.monotonic() < self._rests_until:
                    return NotImplemented
                if values is not None and self._rests():
                    return ...
                plan, free = (_unfit, False) if values is None else self._built(values)
                if free:
                    self._free = (plan, *self._free)[:KEPT_PLANS]
                    self.plan, passed = plan, arguments
                else:
                    self._keep(key, plan)
        result = plan(*passed)
        if known is None and plan is not _unfit:
            self._refused = self._refused + 1 if result is NotImplemented else 0
            if result is NotImplemented and free:  # those for many sizes are asked first, in calls to come as well
                self._keep(key, _unfit)
        if result is not NotImplemented and not self._numbers:
            self.plan = plan
        return result

    def _keep(self, key: tuple[Any, ...], plan: Callable[..., Any]) -> None:
        self._plans[key] = plan
        if len(self._plans) > KEPT_PLANS:
            self._plans.popitem(last=False)

    def _rests(self) -> bool:
        """Whether no plan is made now, since so many were made that to make more would take most of the time."""
        if self._made < KEPT_PLANS or time.monotonic() >= self._rests_until:
            return False
        self.template.on_rest(
            f"sizes or ints of an entry changed so often that {self._made} plans were made; while they do, calls "
            "that no plan fits run as plain Python"
        )
        return True

    def _built(self, values: tuple[int, ...]) -> tuple[Callable[..., Any], bool]:
        """A plan for these values, and whether it is for many others too."""
        started, handled = time.monotonic(), sys.exception()
        try:
            plan = self._freed(values) if self._numbers or self._made >= STATIC_PLANS else None
            if plan is not None:
                return self._drawing_for_all(plan), True
            return self._run_by(self.template.bound_to(values), values), False
        except Exception as error:
            let_through(error, handled)
            if config.raise_internal_errors:
                raise
            self.template.on_error(error)
            return _unfit, False
        finally:
            self._made += 1
            now = time.monotonic()
            self._rests_until = now + RESTS * (now - started)

    def _freed(self, values: tuple[int, ...]) -> Callable[..., Any] | None:
        """A plan for these values and many others; None where there is none, and each set of values has its own."""
        handled = sys.exception()
        try:
            free = self.template.freed(values, self._sources(), self._numbers)
            return self.memory.build_free(free) if free is not None else None
        except Exception as error:
            let_through(error, handled)
            if config.raise_internal_errors:
                raise
            self.template.frees = False  # a graph that the back end takes with numbers only
            return None

    def _sources(self) -> list[SymbolSource]:
        """The sources of the values of symbols in a call, in their order."""
        from ...backend.cpu.plan.symbolic_plan import SymbolSource

        found: dict[int, SymbolSource] = {}
        for layout, place in zip(self.fit.layouts, self._places, strict=True):
            for atom, (axis, unit) in layout.symbols.items():
                found[atom] = SymbolSource(place.place, axis, layout.type.rank, place.tensor, unit)
        for number, (_, atom) in enumerate(self.fit.numbers):
            found[atom] = SymbolSource(self._arguments + number)
        return [found[each] for each in self.fit.facts.symbols]


class _DrawingBySizes:
    """A plan for many sizes that decide how much it draws: each call takes what it draws for its own."""

    def __init__(self, binding: Binding, plan: Callable[..., Any]) -> None:
        self.plan = plan
        self._values_of = binding.values_of
        self._at = lru_cache(KEPT_PLANS)(lambda values: binding.drawn_for(plan, values))

    def __call__(self, *arguments: Any) -> Any:
        values = self._values_of(arguments)
        return NotImplemented if values is None else self._at(values)(*arguments)


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
