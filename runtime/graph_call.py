"""A graph that has been compiled, and is interpreted for values that do not lie in memory as its plan expects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

import numpy as np

from ..backend.call_layout import CallLayout, InputLayout, OutputLayout
from ..backend.plugins.registry import Backend
from ..core.devices.arrays import ARRAY_TYPES
from ..core.devices.host_or_device import device_of, on_device, on_host
from ..core.errors import GuardliftError
from ..core.records import dataclass
from ..core.types import contiguous_strides
from ..graph.aot.backward_segments import BackwardSegment, SegmentedGraph, segmented
from ..graph.interpreter import run_reference
from ..graph.node import Graph
from ..ops.call_outs import CALL_OUT, Around, around

Array = np.ndarray[Any, Any]
LEAST = 1 << 22
"""Bytes that each segment of a graph but the last lets go of, at least."""


class UnpackedValueError(GuardliftError, RuntimeError):
    """A saved-tensor hook gave back another shape or dtype than was saved, which compiled code cannot take."""


class GraphCall(Protocol):
    """Gives the outputs of a graph, each in a fresh array."""

    @property
    def graph(self) -> Graph:
        """The graph that the call computes, after all passes."""

    @property
    def frees(self) -> bool:
        """Whether it lets go of arguments before it is done, where it is given the last reference to them."""

    def __call__(self, arguments: list[Any]) -> Sequence[Array]:
        """The outputs. The list is empty afterwards. Errors: UnpackedValueError for another shape or dtype."""


@dataclass(frozen=True, slots=True, eq=False)
class WholeCall:
    """A graph as one plan. It may write into arguments. single: there is but one output, which the plan gives bare."""

    run: Callable[..., Any]
    graph: Graph
    single: bool
    frees = False

    def __call__(self, arguments: list[Any], run_anew: Callable[[], None] | None = None) -> Sequence[Array]:
        found = self.run(*arguments)
        if found is NotImplemented or found is Ellipsis:
            if run_anew is not None:
                run_anew()
            return _interpreted(self.graph, arguments)
        return (found,) if self.single else found or ()  # without outputs a plan gives None


@dataclass(frozen=True, slots=True, eq=False)
class SegmentedCall:
    """A graph as one plan after the other; see `graph.aot.backward_segments`.

    plans:   of each segment, which gives a tuple.
    layouts: of each input the dtype, shape and strides in bytes that the plans take; None for a number.
    """

    plans: tuple[Callable[..., Any], ...]
    segments: tuple[BackwardSegment, ...]
    results: tuple[int, ...]
    layouts: tuple[tuple[Any, ...] | None, ...]
    graph: Graph
    frees = True

    def __call__(self, arguments: list[Any]) -> Sequence[Array]:
        if not all(layout in (None, _layout(each)) for each, layout in zip(arguments, self.layouts, strict=True)):
            return _interpreted(self.graph, arguments)
        known: dict[int, Any] = dict(enumerate(arguments))
        arguments.clear()
        for plan, segment in zip(self.plans, self.segments, strict=True):
            found = plan(*[known[number] for number in segment.takes])
            if found is NotImplemented or found is Ellipsis:  # an error state that raises; no value has a say in it
                found = _interpreted(segment.graph, [known[number] for number in segment.takes])
            known.update(zip(segment.gives, found, strict=True))
            del found
            for number in segment.done:
                del known[number]
        return tuple(known[number] for number in self.results)


@dataclass(frozen=True, slots=True, eq=False)
class EffectfulCall:
    """A graph with effects as one plan. Where that gives up, what it has done already is not done again."""

    call: WholeCall
    around: Around
    frees = False

    @property
    def graph(self) -> Graph:
        """See `GraphCall`."""
        return self.call.graph

    def __call__(self, arguments: list[Any]) -> Sequence[Array]:
        with self.around() as run_anew:
            return self.call(arguments, run_anew)


def compiled(
    graph: Graph,
    inputs: Sequence[InputLayout],
    strides: Sequence[tuple[int, ...]],
    backend: Backend,
    temporary: Collection[int] = (),
) -> GraphCall:
    """The compiled form of a graph whose inputs lie as told, and its outputs with `strides`.

    temporary: the inputs that are held for this graph alone, as far as is known; many bytes of them are let go of on
    the way. An input that is written shares memory with no other one.
    """
    graph = backend.prepare(graph)
    segments = segmented(graph, temporary, LEAST) if temporary and backend.is_native else None
    if segments is not None:
        return _segmented(graph, segments, inputs, strides, backend)
    single = len(strides) == 1
    call = WholeCall(_plan(graph, inputs, strides, backend, single), graph, single)
    effects = around(str(node.attr("function")) for node in graph.nodes if node.op is CALL_OUT)
    return call if effects is None else EffectfulCall(call, effects)


def _plan(
    graph: Graph,
    inputs: Sequence[InputLayout],
    strides: Sequence[tuple[int, ...]],
    backend: Backend,
    unwrap: bool,
) -> Callable[..., Any]:
    if not graph.outputs and not graph.writes:
        return lambda *given: ()
    outputs = tuple(OutputLayout("fresh", place, each) for place, each in enumerate(strides))
    return backend.compile(graph, CallLayout(tuple(inputs), outputs, _apart(inputs), unwrap)).build()


def _apart(inputs: Sequence[InputLayout]) -> frozenset[tuple[int, int]]:
    """Pairs of arrays that share no memory, since one of them is written."""
    arrays = [place for place, each in enumerate(inputs) if each.kind == "array"]
    written = [place for place in arrays if inputs[place].writeable]
    return frozenset((min(a, b), max(a, b)) for a in written for b in arrays if a != b)


def _segmented(
    graph: Graph,
    cut: SegmentedGraph,
    inputs: Sequence[InputLayout],
    strides: Sequence[tuple[int, ...]],
    backend: Backend,
) -> SegmentedCall:
    wanted = dict(zip(cut.results, strides, strict=True))
    layouts = dict(enumerate(inputs))
    plans = []
    for segment in cut.segments:
        taken = [layouts[number] for number in segment.takes]
        given = [
            wanted.get(number, contiguous_strides(node.shape))
            for number, node in zip(segment.gives, segment.graph.outputs, strict=True)
        ]
        plans.append(_plan(segment.graph, taken, given, backend, unwrap=False))
        for number, node, each in zip(segment.gives, segment.graph.outputs, given, strict=True):
            layouts[number] = InputLayout("array", node.type, each)
    return SegmentedCall(tuple(plans), cut.segments, cut.results, tuple(map(_wanted, inputs)), graph)


def _wanted(layout: InputLayout) -> tuple[Any, ...] | None:
    if layout.kind != "array":
        return None
    dtype, shape = layout.type.dtype.numpy, layout.type.shape
    steps = (each * dtype.itemsize if size > 1 else 0 for each, size in zip(layout.strides, shape, strict=True))
    return layout.type.device, dtype, shape, tuple(steps), True


def _layout(value: Any) -> tuple[Any, ...] | None:
    if not isinstance(value, ARRAY_TYPES):
        return None
    steps = (each if size > 1 else 0 for each, size in zip(value.strides, value.shape, strict=True))
    return device_of(value), value.dtype, value.shape, tuple(steps), value.flags.aligned


def _interpreted(graph: Graph, arguments: Sequence[Any]) -> Sequence[Array]:
    """The results of the reference interpreter. Errors: UnpackedValueError for an argument not of its input's type."""
    arrays = [np.asarray(on_host(each)) for each in arguments]
    for node, array in zip(graph.inputs, arrays, strict=True):
        if array.shape != node.shape or array.dtype != node.type.dtype.numpy:
            raise UnpackedValueError(
                f"backward through a jitted function got {array.dtype}{list(array.shape)} for a saved value that was "
                f"{node.type.dtype}{list(node.shape)}: a hook of saved_tensors_hooks unpacked another shape or dtype. "
                "Let unpack_hook give back what pack_hook was given, or call the function without gl.jit "
                "(function.__wrapped__)"
            )
    results = run_reference(graph, arrays)
    for write in graph.writes:
        place = graph.inputs.index(write.target)
        if arrays[place] is not arguments[place]:  # a copy of what lies on a device, or a number
            arguments[place][...] = arrays[place]
    return [on_device(each, node.type.device) for each, node in zip(results, graph.outputs, strict=True)]
