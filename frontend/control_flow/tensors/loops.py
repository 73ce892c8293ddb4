"""Loops over tensors: the choice of those that are traced once, and the way back for those that cannot be."""

# Note [Iterations that become one node]
# A loop over a range, or over a tensor's parts, whose body computes with tensors becomes a `loop` node. Its round is
# evaluated with stand-ins for what variables hold when an iteration begins, and must end with tensors of the same
# shape, dtype, strides and flags in them. Often only the first iterations differ (`total = 0.0`, an initial state that
# no gradient goes to): then they are evaluated as other code is, and the loop is of the others. A branch on the loop's
# number (`if t > 0`) divides it: the iterations of each outcome become a node, a single one other code. Whatever else
# an iteration does (a write, a change of an object, another way out) makes the loop many copies of its body, or a graph
# break, as it would be without this; the trace is then made anew.

from __future__ import annotations

from typing import TYPE_CHECKING

from ....autograd.modes import MODES
from ....core.config import config
from ....core.sizes import Size, hinted, is_whole
from ....guards.guard import Is
from ....tensor import Tensor
from ...breaks import ARRAY_BRANCH, LOOP_EXIT, LOOP_VARIABLE, GraphBreak, Unwinding
from ...bytecode.cfg import loops_of, read_in
from ...bytecode.code_flags import GENERATOR_FLAGS
from ...tensors.hooks.saved_tensor_hooks import HOOKS
from ...tracing.restarts import SplitReached, StaticSizes
from ...tracing.speculation import LoopKey, unsupported_in_region
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.iterators import Iterator
from ...values.containers.sequences import TupleValue
from ...values.lazy import LazyValue
from ...values.tensors.tensor import TensorValue
from .iteration import TensorIteration, bounds_of
from .loop_carried import IterationsDiffer, made_anew

if TYPE_CHECKING:
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace

MOST_PEELED = 2
"""The most of the first iterations that are evaluated for themselves."""
MOST_WRITTEN_OUT = 64
"""The most iterations that are written out one by one so that sizes can stay symbolic."""


def enter_loop_node(frame: Frame, head: int) -> bool:
    """Evaluates the loop whose head the frame is at as one node; False when it is to be unrolled.

    Errors: `Restart` when the trace must be made anew.
    """
    trip_count = iterations_ahead(frame, head, frame.loop_iterator)
    if not trip_count:
        return False
    trace, key = frame.trace, (frame.code.raw, head)
    peeled = trace.speculation.peeled
    try:
        TensorIteration(frame, head, trip_count).evaluate()
    except IterationsDiffer as differs:
        peeled[key] = peeled.get(key, 0) + 1
        if peeled[key] > MOST_PEELED:
            stop = LOOP_VARIABLE.stop(name=differs, what="is another kind of value in each round")
            _unroll(trace, key, stop, trip_count)
        raise made_anew(trace) from None
    except Unwinding as stop:
        _unroll(trace, key, _of_exit(stop.as_break()), trip_count)
    except SplitReached:
        _unroll(trace, key, unsupported_in_region("a split inside"), trip_count)
    return True


def may_be_loop_node(frame: Frame, head: int, length: int) -> bool:
    """Whether the loop that begins next, over a range of that length, may become one node."""
    return hinted(length) >= _fewest(length) and _may_begin(frame, head)


def _fewest(length: int) -> int:
    """The number of iterations from which a loop is one node; unrolled, one of a symbolic length would fix it."""
    return min(config.loop_from, MOST_PEELED) if isinstance(length, Size) else config.loop_from


def iterations_ahead(frame: Frame, head: int, iterator: Value | None) -> int:
    """The number of iterations ahead that may become one node, as far as the loop is not divided; 0 if none may."""
    if not isinstance(iterator, Iterator) or iterator.space is None or not _may_begin(frame, head):
        return 0
    length = iterator.space.known_length
    start, stop, step = bounds_of(iterator)
    known = all(type(each) is Constant and type(each.value) is int for each in (start, step))
    known = known and isinstance(stop, Constant)
    if not known or not is_whole(length):
        return 0
    if iterator.advanced < frame.trace.speculation.peeled.get((frame.code.raw, head), 0):
        return 0
    rest = length - iterator.advanced
    if rest < _fewest(length) - iterator.advanced:
        return 0
    if isinstance(rest, Size):
        return rest if rest > 1 else 0
    places = frame.trace.speculation.divided.get((frame.code.raw, head), ())
    piece = min([rest, *(each - iterator.advanced for each in places if each > iterator.advanced)])
    return piece if piece > 1 else 0


def _may_begin(frame: Frame, head: int) -> bool:
    trace, code = frame.trace, frame.code.raw
    if not config.tensor_loops or not trace.backend.is_native or trace.region is not None or trace.deferred is not None:
        return False
    if trace.batches.levels:  # `vmap` writes what it finds in a graph for all calls, and no loop as a node
        return False
    if (code, head) in trace.speculation.not_loop_node or trace.tape.pair is not None or trace.tape.in_custom_backward:
        return False
    inside = loops_of(code).get(head)
    if inside is None or code.co_flags & GENERATOR_FLAGS:  # generators stop in the middle
        return False
    if not any(_holds_tensor(frame.variables.get(name)) for name in read_in(code, inside)):
        return False
    return not trace.tape.enabled or has_no_hooks(trace)


def has_no_hooks(trace: Trace) -> bool:
    """Whether no saved-tensor hooks are around the call: they are told of what each iteration saves."""
    if MODES.hooks is None:
        trace.guard(Is, HOOKS, expected=None)
    return MODES.hooks is None


def _holds_tensor(value: Value | None) -> bool:
    if type(value) is TupleValue:
        return any(map(_holds_tensor, value.items))
    return isinstance(value, TensorValue) or isinstance(value, LazyValue) and isinstance(value.real, Tensor)


def _of_exit(stop: GraphBreak) -> GraphBreak:
    """The break for a branch on data that is no operation, since one arm leaves the loop or the iteration."""
    return LOOP_EXIT.stop().at(stop) if stop.kind is ARRAY_BRANCH and config.tensor_conds else stop


def _unroll(trace: Trace, key: LoopKey, stop: GraphBreak, trip_count: int) -> None:
    """Errors: `Restart`, always; `StaticSizes` where the iterations may be one node if no size is a symbol.

    So few as a model has layers are written out instead: what they keep may grow with each call.
    """
    if trace.facts.sizes.symbols and not (type(trip_count) is int and trip_count <= MOST_WRITTEN_OUT):
        raise StaticSizes(f"a loop over tensors has no form with symbolic ones: {stop.what}")
    trace.speculation.not_loop_node[key] = stop
    raise made_anew(trace) from None
