"""From the returned value to code: which outputs the plan makes, and the expression that puts the result together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from ...backend.call_layout import OutputLayout
from ...core.records import dataclass
from ...core.sizes import is_symbolic
from ...core.types import contiguous_strides
from ...graph.node import Node
from ...graph.passes.dce import may_raise
from ...guards.sources import RESULT, WeakSource
from ...ops.complex_numbers import IMAG_VIEW, REAL_VIEW
from ..breaks import TENSOR_FEATURE
from ..tracing.restarts import StaticSizes
from ..values.arrays.array import ArrayValue, Storage
from ..values.arrays.bit_views import Bits, refuse_other_bytes, shows_bits
from ..values.arrays.symbolic_fake import offset_of
from ..values.arrays.view_steps import Broadcast, PartStep, Reshaped, RetypedStep, SliceStep
from ..values.base import Value
from ..values.functions.generators import refuse_open
from .object_text import ObjectWriter
from .returned_tensors import new_tensor, numbers_in, refuse_between

if TYPE_CHECKING:
    from ...graph.aot.record import AotRecord
    from ...guards.pool import RebindableRef
    from ...runtime.sized_history import SizedHistory
    from ..values.tensors.tensor import TensorValue

PARTS = {REAL_VIEW: "real", IMAG_VIEW: "imag"}
"""The attribute of an array for each view of parts."""
HISTORY = "__guardlift_history__"
"""The variable that holds the results which have a history."""


@dataclass
class EntryWriter(ObjectWriter):
    """Collects what the plan must give and the statements that rebuild the result from it.

    `nodes` are the graph's outputs, `outputs` the plan's (a view has no node of its own).
    """

    nodes: list[Node] = field(default_factory=list)
    outputs: list[OutputLayout] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    """Statements that make tensors without a history: first, since a history may save them."""
    plain: dict[Node, tuple[str, TensorValue]] = field(default_factory=dict)
    """The tensors of `made` without view steps, by the value of their memory, and the variable that holds each."""
    code: tuple[str, ...] = ()
    """The lines of the entry code that follow the plan's call, once finished."""
    _places: dict[int, int] = field(default_factory=dict)
    _bases: dict[int, int] = field(default_factory=dict)
    _fetched: list[str] = field(default_factory=list)
    _tensors: dict[int, list[TensorValue]] = field(default_factory=dict)
    roots: list[TensorValue] = field(default_factory=list)
    """The tensors whose history is to be reached by a backward() outside of the call."""
    aot: list[AotRecord] = field(default_factory=list)
    """The records of the graphs by which such a backward runs."""
    histories: list[SizedHistory] = field(default_factory=list)
    """The histories of results with symbolic sizes."""
    counters: list[tuple[RebindableRef, int]] = field(default_factory=list)
    """The tensors known by identity that a call writes, and how often."""
    computed_with: list[TensorValue] = field(default_factory=list)
    """The views, made of another tensor again, from which something has been computed."""
    goes_on: bool = False
    """Whether a program that is compiled itself goes on with the tensors: from the frame's state, or as a caller."""
    shared: frozenset[int] = frozenset()
    """The identities of memory over which several new tensors leave the call."""
    ticker: int = -1
    """The slot of what the entry code moves on for all of them."""

    @property
    def _writer(self) -> EntryWriter:
        return self

    def finish(self, value: Value, *, is_callee: bool = False) -> None:
        """Write the statements after the plan's call, the last of them the return.

        is_callee: whether what is returned goes to a program that is compiled itself.
        """
        self.goes_on = is_callee
        expression = value.rebuild(self)
        if self.trace.effects.pending:
            expression = self.fetched(expression)
        self._finish([], f"return {expression}")

    def leave(self, state: list[str], move: str) -> None:
        """Write the statements after the plan's call: those that hold a frame's `state`, and at the end the `move`."""
        self.goes_on = True
        self._finish(state, move)

    def _finish(self, state: list[str], last: str) -> None:
        # The state is read before effects may put something else where it was found.
        effects = self.effect_statements()
        self._put_hooks()
        refuse_open(self.trace, set(self._names))
        counted = self._counted()
        self._keep_checks()
        history = self._reached_from_outside()
        # A history may keep a tensor that the call has written, as what it is after that.
        lines = [*self._mode_statements(), *self.made, *counted, *history, *self.statements, *state, *effects, last]
        whole = RESULT if self.unwrap else None
        self.code = tuple(_with_results(line, whole) for line in lines)

    # Effects.
    def fetched(self, text: str) -> str:
        """The variable that holds what an expression gives before any effect has taken place."""
        if text.isidentifier() and text.startswith("__guardlift_") and text != RESULT:
            return text
        self._fetched.append(f"__guardlift_fetched_{len(self._fetched)}__ = {text}")
        return f"__guardlift_fetched_{len(self._fetched) - 1}__"

    def effect_statements(self) -> list[str]:
        """Statements that read everything that was `fetched`, then carry out the effects. See Note [Effects].

        They come after all that rebuilds values; what has to be read before them is fetched before this is called.
        """
        done = [line for effect in self.trace.effects.pending.values() for line in effect.replay(self)]
        return [*self._fetched, *done]

    # Tensors.
    def tensor(self, tensor: TensorValue) -> str:
        """The expression for a tensor: itself if it came from outside, else a new one, once for each object."""
        if tensor.source is not None:
            return tensor.source.text(self.pool)
        if id(tensor) not in self._names:
            name = self._names[id(tensor)] = f"__guardlift_value_{len(self._names)}__"
            self._kept.append(tensor)
            text = new_tensor(self, tensor)
            if not tensor.requires_grad and not self._is_made_again(tensor):
                if not tensor.array.path:
                    self.plain[tensor.array.storage.node] = (name, tensor)
                self.made.append(f"{name} = {text}")
            else:
                self.statements.append(f"{name} = {text}")
            grad = tensor.root.grad
            if tensor.root.real is None and tensor.root.leaf and grad is not None and not tensor.array.path:
                self.statements.append(f"{name}._grad = {grad.rebuild(self)}")
        return self._names[id(tensor)]

    def _is_made_again(self, tensor: TensorValue) -> bool:
        """Whether it is made of another tensor, which may have a history that is made by then."""
        storage = tensor.array.storage
        return tensor.made_by is not None and (storage.input is not None or id(storage) in self.shared)

    def tensors_over(self, storage: Storage) -> list[TensorValue]:
        """The new tensors that have been written over this memory."""
        return self._tensors.get(id(storage), [])

    def note_tensor(self, storage: Storage, tensor: TensorValue) -> None:
        """Remember a new tensor over this memory."""
        self._tensors.setdefault(id(storage), []).append(tensor)

    def with_history(self, tensor: TensorValue) -> str:
        """The expression for a tensor that a backward() of the user may start from."""
        from ...runtime.node import freed_tensor
        from ..tensors.autograd.backward import is_freed

        if self.trace.tape.inference:
            raise TENSOR_FEATURE.stop(feature="a history that leaves the call in inference mode")
        if is_freed(self.trace, tensor):
            count = (tensor.root.counter or tensor.root).bumps
            return f"{self.pool.add(freed_tensor)}({self.memory_of(tensor)}, {count})"
        self.roots.append(tensor)
        return f"{HISTORY}[{len(self.roots) - 1}]"

    def extra_array(self, node: Node) -> str:
        """The expression for a value that the plan gives in an array of its own."""
        return _result(self._add(OutputLayout("fresh", self._node(node), contiguous_strides(node.shape))))

    def _reached_from_outside(self) -> list[str]:
        """The statements that make the results which have a history."""
        if not self.roots:
            return []
        refuse_between(self)
        from ..tensors.aot.history import reach_outside

        arrays = [self.memory_of(root) for root in self.roots]
        places = [""] * len(arrays)
        lines: list[str] = []
        for outside in reach_outside(self.trace, self, self.roots, HISTORY[:-2]):
            given = [outside.values, outside.leaves, [arrays[place] for place in outside.roots]]
            if outside.sizes:
                given.insert(0, outside.sizes)
            parts = ", ".join(f"({', '.join(each)}{',' if each else ''})" for each in given)
            lines.append(f"{outside.name} = {self.pool.add(outside.history)}({parts})")
            for k, place in enumerate(outside.roots):
                places[place] = f"{outside.name}[{k}]"
        return [*lines, f"{HISTORY} = ({', '.join(places)},)"]

    def _mode_statements(self) -> list[str]:
        trace, tape = self.trace, self.trace.tape
        lines = []
        if tape.autocast is not tape.initial_autocast:
            from ...tensor.autocast import put_autocast

            lines.append(f"{self.pool.add(put_autocast)}({self.pool.add(tape.autocast)})")
        before = trace.tape.initial_enabled, trace.tape.initial_inference, trace.tape.initial_asked
        if (tape.enabled, tape.inference, tape.asked) == before:
            return lines
        from ..tensors.surface.grad_modes import mode_statements

        return [*lines, *mode_statements(self)]

    def _put_hooks(self) -> None:
        if self.trace.tape.registered or self.trace.tape.retaining:
            from ..tensors.hooks.tensor_hooks import put_hooks

            put_hooks(self.trace, self)

    def _counted(self) -> list[str]:
        """The statements that count writes into tensors which existed before the call."""
        lines: list[str] = []
        for root in dict.fromkeys(root for storage in self.trace.inputs.storages for root in storage.roots):
            if not root.bumps or root.real is None:
                continue
            if isinstance(root.source, WeakSource):
                self.counters.append((self.trace.facts.anchor(root.real), root.bumps))
            else:
                lines.append(f"{root.source.text(self.pool)}._counter.value += {root.bumps}")
        if self.counters:
            name, self.ticker = self.pool.new(None)
            lines.append(f"{name}.count += 1")
        return lines

    def _keep_checks(self) -> None:
        """Make outputs, dropped by the caller, of values that nobody uses but whose computation may raise in Python."""
        written = [value for _, value in self.trace.inputs.writes()]
        refuse_other_bytes(self.trace, [*self.nodes, *written])
        used: set[Node] = set()
        waiting = [*self.nodes, *written]
        while waiting:
            node = waiting.pop()
            if node not in used:
                used.add(node)
                waiting.extend(node.inputs)
        if not used.isdisjoint(self.trace.batches.left):
            raise TENSOR_FEATURE.stop(feature="a tensor that has left the vmap which it belongs to")
        for node in self.trace.builder.nodes:
            if node not in used and may_raise(node):
                self._add(OutputLayout("fresh", self._node(node), contiguous_strides(node.shape)))

    @property
    def unwrap(self) -> bool:
        """Whether the plan gives its only output bare."""
        return len(self.outputs) == 1

    def memory_of(self, tensor: TensorValue) -> str:
        """The expression for the array of a tensor that the call makes; see `fresh_array`.

        A view of parts, or of pairs as complex numbers, is taken anew of what it was made of.
        Errors: `StaticSizes` where that has no form with symbolic ones.
        """
        array, made = tensor.array, tensor.made_by
        retyped = [step.op for step in array.path if isinstance(step, RetypedStep)]
        if made is None or not retyped:
            return self.fresh_array(array)
        if not is_symbolic(tuple(numbers_in(made.attrs))):
            from ...runtime.views import seen_by

            below = self.memory_of(made.of)
            recipe = made.op, made.attrs
            return below if made.op is None else f"{self.pool.add(seen_by)}({below}, *{self.pool.add(recipe)})"
        if len(retyped) > 1 or retyped[0] not in PARTS or array.storage.input is not None:
            raise StaticSizes("a view of pairs as complex numbers, or of their parts, has no form with symbolic ones")
        return self._part(array, PARTS[retyped[0]])

    def _part(self, array: ArrayValue, part: str) -> str:
        """The expression for a view of real or imaginary parts: the parts of a view of the complex numbers."""
        item = array.storage.fake.itemsize
        if any(type(step) is int and step % item for step in array.fake.strides):
            raise StaticSizes("a view of parts of numbers that lie side by side has no form with symbolic ones")
        start = offset_of(array.fake) - offset_of(array.storage.fake) - (array.fake.itemsize if part == "imag" else 0)
        strides, base = tuple(step // item for step in array.fake.strides), ("output", self._base(array.storage))
        place = self._add(OutputLayout("view", None, strides, base=base, shape=array.fake.shape, offset=start // item))
        return f"{_result(place)}.{part}"

    # Arrays.
    def fresh_array(self, array: ArrayValue) -> str:
        """The expression for an array of its own, or for a view of one that the plan makes."""
        if shows_bits(array):
            return self._seen_bits(array, self.fresh_array)
        place = self._places.get(id(array))
        if place is None:
            place = self._places[id(array)] = self._output(array)
            self._kept.append(array)
        if any(type(step) is Broadcast for step in array.path):
            from ...runtime.views import read_only

            return f"{self.pool.add(read_only)}({_result(place)})"
        return _result(place)

    def array(self, array: ArrayValue) -> str:
        """The expression for an array or a NumPy scalar."""
        storage = array.storage
        if array.path and isinstance(array.path[-1], PartStep):
            return f"{self.array(array.path[-1].below)}.{array.path[-1].name}"
        untouched = storage.input is not None and not array.path
        if array.source is not None and (untouched or array.is_numpy_scalar):
            return array.source.text(self.pool)
        last = array.path[-1] if array.path and not array.is_numpy_scalar else None
        if shows_bits(array) and not isinstance(last, Broadcast):
            return self.once(array, lambda: self._seen_bits(array, self.array))
        if isinstance(last, Broadcast) and last.text is not None:
            text = last.text
            return self.once(array, lambda: text(self))
        return self.fresh_array(array)

    def _seen_bits(self, array: ArrayValue, write: Callable[[ArrayValue], str]) -> str:
        """The expression for a view of elements as those of another dtype; `write` gives that of what it is made of."""
        last, storage = array.path[-1], array.storage
        if isinstance(last, Bits):
            return f"{write(last.below)}.view({self.pool.add(last.after.numpy)})"
        kinds = (SliceStep, Reshaped, Bits)
        if not all(isinstance(step, kinds) and getattr(step, "keeps_sizes", True) for step in array.path):
            raise array.unsupported("returning a view of elements of another size")
        path = tuple(step for step in array.path if not isinstance(step, Bits))
        plain = ArrayValue(storage, path, array.fake.view(storage.fake.dtype))
        return f"{write(plain)}.view({self.pool.add(array.fake.dtype)})"

    def _output(self, array: ArrayValue) -> int:
        storage = array.storage
        if array.is_numpy_scalar:
            return self._add(OutputLayout("scalar", self._node(array.read(self.trace))))
        if storage.input is None:
            base = self._base(storage)
            if not array.path:
                return base
            return self._view(array, ("output", base))
        return self._view(array, ("input", self.trace.inputs.entries.index(storage.input)))

    def _base(self, storage: Storage) -> int:
        place = self._bases.get(id(storage))
        if place is None:
            strides = tuple(step // storage.fake.itemsize for step in storage.fake.strides)
            place = self._bases[id(storage)] = self._add(OutputLayout("fresh", self._node(storage.node), strides))
        return place

    def _view(self, array: ArrayValue, base: tuple[str, int]) -> int:
        if any(isinstance(step, (PartStep, RetypedStep)) for step in array.path):
            raise array.unsupported("returning a view of the parts of complex numbers")
        if any(isinstance(step, Broadcast) and not step.has_address for step in array.path):
            raise array.unsupported("returning a view at a place that only the run knows")
        if any(isinstance(step, Broadcast) and step.text is not None for step in array.path):
            raise array.unsupported("returning a part of a broadcast view")  # NumPy's are read-only, or warn at writes
        fake, itemsize = array.fake, array.fake.itemsize
        offset = (offset_of(fake) - offset_of(array.storage.fake)) // itemsize
        strides = tuple(step // itemsize for step in fake.strides)
        return self._add(OutputLayout("view", None, strides, base=base, shape=fake.shape, offset=offset))

    def _node(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _add(self, layout: OutputLayout) -> int:
        self.outputs.append(layout)
        return len(self.outputs) - 1


# A result's place is written between marks until it is known whether the plan gives one output bare.
_OPEN, _CLOSE = "\x02", "\x03"


def _result(place: int) -> str:
    return f"{_OPEN}{place}{_CLOSE}"


def _with_results(line: str, whole: str | None) -> str:
    if whole is not None:
        return line.replace(_result(0), whole)
    return line.replace(_OPEN, f"{RESULT}[").replace(_CLOSE, "]")
