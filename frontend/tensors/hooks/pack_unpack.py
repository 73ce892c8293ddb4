"""Following inlined saved-tensor hooks: pack over a saved value, and unpack over what pack gave."""

# Note [When pack is followed]
# Eager mode calls pack when a value is saved, and unpack when a backward pass needs it. In between the program may
# change what pack reads: a list, a variable, a tensor. So a pack of which that cannot be excluded (see
# `purity`) is followed where the value is saved, and unpack gets what it gave. Any other is followed when it is
# known to be needed. A backward from outside keeps what the partition says, which may not be what was saved. For such
# a value an unclosed pack is followed at the end of the call, if it does by then what it did before.

from __future__ import annotations

import types
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ....autograd.save_info import SavedPlace, SaveInfo
from ....core.config import config
from ....core.devices import resolved
from ....core.records import dataclass
from ....core.sizes import Size
from ....core.types import TensorType
from ....core.user_line import UserLine
from ....graph.aot.packing import Packing
from ....graph.aot.record import names_of
from ....graph.node import Node
from ....ops.activations import ALIAS
from ....runtime.node import COMPILED
from ....tensor.parameter import Parameter
from ...breaks import RAISES, TENSOR_FEATURE, GraphBreak
from ...values.base import MutableValue, Value
from ...values.constant import Constant
from ...values.containers.dicts import DictValue
from ...values.containers.element_protocol import constant_value
from ...values.containers.sequences import Sequence as SequenceValue
from ...values.functions.functions import FunctionValue
from ...values.numbers.symbolic_int import SymInt
from ...values.objects.new_instance import NewInstance
from ...values.tensors.tensor import TensorValue, fresh
from .purity import is_closed
from .records import PackedValue, opaque_calls

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class SavedBy:
    """The way in which values are kept that operations save while it is in force."""

    def note(self, trace: Trace, node: Node, number: int, saved: Mapping[str, Any]) -> None:
        """Takes note of what an operation has just saved.

        node: that of the operation.   number: of this way.   saved: by name, the value and the tensor.
        """

    def refuse_packing(self, trace: Trace, stop: GraphBreak) -> None:
        """Errors: a restart, behind which `stop` is a break, where no object is kept that could outlast the call."""

    def reader(self, trace: Trace) -> Callable[[Node, str], Node] | None:
        """For one backward pass: what gives the value for an operation and a name; None where hooks give it."""
        return None


@dataclass(frozen=True)
class HookPair(SavedBy):
    """A pair of hooks that are traced.

    told: pack takes ``(tensor, info)``.   is_closed: it does not matter when pack is followed.
    """

    pack: Value
    unpack: Value
    told: bool
    is_closed: bool

    @classmethod
    def of(cls, trace: Trace, pack: Value, unpack: Value) -> HookPair:
        """The pair of two functions."""
        return cls(pack, unpack, is_told(trace, pack), is_closed(pack))

    def note(self, trace: Trace, node: Node, number: int, saved: Mapping[str, Any]) -> None:
        """Follows pack if it matters when that is done."""
        if self.is_closed:
            return
        for name, (value, tensor) in saved.items():
            trace.tape.early[node, name] = pack_value(trace, number, self, value, place_inside(node, name), tensor)


@dataclass(frozen=True, eq=False)
class PackedNow:
    """The result of pack for a value, and how it came about.

    number: of the pair.   node, place, tensor: see `pack_value`.   shown: the value that it was shown.
    made:   its nodes.     parts: what it gave, taken apart.        given: what it gave.
    """

    number: int
    pair: HookPair
    node: Node
    place: TracedPlace | None
    tensor: TensorValue | None
    shown: Node
    made: tuple[Node, ...]
    given: Value
    parts: tuple[Node | Size | None, ...]
    opaque: tuple[types.FunctionType, ...]

    def does_the_same(self, other: PackedNow) -> bool:
        """Whether another run of the same hook on the same value has made the same of it."""
        if len(self.made) != len(other.made):
            return False
        match: dict[Node, Node] = {}
        for one, two in zip(self.made, other.made, strict=True):
            inputs = [match.get(each, each) for each in one.inputs]
            if one.op is not two.op or one.attrs != two.attrs or inputs != list(two.inputs):
                return False
            match[one] = two
        ours, theirs = (list(_plain_parts(each.given)) for each in (self, other))
        found = [match.get(each, each) if isinstance(each, Node) else each for each in ours]
        return None not in found and found == theirs


def pack_value(
    trace: Trace, number: int, pair: HookPair, node: Node, place: TracedPlace | None, tensor: TensorValue | None = None
) -> PackedNow:
    """The result of pack for a saved value, now; its nodes stand in the trace, among `tape.packs`.

    place: for whom it is kept.   tensor: the one that was saved, where it came from outside.
    Errors: a break where the hook does more than compute.
    """
    before = outside_state(trace)
    with _in_hook(trace):
        start = len(trace.builder.nodes)
        given = tensor if tensor is not None and tensor.source is not None else fresh(trace, node)
        # A tensor from outside may have been saved under a mark; what hooks read is the tensor's own value.
        shown = given.array.storage.node if given is tensor and not given.array.path else node
        told = [SaveInfoValue(place, node.type, tensor)] if pair.told and place is not None else []
        with opaque_calls(trace) as opaque:
            packed = pair.pack.call(trace, [given, *told], {})
        parts = tuple(_parts(packed))
        made = tuple(trace.builder.nodes[start:])
    _check_state(trace, before)
    trace.tape.packs.update(made)
    return PackedNow(number, pair, node, place, tensor, shown, made, packed, parts, tuple(opaque))


def unpack_value(trace: Trace, packed: PackedNow) -> tuple[Packing, TensorValue]:
    """The packing of a packed value, by an unpack that is followed now, and the tensor that this gives.

    Errors: a break where the hook does more than compute, or gives no tensor of the value's shape and dtype.
    """
    before = outside_state(trace)
    with _in_hook(trace):
        start = len(trace.builder.nodes)
        with opaque_calls(trace) as opaque:
            result = packed.pair.unpack.call(trace, [packed.given], {})
        if not isinstance(result, TensorValue):
            raise RAISES.stop(error="TypeError: Output of saved tensor unpack_hook expected to be a Tensor")
        value = result.read()
    if value.type != packed.node.type:
        raise TENSOR_FEATURE.stop(feature=f"an unpack hook that gives {value.type} for a saved {packed.node.type}")
    _check_state(trace, before)
    packing = Packing(tuple(trace.builder.nodes[start:]), value, packed.made, packed.parts)
    trace.tape.packed.append(PackedValue(packed.number, packed.shown, packing, packed.opaque, tuple(opaque)))
    return packing, result


# -- when ----------------------------------------------------------------------------------------------------------
def packed_before(trace: Trace, pair: HookPair, node: Node, number: int) -> PackedNow | None:
    """The result that an unclosed pack gave for a value when it was saved; None if pack is to be followed now.

    Errors: a break where it has made several things of it, or may do something else by now.
    """
    if pair.is_closed:
        return None
    known = [each for each in trace.tape.early.values() if each.number == number]
    own = [each for each in known if _behind(each.node) is _behind(node)] if not pair.told else []
    if own and all(own[0].does_the_same(each) for each in own[1:]):
        return own[0]
    again = (pack_value(trace, number, pair, each.node, each.place, each.tensor) for each in known)
    if own or not all(one.does_the_same(two) for one, two in zip(known, again, strict=True)):
        raise TENSOR_FEATURE.stop(feature="an inlineable pack hook that reads what the call has changed since")
    return None


def _behind(node: Node) -> Node:
    while node.op is ALIAS:
        node = node.inputs[0]
    return node


# -- what a hook may do --------------------------------------------------------------------------------------------
@contextmanager
def _in_hook(trace: Trace) -> Iterator[None]:
    """A context in which a hook may be traced: it runs without recording, and counts for itself."""
    limit, pair = trace.progress.limit, trace.tape.pair
    trace.progress.limit = trace.progress.instructions + config.trace_limit
    trace.tape.pair = None
    try:
        with trace.no_grad():
            yield
    finally:
        trace.progress.limit, trace.tape.pair = limit, pair


def outside_state(trace: Trace) -> tuple[Any, ...]:
    """The state of the trace that changes when a hook, or a function in a checkpoint, does more than compute."""
    written = sum(each.version for each in trace.inputs.storages if each.input is not None)
    return (
        MutableValue.changes_outside(),
        tuple(map(id, trace.effects.pending.values())),
        written,
        trace.draws.token is not None,
        trace.draws.calls,
        trace.communications,
    )


def _parts(value: Value) -> Iterator[Node | Size | None]:
    """The parts of what a hook gave. A view is read, so that it is what is kept, and not what it is a view of."""
    if isinstance(value, (SequenceValue, DictValue)):
        for each in value.items.values() if isinstance(value, DictValue) else value.items:
            yield from _parts(each)
    elif isinstance(value, TensorValue):
        yield value.read()
    else:
        yield value.size if isinstance(value, SymInt) else None


def _check_state(trace: Trace, before: tuple[Any, ...]) -> None:
    if outside_state(trace) != before:
        raise TENSOR_FEATURE.stop(feature="an inlineable saved-tensor hook that changes something outside of it")


def _plain_parts(value: Value) -> Iterator[Any]:
    """The parts of what a hook gave, with what tells them from others; None for one not known well enough for that."""
    if isinstance(value, (SequenceValue, DictValue)):
        yield value.python_type, tuple(value.items) if isinstance(value, DictValue) else ()
        for each in value.items.values() if isinstance(value, DictValue) else value.items:
            yield from _plain_parts(each)
    elif isinstance(value, NewInstance) and not value.slots:
        yield value.cls
        yield from _plain_parts(value.table)
    elif isinstance(value, TensorValue):
        yield value.read()
    elif isinstance(value, Constant):
        yield type(value.value), repr(value.value)
    else:
        yield value.size if isinstance(value, SymInt) else None


__all__ = ["HookPair", "PackedNow", "SavedBy", "outside_state", "pack_value", "packed_before", "unpack_value"]


def is_told(trace: Trace, pack: Value) -> bool:
    """Whether a pack hook has to be given two arguments."""
    if not isinstance(pack, FunctionValue):
        return False
    optional = 0 if pack.defaults is None else pack.defaults.length(trace)
    return pack.code.co_argcount - optional >= 2


@dataclass(frozen=True)
class TracedPlace:
    """For whom a value is kept, and what eager mode finds out when it saves. See `SaveInfo`."""

    place: SavedPlace
    is_output: bool
    line: UserLine


class SaveInfoValue(Value):
    """A `SaveInfo`. It is there while a hook is traced, and not afterwards."""

    __slots__ = ("fields",)

    def __init__(self, traced: TracedPlace, type: TensorType, tensor: TensorValue | None) -> None:
        root = None if tensor is None else tensor.root
        self.fields: dict[str, Any] = {
            **traced.place._asdict(),
            "shape": type.shape,
            "dtype": type.dtype,
            "device": resolved(type.device),
            "is_parameter": root is not None and isinstance(root.real, Parameter),
            "is_leaf": tensor is not None and tensor.is_leaf,
            "is_output": traced.is_output,
            "user_line": traced.line,
        }

    @property
    def python_type(self) -> type:
        return SaveInfo

    def describe(self) -> str:
        return "what a pack hook is told"

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in self.fields:
            return super().attribute(trace, name)
        known = self.fields[name]
        return constant_value(known) if name == "shape" else Constant(known)


def place_inside(node: Node, argument: str) -> TracedPlace:
    """The place of what an operation keeps in eager mode, of which this is the node of the graph."""
    place = SavedPlace(f"{node.op.grad_name}Backward0", node.op.name, argument)
    return TracedPlace(place, argument == "result", _line(node))


def places_outside(trace: Trace, results: Container[Node]) -> Callable[[Node], TracedPlace]:
    """The places of what a compiled forward keeps; the argument is the name of the value in the dumps of the graphs."""
    names = names_of((*trace.builder.inputs, *trace.builder.nodes))

    def place(node: Node) -> TracedPlace:
        op = "" if node.is_input else node.op.name
        return TracedPlace(SavedPlace(COMPILED, op, names[node]), node in results, _line(node))

    return place


def _line(node: Node) -> UserLine:
    where = node.location
    return UserLine("", 0) if where is None else UserLine(where.file, where.line)
