"""Plans in Python: they check a call's arguments as native plans do, and have somebody else's function compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from ...core.records import dataclass, replace
from ...graph.interpreter import LeftRegion
from ...graph.module import GraphModule
from ...graph.node import Graph
from ..call_layout import CallLayout
from ..cpu.plan import errstate
from .backend_results import Answers
from .build_results import ResultBuilder
from .check_arguments import Arguments

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class PluginGraph:
    """A graph for somebody else's backend, with what `CompiledGraph` has for ours. `build` makes the plan."""

    graph: Graph
    layout: CallLayout
    name: str
    ask: Callable[..., Any]
    parts: Mapping[str, Graph] = field(default_factory=dict)
    """The graphs that the module has as attributes: those of inlined hooks."""
    calls: ClassVar[tuple[()]] = ()
    kernels: ClassVar[tuple[()]] = ()
    arena_nbytes: ClassVar[int] = 0

    def over(self, layout: CallLayout) -> PluginGraph:
        """This graph for a layout that differs only in the objects that a call passes and in access paths to arrays."""
        return replace(self, layout=layout)

    def describe(self) -> str:
        """Who runs it."""
        return f"run by the backend {self.name!r}"

    def build(
        self,
        lifted: Sequence[Array] = (),
        owners: Sequence[object] = (),
        subscribe: Any = None,
        static: Sequence[Array] = (),
    ) -> Callable[..., Any]:
        """The plan over this memory, which asks the backend at its first call. See `CompiledGraph.build`.

        Nothing is subscribed: every call looks where the arrays are.
        Errors: KernelError for arrays and owners that are not as the layout says.
        """
        return ForeignPlan(self, Arguments(self.graph, self.layout, lifted, owners, static))


class ForeignPlan:
    """A plan that runs a graph by somebody else's function.

    A call gives NotImplemented when an argument is not what the graph was captured for, and Ellipsis when Python has to
    run it; nothing has been written in either case.
    Errors: BackendError.
    """

    def __init__(self, compiled: PluginGraph, arguments: Arguments) -> None:
        graph, layout = compiled.graph, compiled.layout
        self._arguments = arguments
        self._results = ResultBuilder(graph, layout)
        self._passed = [k for k, each in enumerate(layout.inputs) if each.kind != "lifted"]
        inputs = list(zip(graph.inputs, layout.inputs, strict=True))
        module = GraphModule(
            graph,
            {graph.inputs[place]: array for place, array in arguments.lifted.items()},
            {node: entry.strides for node, entry in inputs},
            {node: entry.kind for node, entry in inputs},
            compiled.parts,
        )
        self._answers = Answers(compiled.name, compiled.ask, module)

    def __call__(self, *passed: Any) -> Any:
        if not errstate.accepts_current():
            return NotImplemented
        operands = self._arguments.of(passed)
        if operands is None:
            return NotImplemented
        try:
            with np.errstate(all="ignore"):
                values = self._answers([operands.arrays[place] for place in self._passed])
        except LeftRegion:
            return ...
        return self._results.of(operands, values)
