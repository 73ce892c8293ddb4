"""The order of a nest's loops, and which of them are one loop in memory.

The fastest loop follows the smallest stride of what is stored (of a reduction: of what is read most), so data of any
layout is walked in the order in which it lies. Neighbouring loops over which every access moves evenly become one.
"""

from __future__ import annotations

from math import prod

from ...core.records import dataclass
from ...loop_ir.ir import SEARCHED
from ..evaluate.expressions import IndexItem, LoadItem, StoreItem
from ..evaluate.index_algebra import Affine, Var
from ..schedule.loop_nest import Nest, items_of


@dataclass(frozen=True, slots=True)
class MergedLoop:
    """One loop: consecutive variables, outermost first, that count as one."""

    vars: tuple[Var, ...]

    @property
    def extent(self) -> int:
        return prod(var.extent for var in self.vars)

    def stride(self, place: Affine) -> int:
        return place.coefficient(self.vars[-1])


@dataclass(frozen=True, slots=True)
class LoopOrder:
    """The loops of each level, outermost first. `column` is the vectorised loop of a "column" nest."""

    kept: tuple[MergedLoop, ...]
    reduced: tuple[MergedLoop, ...]
    column: MergedLoop | None = None


def order_loops(nest: Nest) -> LoopOrder:
    """The order of the nest's loops."""
    items = items_of(nest)
    places = [item.place for item in items if isinstance(item, (LoadItem, StoreItem, IndexItem))]
    stores = [item.place for item in items if isinstance(item, StoreItem)]
    loads = [item.place for item in items if isinstance(item, LoadItem)]
    if nest.kind == "scatter":
        return LoopOrder(_merged(nest.kept, places), ())  # in the order of the indices, as they are
    if nest.kind == "map":
        return LoopOrder(_merged(_sorted(nest.kept, stores + _widest_first(loads)), places), ())
    leading = _widest_first(loads) + stores
    # Of equal elements an argmax takes the first, so its loops go in the order of the index, not of memory.
    ranked = [item.place for item in items if isinstance(item, IndexItem)] if _may_search(nest) else []
    reduced = _merged(_sorted(nest.reduced, ranked + leading), places)
    kept = _merged(_sorted(nest.kept, leading), places)
    if nest.kind == "column":
        return LoopOrder(kept[:-1], reduced, kept[-1])
    return LoopOrder(kept, reduced)


def _may_search(nest: Nest) -> bool:
    """Whether a reduction of the nest may look for a place. (That of a "column" nest is not written as a reduction.)"""
    reductions = [reduction for phase in nest.phases for reduction in phase.reductions]
    return nest.kind == "column" or any(reduction.combine in SEARCHED for reduction in reductions)


def _widest_first(places: list[Affine]) -> list[Affine]:
    return sorted(places, key=lambda place: -prod(var.extent for var, _ in place.terms))


def _sorted(variables: list[Var], places: list[Affine]) -> list[Var]:
    """Outermost first: by the step of the first access that depends on the variable."""

    def step(var: Var) -> int:
        return next((abs(c) for place in places if (c := place.coefficient(var))), 0)

    return sorted(variables, key=lambda var: -step(var))


def _merged(variables: list[Var], places: list[Affine]) -> tuple[MergedLoop, ...]:
    loops: list[tuple[Var, ...]] = []
    for var in variables:
        if loops and all(place.coefficient(loops[-1][-1]) == place.coefficient(var) * var.extent for place in places):
            loops[-1] = (*loops[-1], var)
        else:
            loops.append((var,))
    return tuple(MergedLoop(vars) for vars in loops)
