"""Graphs for a device with a program from disk, where there is one: these are neither scheduled nor lowered."""

# Note [Programs of a device]
# What becomes of a graph on a device is steps: texts of kernels, sizes, and places in slots. None of it is memory of
# this process, so it is kept as programs of the CPU are (backend/artifacts/compiled_graphs.py). The key has besides all
# that these have: the facts of the device by which steps are chosen, the sources here, which are no part of any other
# artifact, and every setting that could have a part. The code of the kernels is found by their texts, as ever. Loops
# and branches are not kept: the host runs them, from what was lowered.

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ...core.config import config
from ...core.errors import NotWritable
from ...ops.loops import LOOP
from .. import compile
from ..artifacts.compiled_graphs import graph_operands, wanted_program, whose
from ..artifacts.counters import count
from ..artifacts.keys import Request, every_setting
from ..artifacts.store import bypassed, keep, missed, recall
from ..compile import CompiledGraph, LazyProgram, PlacedTemporaries
from . import program_codec
from .compiler.device_code import generator
from .device import CudaDevice, current
from .plan import CudaProgram

if TYPE_CHECKING:
    from ...graph.node import Graph
    from ..artifacts.identity import BackendIdentity
    from ..call_layout import CallLayout

P = TypeVar("P")


def compiled_for_device(graph: Graph, layout: CallLayout, identity: BackendIdentity) -> CompiledGraph:
    """The compiled form of `graph` for calls of this layout. What is read from disk is not lowered.

    Errors: GraphError when the graph holds what no lowering knows; CudaError where there is no device.
    """
    wanted = None
    if any(node.op is LOOP for node in graph.nodes):
        bypassed(identity.kind, identity.about or whose(graph), "it has a loop over tensors, which the host runs")
    else:
        wanted = wanted_program(graph, layout, identity)
    if wanted is None:
        return compile.compile_graph(graph, layout)
    device = current()
    more = {"device": device_facts(device), "device code": generator().hex(), "every setting": every_setting()}
    wanted = Request(wanted.kind, wanted.about, {**wanted.parts, **more})
    data = recall(wanted)
    found = None
    if data is not None:
        try:
            found = program_codec.read(data, len(layout.inputs), len(graph_operands(layout)))
        except (KeyError, TypeError, ValueError, IndexError):
            found = None
    if found is None:
        missed(wanted)
    else:
        count(wanted.kind, "hit")
    lazy = KeptProgram(graph, layout, wanted, device, found)
    if found is None:
        lazy.lowered  # noqa: B018 (errors come now)
    return CompiledGraph(graph, layout, lazy)


def device_facts(device: CudaDevice) -> str:
    """All of a device that steps and texts of kernels depend on, in words."""
    return repr((device.limits, [*device.tilings], device.tensor_tiling, device.has_libraries))


class KeptProgram(LazyProgram):
    """The program of a graph for a device, from disk or to be kept there, for all calls laid out alike.

    device: what the request is for; another one has a program that is not kept."""

    def __init__(
        self, graph: Graph, layout: CallLayout, wanted: Request, device: CudaDevice, found: CudaProgram | None
    ) -> None:
        super().__init__(graph, layout)
        self._wanted, self._device, self._found = wanted, device, found
        self._wanted_settings = config.in_force  # which are part of the key

    @property
    def memory(self) -> PlacedTemporaries:
        return self.lowered if self._found is None else self._found

    @property
    def settings(self) -> frozenset[str]:
        return super().settings if self._found is None else frozenset(name for name, _ in self._found.settings)

    @property
    def _is_of_other_settings(self) -> bool:
        """Whether a setting that says how it is computed was another one when the program was wanted."""
        before, now = self._wanted_settings, config.in_force
        return before is not now and any(getattr(before, name) != getattr(now, name) for name in self.settings)

    def device_program(self, device: CudaDevice, by_value: bool, make: Callable[[], P]) -> P:
        """See `LazyProgram`."""
        if by_value or device is not self._device or self._is_of_other_settings:
            return make()
        if self._found is None:
            made = make()
            assert isinstance(made, CudaProgram)
            self._found = made
            try:
                keep(self._wanted, program_codec.written(made))
            except NotWritable as why:
                bypassed(self._wanted.kind, self._wanted.about, str(why))
        return self._found  # type: ignore[return-value]
