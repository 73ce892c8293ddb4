"""The record of a trace with symbolic sizes, of which plans are made: for given ones, or for many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backend.call_layout import CallLayout, InputLayout, OutputLayout
from ...backend.plugins.registry import NUMBA, Backend
from ...core.errors import SizeError
from ...core.records import dataclass, replace
from ...core.sizes import Facts, Size, symbol
from ...core.types import TensorType
from ...graph.aot.specialize import SpecializedNumber, Specializer, with_numbers
from ...graph.node import Graph
from ...graph.passes import run_passes

if TYPE_CHECKING:
    from ...backend.compile import CompiledGraph
    from ...backend.cpu.plan.symbolic_plan import SizedCall, SymbolSource
    from ...runtime.sized_history import SizedHistory


@dataclass(frozen=True)
class Bound:
    """A graph for given sizes, as passes left it; what the back end made of it; and the numbers it takes as memory."""

    traced: Graph
    graph: Graph
    compiled: CompiledGraph
    numbers: tuple[np.ndarray[Any, Any], ...]


@dataclass(frozen=True)
class FreeBound:
    """A graph for all sizes of which some facts hold: what the back end made of it, and what a call is asked."""

    compiled: CompiledGraph
    call: SizedCall


def _untold(error: Exception) -> None:
    pass


def _unsaid(what: str) -> None:
    pass


@dataclass(eq=False)
class PlanTemplate:
    """The record of a trace with symbolic sizes, of which plans for given sizes are made.

    histories: those of the results, which are made for the same values.   backend: who compiles.
    on_error: told of an error inside guardlift while a plan was made; calls with these sizes run as plain Python then.
    on_rest: told when calls run as plain Python since plans would be made too often.
    """

    graph: Graph
    layout: CallLayout
    facts: Facts
    histories: Sequence[SizedHistory] = ()
    backend: Backend = NUMBA
    on_error: Callable[[Exception], None] = _untold
    on_rest: Callable[[str], None] = _unsaid
    frees: bool = False
    """Whether plans may be made for many sizes: they are native ones of this machine."""

    def bound_to(self, values: Sequence[int]) -> Bound:
        """The graph for these values of the symbols, compiled."""
        for each in self.histories:
            each.at(tuple(values))
        traced, layout, numbers = self._written(Specializer(self.facts, values))
        lifted = tuple(InputLayout("lifted", TensorType((), each.dtype)) for each in numbers)
        layout = replace(layout, inputs=(*layout.inputs, *lifted))
        graph = run_passes(traced)
        compiled = self.backend.compile(graph, layout)
        return Bound(traced, graph, compiled, tuple(each.array() for each in numbers))  # type: ignore[arg-type]

    def _without_known(self, symbols: Sequence[Size]) -> list[Any]:
        """The symbols of a plan, each that facts make known written as what it is; the plan asks these facts.

        A model's caches have as many sizes as it has layers, and all of them grow alike.
        """
        numbers = {atom: place for place, atom in enumerate(self.facts.symbols)}
        found: list[Any] = list(symbols)
        for atom, (other, more) in sorted(self.facts.known_by_others().items()):
            place = numbers[atom]
            below = 0 if other is None else symbols[numbers[other]]
            if symbols[place] - below != more:  # which asks
                raise SizeError(f"{symbols[place].text} is not what the facts of its trace say")
            found[place] = more if other is None else found[numbers[other]] + more
        return found

    def _written(self, specializer: Specializer) -> tuple[Graph, CallLayout, tuple[SpecializedNumber, ...]]:
        """The graph and the layout of its call with other sizes, and the numbers that are its last inputs."""
        traced, numbers = with_numbers(specializer.graph(self.graph), specializer.numbers)
        layout = replace(
            self.layout,
            inputs=tuple(_specialized(each, specializer) for each in self.layout.inputs),
            outputs=tuple(_specialized(each, specializer) for each in self.layout.outputs),
        )
        return traced, layout, numbers

    def freed(self, values: Sequence[int], sources: Sequence[SymbolSource], ints: int) -> FreeBound | None:
        """One compiled graph for these values and all others with the same facts; None where one plan cannot serve all.

        sources: where calls find the symbols.   ints: how many of these come last of the arguments.
        """
        from ...backend.compile import compile_graph
        from ...backend.cpu.plan.symbolic_plan import TABLE_ADDRESS, SizedCall, can_be_cell, table_address

        if not self.frees:
            return None
        facts = Facts()
        facts.by_form = True
        atoms = [self.facts.atoms[each] for each in self.facts.symbols]
        symbols = [symbol(facts, atom.name, value, atom.low) for atom, value in zip(atoms, values, strict=True)]
        address = table_address(facts)
        specializer = Specializer(self.facts, self._without_known(symbols))
        specializer.ask()
        traced, layout, numbers = self._written(specializer)
        if not all(can_be_cell(each.dtype.numpy) for each in numbers):
            return None
        cells = tuple(
            InputLayout("size", TensorType((), each.dtype), value=each.whole, address=address, cell=number)
            for number, each in enumerate(numbers)
        )
        # The verifier would ask of sizes what nobody else does; it has seen the same graph with numbers.
        graph = run_passes(traced, verify=False)
        compiled = compile_graph(graph, replace(layout, inputs=(*layout.inputs, *cells)))
        return FreeBound(compiled, SizedCall(facts, (*sources, TABLE_ADDRESS), ints))


def _specialized(layout: InputLayout | OutputLayout, specializer: Specializer) -> Any:
    """A layout with values in the place of sizes."""
    return replace(layout, **{each.name: specializer.value(getattr(layout, each.name)) for each in fields(layout)})
