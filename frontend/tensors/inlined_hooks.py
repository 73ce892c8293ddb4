"""Saved-tensor hooks that become a part of the graph: the pair around the call, and contexts inside of it."""

# Note [Inlined hooks]
# What an operation under a pair of inlineable hooks saves is noted with the pair's number (`Tape.reads`). Where the
# walk back stays inside the trace, a derivative rule gets unpack(pack(value)), traced where it reads, as eager's node
# would give it. Where backward comes from outside, the partition decides first what is kept; of that, what
# `config.saved_tensors_hooks_filtering_mode` selects is packed. Unpack is traced with the very values that pack gave,
# of whatever containers and objects they consist; what its nodes read of the forward trace is what is saved.

from __future__ import annotations

import types
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...autograd.hook_contexts import saved_tensors_hooks
from ...autograd.hook_pairs import HookChain
from ...autograd.inlineable import inlineable, is_inlineable
from ...autograd.modes import MODES
from ...core.config import config
from ...core.sizes import Size
from ...graph.aot.emitter import GraphEmitter
from ...graph.aot.pair import Pack, Packing
from ...graph.aot.vjp import Read
from ...graph.node import Node
from ...guards.guard import Is
from ...guards.sources import Attribute, Item, Named, Pinned, Source
from ...ops.movement import EXPAND
from ...ops.saved import SAVED
from ...tensor.parameter import Parameter
from ..breaks import RAISES, TENSOR_FEATURE
from ..callables import traces
from ..trace import LIFTED
from ..values.base import Shared, Value
from ..values.constant import FALSE, NONE, Constant
from ..values.dicts import DictValue
from ..values.functions import Function, function_over
from ..values.sequences import Sequence
from ..values.size_number import SizeNumber
from ..values.tensor import TensorValue, fresh
from .hook_records import PackedValue, opaque_calls
from .modes import TapeContext
from .save_context import SaveInfoValue, TracedPlace, is_told, place_inside, places_outside

if TYPE_CHECKING:
    from ..trace import Trace

_STATE = Pinned(MODES, "the saved-tensor hooks")
HOOKS = Attribute(_STATE, "hooks")
INLINED = Named(Attribute(_STATE, "inlined"), "the key of the saved-tensor hooks")
DISABLED = Named(Attribute(_STATE, "hooks_disabled"), "why saved-tensor hooks are disabled")


@dataclass(frozen=True)
class HookPair:
    """A pair of hooks that are traced. told: pack takes ``(tensor, info)``."""

    pack: Value
    unpack: Value
    told: bool = False


def rely_on_pair(trace: Trace) -> bool:
    """Guards which pair around the call is inlined, if any, and says whether there is one."""
    trace.guard(Is, INLINED, expected=MODES.inlined)
    trace.tape.around = MODES.inlined is not None
    return trace.tape.around


def hooks_are_inlined(trace: Trace) -> bool:
    """Whether the hooks around the call, if there are any, are part of the trace."""
    if rely_on_pair(trace):
        return True
    trace.guard(Is, HOOKS, expected=MODES.hooks)
    return MODES.hooks is None


def pair_of(trace: Trace, number: int) -> HookPair:
    """The pair of hooks of this number; number 0 is the pair around the call."""
    pairs = trace.tape.pairs
    if number not in pairs:
        pack = _outer(trace, "pack", 0)
        pairs[number] = HookPair(pack, _outer(trace, "unpack", 1), is_told(trace, pack))
    return pairs[number]


def _outer(trace: Trace, name: str, place: int) -> Function:
    """A hook around the call: the function in force at each call, whose code is known by the key of the pair."""
    rely_on_pair(trace)
    found: Source
    if isinstance(MODES.hooks, HookChain):
        real, found = getattr(MODES.hooks.links[0], name), Attribute(Item(Attribute(HOOKS, "links"), 0), name)
    else:
        assert type(MODES.hooks) is tuple
        real, found = MODES.hooks[place], Item(HOOKS, place)
    assert isinstance(real, types.FunctionType)
    source = Named(found, real.__name__)
    return function_over(trace, real, source)


# -- what a derivative rule reads -------------------------------------------------------------------------------------
def marked(trace: Trace) -> Read | None:
    """What rules of a backward from outside read: values with the mark of their pair. None where there are no hooks."""
    reads = trace.tape.reads
    if not reads:
        return None

    def read(f: GraphEmitter, node: Node, name: str, value: Node) -> Node:
        number, named = reads.get(node, (0, {}))
        if name not in named:
            return value
        return _spread(f, f.apply(SAVED, named[name][0], pair=number), value)

    return read


def unpacked(trace: Trace) -> Read | None:
    """What rules of a backward in the trace read: what unpack makes of what pack made of each value."""
    reads = trace.tape.reads
    if not reads:
        return None
    known: dict[tuple[Node, int, TracedPlace | None], Node] = {}

    def read(f: GraphEmitter, node: Node, name: str, value: Node) -> Node:
        number, named = reads.get(node, (0, {}))
        if name not in named:
            return value
        saved, tensor = named[name]
        place = place_inside(node, name)
        key = saved, number, place if pair_of(trace, number).told else None
        if key not in known:
            known[key] = packing_of(trace, number, saved, place, tensor).value
        return _spread(f, known[key], value)

    return read


def _spread(f: GraphEmitter, saved: Node, value: Node) -> Node:
    """`saved` in the shape to which the operation broadcast it."""
    made: Node = saved if saved.shape == value.shape else f.apply(EXPAND, saved, shape=value.shape)
    return made


# -- what is packed where backward comes from outside ------------------------------------------------------------------
def static_inputs(trace: Trace) -> set[Node]:
    """The inputs whose memory is there anyway: what is part of the plan, and parameters."""
    found = {each.node for each in trace.inputs if each.kind == LIFTED}
    for storage in trace.storages:
        if storage.input is not None and any(isinstance(root.real, Parameter) for root in storage.roots):
            found.add(storage.input.node)
    return found


def packer(trace: Trace, results: Container[Node]) -> Pack:
    """What the hooks make of a kept value, where the filter selects it; `results` leave the call as well."""
    mode = config.saved_tensors_hooks_filtering_mode
    static = static_inputs(trace)
    tensors = {each.node for each in trace.inputs if each.kind in ("array", LIFTED)}
    place = places_outside(trace, results)

    def pack(node: Node, number: int) -> Packing | None:
        if node.is_input and node not in tensors:
            return None  # a number
        if mode == "no_static" and node in static:
            return None
        if mode == "donated" and (node.is_input or node in results):
            return None
        return packing_of(trace, number, node, place(node), _outside_tensor(trace, node))

    return pack


def _outside_tensor(trace: Trace, node: Node) -> TensorValue | None:
    """The tensor from outside that has this value, if any."""
    for each in trace.tensors.values():
        if each.source is not None and not each.array.path and each.array.storage.node is node:
            return each
    return None


# -- tracing the hooks ------------------------------------------------------------------------------------------------
def packing_of(trace: Trace, number: int, node: Node, place: TracedPlace, tensor: TensorValue | None = None) -> Packing:
    """What the pair of hooks makes of a saved value; the nodes stand in the trace, and pack's among `tape.packs`.

    place: for whom it is kept.   tensor: the one that was saved, where it came from outside.
    Errors: a break where a hook does more than compute, or unpack gives no tensor of the value's shape and dtype.
    """
    pair = pair_of(trace, number)
    before = _state(trace)
    with _in_hook(trace):
        start = len(trace.builder.nodes)
        given = tensor if tensor is not None and tensor.source is not None else fresh(trace, node)
        # A tensor from outside may have been saved under a mark; what hooks read is the tensor's own value.
        shown = given.array.storage.node if given is tensor and not given.array.path else node
        told = [SaveInfoValue(place, node.type, tensor)] if pair.told else []
        with opaque_calls(trace) as by_pack:
            packed = pair.pack.call(trace, [given, *told], {})
        parts = tuple(_parts(packed))
        middle = len(trace.builder.nodes)
        with opaque_calls(trace) as by_unpack:
            result = pair.unpack.call(trace, [packed], {})
        if not isinstance(result, TensorValue):
            raise RAISES.stop(error="TypeError: Output of saved tensor unpack_hook expected to be a Tensor")
        value = result.read()
    if value.type != node.type:
        raise TENSOR_FEATURE.stop(feature=f"an unpack hook that gives {value.type} for a saved {node.type}")
    if _state(trace) != before:
        raise TENSOR_FEATURE.stop(feature="an inlineable saved-tensor hook that changes something outside of it")
    trace.tape.packs.update(trace.builder.nodes[start:middle])
    nodes = trace.builder.nodes
    packing = Packing(tuple(nodes[middle:]), value, tuple(nodes[start:middle]), parts)
    trace.tape.packed.append(PackedValue(number, shown, packing, tuple(by_pack), tuple(by_unpack)))
    return packing


@contextmanager
def _in_hook(trace: Trace) -> Iterator[None]:
    """A context in which a hook may be traced: it runs without recording, and counts for itself."""
    limit, pair = trace.limit, trace.tape.pair
    trace.limit = trace.instructions + config.trace_limit
    trace.tape.pair = None
    try:
        with trace.no_grad():
            yield
    finally:
        trace.limit, trace.tape.pair = limit, pair


def _state(trace: Trace) -> tuple[Any, ...]:
    """What changes when a hook does more than compute."""
    written = sum(each.version for each in trace.storages if each.input is not None)
    return Shared.changes_outside(), tuple(map(id, trace.effects.values())), written, trace.draws.token is not None


def _parts(value: Value) -> Iterator[Node | Size | None]:
    """What a hook gave, taken apart. A view is read, so that it is what is kept, and not what it is a view of."""
    if isinstance(value, (Sequence, DictValue)):
        for each in value.items.values() if isinstance(value, DictValue) else value.items:
            yield from _parts(each)
    elif isinstance(value, TensorValue):
        yield value.read()
    else:
        yield value.size if isinstance(value, SizeNumber) else None


# -- contexts inside the call -----------------------------------------------------------------------------------------
class HooksContext(TapeContext):
    """A `saved_tensors_hooks` of two inlineable functions."""

    __slots__ = ("pair",)

    def __init__(self, pair: HookPair) -> None:
        super().__init__(saved_tensors_hooks, "pair")
        self.pair = pair

    def setting(self, trace: Trace) -> int:
        trace.guard(Is, DISABLED, expected=MODES.hooks_disabled)
        if MODES.hooks_disabled is not None:
            raise RAISES.stop(error=f"RuntimeError: {MODES.hooks_disabled}")
        number = len(trace.tape.pairs) + 1  # 0 is the pair around the call, known or not yet
        trace.tape.pairs[number] = self.pair
        return number


@traces(saved_tensors_hooks)
def trace_saved_tensors_hooks(
    trace: Trace, pack_hook: Value, unpack_hook: Value, *, compose: Value = FALSE, check: Value = NONE
) -> Value:
    """`saved_tensors_hooks(pack, unpack)` of two functions that are marked as inlineable."""
    if compose.truth(trace) or not (isinstance(check, Constant) and check.constant(trace) is None):
        raise TENSOR_FEATURE.stop(feature="saved_tensors_hooks that are composed or checked, inside a jitted function")
    for each in (pack_hook, unpack_hook):
        if not isinstance(each, Function) or not (each in trace.tape.marked or is_inlineable(each.real)):
            raise TENSOR_FEATURE.stop(
                feature="saved_tensors_hooks inside a jitted function, with hooks that are not marked by "
                "autograd.graph.inlineable"
            )
    return HooksContext(HookPair(pack_hook, unpack_hook, is_told(trace, pack_hook)))


@traces(inlineable)
def trace_inlineable(trace: Trace, function: Value) -> Value:
    """`inlineable(function)`."""
    if not isinstance(function, Function):
        raise RAISES.stop(error="TypeError: inlineable() takes a function made by def or lambda")
    trace.tape.marked.append(function)
    if function.real is not None and not is_inlineable(function.real):
        raise TENSOR_FEATURE.stop(feature="marking a function from outside as inlineable")
    return function
