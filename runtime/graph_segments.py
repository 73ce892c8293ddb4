"""A segment of an eager graph as a compiled graph: gradients and saved tensors in, gradients out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from ..autograd.accumulate import laid_out_as, obeys_layout, wanted_strides
from ..autograd.gradient_sums import added
from ..autograd.node import Node
from ..autograd.raw_gradients import array_of
from ..autograd.saved import SavedTensor
from ..backend.call_layout import CallLayout, InputLayout, OutputLayout
from ..backend.plugins.registry import NUMBA
from ..core.config import config
from ..core.dtypes import float64
from ..core.errors import GuardliftError
from ..core.records import dataclass
from ..core.types import TensorType, contiguous_strides
from ..graph.aot.emitter import GraphEmitter
from ..graph.builder import GraphBuilder
from ..graph.node import Node as Value
from ..graph.passes import run_passes
from ..ops.pointwise import ADD
from ..tensor.tensor import DTYPES, Array, Tensor
from .graph_structure import NodeSegment, Place, Structure
from .node_columns import unpacked
from .node_forms import CannotEmitError, NodeForm

Run = Callable[..., Any]


def _nothing(*_arrays: Array) -> tuple[Array, ...]:
    """Stands for the plan of a segment that gives nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Shown:
    """The layout of a gradient that somebody may see: that of eager mode.

    shape: what the result is broadcast to, read-only; None if it is not.   shared: it is at several places, as one
        tensor.
    """

    shape: tuple[int, ...] | None
    shared: bool

    def show(self, result: Array) -> Any:
        """The gradient."""
        array = result if self.shape is None else np.broadcast_to(result, self.shape)
        return Tensor._wrap(array) if self.shared else array


@dataclass(slots=True, eq=False)
class Plan:
    """The compiled form of a segment, for gradients at the same of its places and arrays of one layout, or its refusal.

    live:   the nodes with saved tensors to which a gradient comes; the others give nothing, and unpack nothing.
    names:  what each of them has saved.   finders: of those that are no op's node, by place, the forms that find it.
    numbers: the numbers that are arguments, by node and name.
    places: where there are gradients afterwards, of what the segment has read or written, and which: the number of a
        result, or, inverted, that of what it has read.
    leaves: the leaves whose gradients are complete, in order, and whether the last results hold one for each.
    forms:  for each result that goes to `places`, how it is to be shown.
    run:    computes the results; NotImplemented if an argument has another layout, Ellipsis where eager mode raises.
    refused: why there is no `run`, and none is to be made; otherwise empty.
    """

    live: list[int] = field(default_factory=list)
    names: list[list[str]] = field(default_factory=list)
    finders: list[tuple[int, NodeForm]] = field(default_factory=list)
    numbers: list[tuple[int, NodeForm | None, str]] = field(default_factory=list)
    places: tuple[tuple[Place, int], ...] = ()
    leaves: tuple[tuple[int, bool], ...] = ()
    forms: tuple[Shown, ...] = ()
    run: Run = _nothing
    refused: str = ""

    def saved(self, order: Sequence[Any]) -> list[Array]:
        """The arrays that the nodes of a graph have saved. Errors: those of `SavedTensor.unpack`."""
        nodes = list(map(order.__getitem__, self.live))
        for k, form in self.finders:
            nodes[k] = form.op_node(nodes[k])
        return unpacked(nodes, self.names)

    def arguments(self, order: Sequence[Any]) -> list[float]:
        """The numbers that `run` takes after the arrays."""
        nodes: list[Any] = [order[at] if form is None else form.op_node(order[at]) for at, form, _ in self.numbers]
        return [float(node.saved[name]) for node, (_, _, name) in zip(nodes, self.numbers)]


class UntakenError(CannotEmitError):
    """An array lies in memory as no plan takes it; others of its type may do."""


class Writing:
    """A segment while it is written as a graph.

    What somebody may see of a gradient beside its elements is found out by running the nodes as the engine does.
    """

    def __init__(self, structure: Structure, segment: NodeSegment, order: Sequence[Node]) -> None:
        self.structure, self.segment, self.order = structure, segment, order
        self.f = GraphEmitter(GraphBuilder())
        self.sums: dict[Place, Value] = {}
        self.seen: dict[Place, Any] = {}
        """By place, what the engine has there: a gradient, or a sum in a list, as in `GradientSums`."""
        self.arrays: list[Array] = []
        self.numbers: list[Value] = []
        self.plan = Plan()
        self.outputs: list[Value] = []
        self.strides: list[tuple[int, ...]] = []

    def write(self, given: Sequence[Array | None]) -> None:
        """Writes all of it. Errors: CannotEmitError, GuardliftError, and those of `SavedTensor.unpack`."""
        for place, array in zip(self.segment.reads, given, strict=True):
            if array is not None:
                self.sums[place], self.seen[place] = self._input(array), array
        came, first = dict(self.sums), self.structure.leaves
        leaves: list[tuple[int, Value | None, Any]] = []
        for at in self.segment.nodes:
            g = self.sums.pop((at, 0), None)
            if g is not None:
                self._run(at, g, self._seen((at, 0)))
            for leaf in self.structure.steps[at - first].completes:
                g = None if self.structure.observed[leaf] else self.sums.pop((leaf, 0), None)
                leaves.append((leaf, g, None if g is None else self._seen((leaf, 0))))
        count: Counter[Any] = Counter([*came.values(), *self.sums.values(), *(value for _, value, _ in leaves)])
        self._give_places(came, count)
        for leaf, value, seen in leaves:
            if value is not None:
                self.outputs.append(value)
                self.strides.append(self._strides_of_leaf(leaf, array_of(seen), count[value] > 1))
        self.plan.leaves = tuple((leaf, value is not None) for leaf, value, _ in leaves)

    def _run(self, at: int, g: Value, seen: Any) -> None:
        step, node = self.structure.steps[at - self.structure.leaves], self.order[at]
        form = step.form
        assert form is not None
        saved = self._saved(at, form, g)
        try:
            answers = form.emit(self.f, node, g, saved)
            shown = node.step([seen])
        except (ValueError, TypeError) as error:  # what is an error in eager mode too, the engine tells
            raise CannotEmitError(str(error)) from error
        for place, answer, other in zip(step.edges, answers, shown, strict=True):
            if getattr(answer, "shape", None) != getattr(other, "shape", None):
                raise CannotEmitError(f"{node.name()} gives another gradient as a graph than in eager mode")
            if place is not None and answer is not None:
                before = self.sums.get(place)
                self.sums[place] = answer if before is None else self.f.apply(ADD, before, answer)
                self.seen[place] = other if before is None else added(self.seen[place], other)

    def _seen(self, place: Place) -> Any:
        found = self.seen.pop(place)
        return found[0] if type(found) is list else found

    def _give_places(self, came: Mapping[Place, Value], count: Mapping[Any, int]) -> None:
        """Makes results of what is at places now, each value once; what came in stays the object it is."""
        read = [came.get(place) for place in self.segment.reads]
        made = list(dict.fromkeys(value for value in self.sums.values() if value not in read))
        numbers = {value: k for k, value in enumerate(made)}
        numbers |= {value: ~k for k, value in enumerate(read) if value is not None}
        self.plan.places = tuple((place, numbers[value]) for place, value in self.sums.items())
        at = {value: place for place, value in self.sums.items()}
        self.plan.forms = tuple(self._shown(value, array_of(self._seen(at[value])), count[value] > 1) for value in made)

    def _shown(self, value: Value, seen: Array, shared: bool) -> Shown:
        """Makes `value` a result, to look like what the engine has."""
        shape = value.shape
        repeated = [axis for axis, step in enumerate(seen.strides) if step == 0 and seen.shape[axis] > 1]
        if repeated:
            sizes = tuple(1 if axis in repeated else size for axis, size in enumerate(value.shape))
            none = (0,) * len(sizes)
            value = self.f.slice(value, starts=none, sizes=sizes, steps=(1,) * len(sizes))
            seen = seen[tuple(slice(0, size) for size in sizes)]
        self.outputs.append(value)
        self.strides.append(tuple(step // seen.itemsize for step in wanted_strides(seen)))
        return Shown(shape if repeated else None, shared)

    def _saved(self, at: int, form: NodeForm, g: Value) -> dict[str, Any]:
        """The values that the rules of a node read: new inputs of the graph, and numbers."""
        node = form.op_node(self.order[at])
        if node is None:
            return {}
        finder = None if node is self.order[at] else form
        saved: dict[str, Any] = dict(node.saved)
        names = [name for name, each in saved.items() if type(each) is SavedTensor]
        if names:
            if finder is not None:
                self.plan.finders.append((len(self.plan.live), finder))
            self.plan.live.append(at)
            self.plan.names.append(names)
            saved.update(zip(names, map(self._input, unpacked([node], [names])), strict=True))
        for name in saved:
            if (at, name) in self.structure.free:
                self.plan.numbers.append((at, finder, name))
                number = self.f.builder.input(TensorType((), float64), f"{name}_{at}")
                self.numbers.append(number)
                saved[name] = self.f.cast(number, dtype=g.type.dtype)
        return saved

    def _input(self, array: Array) -> Value:
        """A new input of the graph. Errors: UntakenError for an array that no plan takes."""
        dtype = DTYPES.get(array.dtype)
        if dtype is None or not array.flags.aligned or any(step % array.itemsize for step in array.strides):
            raise UntakenError(f"an array of {array.dtype} with strides {array.strides}")
        self.arrays.append(array)
        return self.f.builder.input(TensorType(array.shape, dtype), f"saved_{len(self.arrays)}")

    def compiled(self) -> Plan:
        """The plan. Errors: GraphError, KernelError."""
        if not self.outputs:
            return self.plan
        inputs = self.f.builder.inputs
        inputs[:] = [node for node in inputs if node not in self.numbers] + self.numbers
        graph = run_passes(self.f.builder.finish(self.outputs))
        layouts = [
            InputLayout("array", node.type, tuple(step // array.itemsize for step in array.strides))
            for node, array in zip(graph.inputs, self.arrays, strict=False)
        ]
        layouts += [InputLayout("float", node.type) for node in self.numbers]
        outputs = tuple(OutputLayout("fresh", k, strides) for k, strides in enumerate(self.strides))
        self.plan.run = NUMBA.compile(graph, CallLayout(tuple(layouts), outputs, ignores_errstate=True)).build()
        return self.plan

    def _strides_of_leaf(self, leaf: int, seen: Array, shared: bool) -> tuple[int, ...]:
        """The layout in memory of the gradient of a leaf: that of the one that the engine takes over or makes.

        shared: the engine has it at other places too, so it makes a copy.
        """
        array = self.order[leaf].variable._array  # type: ignore[attr-defined]
        if array.shape != seen.shape:
            return contiguous_strides(seen.shape)  # the accumulator refuses it
        if shared or seen.dtype != array.dtype or not obeys_layout(array, seen):
            seen = laid_out_as(array, seen)
        return tuple(step // seen.itemsize for step in seen.strides)


def compile_piece(
    structure: Structure, segment: NodeSegment, order: Sequence[Node], given: Sequence[Array | None]
) -> None:
    """Adds to the plans of `segment` one that takes what `given` and the nodes have, or the reason why none is made.

    given: for each place that the segment reads, what has arrived there.
    Errors: those of `SavedTensor.unpack`.
    """
    present = tuple([each is not None for each in given])
    known = segment.plans.get(present, ())
    if len(known) >= config.recompile_limit:
        made = Plan(refused="more layouts of saved tensors than config.recompile_limit")
    else:
        writing = Writing(structure, segment, order)
        try:
            writing.write(given)
            made = writing.compiled()
        except UntakenError:
            return
        except (CannotEmitError, GuardliftError):
            made = Plan(refused="an operation whose derivative is not compiled")
    segment.plans[present] = (*known, made)
