"""The findings of earlier traces of a function about its loops, for the next one."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ...core.dtypes import DType
from ...core.records import dataclass, replace
from ..breaks import NO_FORM, GraphBreak

LoopKey = tuple[object, int]
"""Code object, and position of the loop's head."""

NotRegions = dict[LoopKey, GraphBreak]
"""Loops of a function that were no regions, and why."""


@dataclass(frozen=True)
class VariableKind:
    """The kind of what a variable holds that changes from iteration to iteration.

    python: int, float or bool for a Python number; None for a NumPy scalar of `dtype`.
    python_or_numpy: a NumPy scalar of `dtype`, or still a Python number of the type `python`, since it started as one.
    parts:  of a tuple, the kinds of its elements.
    absent: "None" for such a number or None, "unbound" for a variable that may have no value besides.
    """

    python: type | None
    dtype: DType
    python_or_numpy: bool = False
    parts: tuple[VariableKind, ...] | None = None
    absent: str = ""

    @property
    def present(self) -> VariableKind:
        """The kind of the number if it is there."""
        return replace(self, absent="")


@dataclass
class SpeculationLog:
    """The facts that earlier traces of a function have found, by the loop concerned.

    not_region:   why it is no region.
    not_region_ever: the same from all traces of the function, of which others may have had other arguments.
    written:  the numbers, among the trace's, of the storages that its region writes: at first, as its code looks.
    exact:   loops of which an earlier trace has found that some of these are not written.
    kinds:   of a variable that is of another kind at the end of an iteration than before the first.
    not_monotone: the int variables that fall below what they are before the first iteration.
    arrays:  the variables that hold another array in each iteration.
    materialized: the loops and branches inside which an array is stored that was an expression before them.
    swapped: of a region, two variables of which one comes to hold what the other held.
    may_alias:  loops in which two such variables may hold one array.
    do_not_unroll: short loops within a region that are too much work to be unrolled.
    not_inlined: what cannot be followed in a backward pass, and why: custom functions, and hooks by their keys.
    not_loop_node: why a loop over tensors is not one node of the graph.
    not_cond: why a branch on the data of a tensor, by the place where it is asked, is not one node of the graph.
    no_conds: why none is, where that is not known of single ones.
    peeled: how many of the first iterations of a loop over tensors are evaluated for themselves.
    divided: after how many iterations a loop over tensors goes on as another one.
    varying_floats: the variables that hold another float in each iteration of a loop over tensors.
    computed_with: of the arrays whose size only the call knows, the numbers of those that the plan has to have.
    """

    not_region: dict[LoopKey, GraphBreak] = field(default_factory=dict)
    not_region_ever: NotRegions = field(default_factory=dict)
    written: dict[LoopKey, frozenset[int]] = field(default_factory=dict)
    exact: set[LoopKey] = field(default_factory=set)
    kinds: dict[tuple[LoopKey, str], VariableKind] = field(default_factory=dict)
    not_monotone: set[tuple[LoopKey, str]] = field(default_factory=set)
    arrays: set[tuple[LoopKey, str]] = field(default_factory=set)
    swapped: set[tuple[LoopKey, str, str]] = field(default_factory=set)
    may_alias: set[LoopKey] = field(default_factory=set)
    materialized: set[LoopKey] = field(default_factory=set)
    do_not_unroll: set[LoopKey] = field(default_factory=set)
    not_inlined: dict[Any, GraphBreak] = field(default_factory=dict)
    not_loop_node: dict[LoopKey, GraphBreak] = field(default_factory=dict)
    not_cond: dict[LoopKey, GraphBreak] = field(default_factory=dict)
    no_conds: GraphBreak | None = None
    peeled: dict[LoopKey, int] = field(default_factory=dict)
    divided: dict[LoopKey, set[int]] = field(default_factory=dict)
    varying_floats: set[tuple[LoopKey, str]] = field(default_factory=set)
    computed_with: set[int] = field(default_factory=set)


def unsupported_in_region(what: str) -> GraphBreak:
    """The break for what has no form in a region, and no kind of its own; the loop is then traced as other code is."""
    return NO_FORM.stop(what=what)
