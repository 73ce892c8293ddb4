"""Saved-tensor hooks that become a part of the graph: the pair around the call, and contexts inside of it."""

# Note [Inlined hooks]
# What an operation under a pair of inlineable hooks saves is noted with the pair's number (`Tape.reads`). Where the
# backward pass stays inside the trace, a derivative rule gets unpack(pack(value)), traced where it reads, as eager's
# node would give it. Where backward comes from outside, the partition decides first what is kept; of that, what
# `config.saved_tensors_hooks_filtering_mode` selects is packed. Unpack is traced with the very values that pack gave,
# of whatever containers and objects they consist; what its nodes read of the forward trace is what is saved.

from __future__ import annotations

import types
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any

from ....autograd.allow_mutation import allow_mutation_on_saved_tensors
from ....autograd.anomaly import detect_anomaly
from ....autograd.hook_contexts import disable_saved_tensors_hooks, saved_tensors_hooks
from ....autograd.hook_pairs import HookChain
from ....autograd.inlineable import inlineable, is_inlineable
from ....autograd.modes import MODES
from ....autograd.save_on_cpu import save_on_cpu
from ....core.config import config
from ....graph.aot.double_backward import Taped, spread
from ....graph.aot.emitter import GraphEmitter
from ....graph.aot.packing import Pack, Packing
from ....graph.aot.vjp import Read
from ....graph.node import Node
from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Item, Named, Source
from ....tensor.parameter import Parameter
from ...breaks import (
    BACKWARD_OUTSIDE,
    HOOKS_NOT_INLINED,
    MANAGER,
    RAISES,
    RUN_AGAIN,
    TENSOR_FEATURE,
    GraphBreak,
)
from ...tracing.inputs import LIFTED
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import FALSE, NONE, Constant
from ...values.functions.functions import FunctionValue, function_over
from ...values.tensors.tensor import TensorValue
from ..surface.grad_modes import TapeContext
from .pack_unpack import (
    HookPair,
    PackedNow,
    SavedBy,
    TracedPlace,
    pack_value,
    packed_before,
    place_inside,
    places_outside,
    unpack_value,
)
from .purity import is_closed

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_STATE = ConstantSource(MODES, "the saved-tensor hooks")
HOOKS = Named(Attribute(_STATE, "hooks"), "the hooks on saved tensors")
INLINED = Named(Attribute(_STATE, "inlined"), "the hooks on saved tensors")
DISABLED = Named(Attribute(_STATE, "hooks_disabled"), "why saved-tensor hooks are disabled")


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


def saved_by(trace: Trace, number: int) -> SavedBy:
    """The way of this number to keep what is saved; number 0 is the pair of hooks around the call."""
    pairs = trace.tape.pairs
    if number not in pairs:
        pack = _outer(trace, "pack", 0)
        pairs[number] = HookPair.of(trace, pack, _outer(trace, "unpack", 1))
    return pairs[number]


def pair_of(trace: Trace, number: int) -> HookPair:
    """The pair of hooks of this number. Errors: a restart where it is none."""
    found = saved_by(trace, number)
    found.refuse_packing(trace, RUN_AGAIN.stop(name="autograd.checkpoint of a custom autograd.Function"))
    assert isinstance(found, HookPair)
    return found


def _outer(trace: Trace, name: str, place: int) -> FunctionValue:
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
def marks(trace: Trace) -> dict[Node, tuple[int, dict[str, Node]]]:
    """The values that operations have saved under inlined hooks, for a backward from outside: see `Taped.marks`."""
    reads = trace.tape.reads
    return {
        node: (number, {name: value for name, (value, _) in named.items()}) for node, (number, named) in reads.items()
    }


def marked(trace: Trace, taped: Taped) -> Read | None:
    """The reader for rules of a backward from outside: it gives values their pair's mark. None without hooks.

    Its errors: a restart where a checkpoint would have to run again then.
    """
    if not taped.marks:
        return None

    def read(f: GraphEmitter, node: Node, name: str, value: Node) -> Node:
        number, named = taped.marks.get(node, (0, {}))
        if name in named:
            saved_by(trace, number).refuse_packing(trace, BACKWARD_OUTSIDE.stop())
        return taped.read(f, node, name, value)

    return read


def unpacked(trace: Trace, *, each_time: bool = False) -> Read | None:
    """The reader for rules of a backward in the trace: it gives what unpack makes of what pack made of each value.

    each_time: unpack is followed for each read, since code of the user's runs in between.
    """
    reads = trace.tape.reads
    if not reads:
        return None
    packs: dict[tuple[Node, int, TracedPlace | None], PackedNow] = {}
    values: dict[PackedNow, Node] = {}
    readers: dict[int, Callable[[Node, str], Node] | None] = {}

    def read(f: GraphEmitter, node: Node, name: str, value: Node) -> Node:
        number, named = reads.get(node, (0, {}))
        if name not in named:
            return value
        if number not in readers:
            readers[number] = saved_by(trace, number).reader(trace)
        recomputed = readers[number]
        if recomputed is not None:
            return spread(f, recomputed(node, name), value)
        saved, tensor = named[name]
        pair, place = pair_of(trace, number), place_inside(node, name)
        packed = trace.tape.early.get((node, name))
        if packed is None:
            key = saved, number, place if pair.told else None
            if key not in packs:
                packs[key] = pack_value(trace, number, pair, saved, place, tensor)
            packed = packs[key]
        if packed not in values or each_time:
            values[packed] = unpack_value(trace, packed)[0].value
        return spread(f, values[packed], value)

    return read


# -- what is packed where backward comes from outside ------------------------------------------------------------------
def static_inputs(trace: Trace) -> set[Node]:
    """The inputs whose memory is there anyway: what is part of the plan, and parameters."""
    found = {each.node for each in trace.inputs.entries if each.kind == LIFTED}
    for storage in trace.inputs.storages:
        if storage.input is not None and any(isinstance(root.real, Parameter) for root in storage.roots):
            found.add(storage.input.node)
    return found


def packer(trace: Trace, results: Container[Node], *, as_saved: bool = False) -> Pack:
    """A function that packs a kept value by the hooks, if the filter selects it; `results` leave the call as well.

    as_saved: what is kept is what operations have saved, and all of it is packed, as in eager mode. Its errors: a break
    where eager mode would tell hooks more, or what they read may be something else by the time they run.
    """
    mode = config.saved_tensors_hooks_filtering_mode
    static = static_inputs(trace)
    tensors = {each.node for each in trace.inputs.entries if each.kind in ("array", LIFTED)}
    place = places_outside(trace, results)
    saved = _saved_tensors(trace) if as_saved else {}

    def pack(node: Node, number: int) -> Packing | None:
        if node.is_input and node not in tensors:
            return None  # a number
        if as_saved:
            return _packed_as_saved(trace, node, number, saved[node, number])
        if mode == "no_static" and node in static:
            return None
        if mode == "donated" and (node.is_input or node in results):
            return None
        pair = pair_of(trace, number)
        packed = packed_before(trace, pair, node, number)
        if packed is None:
            packed = pack_value(trace, number, pair, node, place(node), _outside_tensor(trace, node))
        return unpack_value(trace, packed)[0]

    return pack


def _saved_tensors(trace: Trace) -> dict[tuple[Node, int], list[TensorValue | None]]:
    """The tensors that operations have saved under inlined hooks, by the value and the number of the pair."""
    found: dict[tuple[Node, int], list[TensorValue | None]] = {}
    for number, named in trace.tape.reads.values():
        for value, tensor in named.values():
            found.setdefault((value, number), []).append(tensor)
    return found


def _packed_as_saved(trace: Trace, node: Node, number: int, tensors: list[TensorValue | None]) -> Packing:
    """The packing of a value that operations have saved as `tensors`. Errors: see `packer`."""
    pair = pair_of(trace, number)
    outside = {None if each is None or each.source is None else each for each in tensors}
    if pair.told or not is_closed(pair.unpack) or len(outside) > 1:
        stop = TENSOR_FEATURE.stop(feature="saved-tensor hooks of which it matters when they run, before a graph break")
        stop.in_backward = True
        raise stop
    try:
        packed = packed_before(trace, pair, node, number)
        if packed is None:
            packed = pack_value(trace, number, pair, node, None, outside.pop())
        return unpack_value(trace, packed)[0]
    except GraphBreak as stop:
        stop.in_backward = True
        raise


def _outside_tensor(trace: Trace, node: Node) -> TensorValue | None:
    """The tensor from outside that has this value, if any."""
    for each in trace.inputs.tensors.values():
        if each.source is not None and not each.array.path and each.array.storage.node is node:
            return each
    return None


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
        return trace.tape.new_pair(self.pair)


@traces(saved_tensors_hooks)
def trace_saved_tensors_hooks(
    trace: Trace, pack_hook: Value, unpack_hook: Value, *, compose: Value = FALSE, check: Value = NONE
) -> Value:
    """`saved_tensors_hooks(pack, unpack)` of two functions that are marked as inlineable."""
    if compose.truth(trace) or not (isinstance(check, Constant) and check.constant(trace) is None):
        raise TENSOR_FEATURE.stop(feature="saved_tensors_hooks that are composed or checked, inside a jitted function")
    for each in (pack_hook, unpack_hook):
        if not isinstance(each, FunctionValue) or not (each in trace.tape.marked or is_inlineable(each.real)):
            raise HOOKS_NOT_INLINED.stop(what="saved_tensors_hooks inside a jitted function, with hooks")
    return HooksContext(HookPair.of(trace, pack_hook, unpack_hook))


def _python_enters(context: Any) -> None:
    """Has a call of a context of autograd's be a break."""

    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        raise MANAGER.stop(manager=context.__name__)

    traces(context)(rule)


for _context in (save_on_cpu, disable_saved_tensors_hooks, allow_mutation_on_saved_tensors, detect_anomaly):
    _python_enters(_context)


@traces(inlineable)
def trace_inlineable(trace: Trace, function: Value) -> Value:
    """`inlineable(function)`."""
    if not isinstance(function, FunctionValue):
        raise RAISES.stop(error="TypeError: inlineable() takes a function made by def or lambda")
    trace.tape.marked.append(function)
    if function.real is not None and not is_inlineable(function.real):
        raise TENSOR_FEATURE.stop(feature="marking a function from outside as inlineable")
    return function
