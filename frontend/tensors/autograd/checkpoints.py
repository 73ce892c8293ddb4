"""Checkpoints while tracing: the function is followed where it is called, and again where a backward pass reads it."""

# Note [Checkpoints in the graph]
# Eager mode keeps placeholders of what the function saves, and runs the function again when a backward pass unpacks the
# first one (see `autograd.checkpointing`). So does the trace: what operations of the function save is noted under a
# number, as under saved-tensor hooks, and a derivative rule that reads it makes the trace follow the function once
# more, at that place in the program, with whatever it does besides. The second run's arguments go through `recomputed`,
# which no pass sees through: so its operations are not merged with those of the first run, and nothing of these has to
# stay in memory. It draws the first run's random numbers from the same blocks of the generator.
# Eager mode ends the second run with the last value that it needs. Here the function is followed to its end; that is
# the same as long as nothing but computing is left to do, and a break otherwise.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ....autograd.checkpointing import checkpoint, no_contexts
from ....core.records import dataclass
from ....graph.node import Node
from ....ops.pointwise import RECOMPUTED
from ...breaks import BACKWARD_OUTSIDE, PART_CHANGE, RUN_AGAIN, SAVED_CHANGED, GraphBreak, Unwinding
from ...tracing.random_draws import TENSOR_SEED
from ...tracing.restarts import RestartFromStart
from ...tracing.rules import traces
from ...values.base import MutableValue, Value
from ...values.constant import FALSE, TRUE, Constant
from ...values.containers.dicts import DictValue
from ...values.containers.sequences import ListValue, TupleValue
from ...values.functions.functions import FunctionValue
from ...values.tensors.tensor import TensorValue, fresh
from ..hooks.pack_unpack import SavedBy, outside_state
from ..surface.autocast import rely_on_autocast
from ..surface.random import DEFAULT

if TYPE_CHECKING:
    from ....guards.sources import Source
    from ...tracing.trace import Trace
    from ...values.arrays.array import Storage

NAME = "autograd.checkpoint"
_KIND = "default"


@traces(checkpoint)
def trace_checkpoint(
    trace: Trace,
    function: Value,
    *args: Value,
    use_reentrant: Value = FALSE,
    preserve_rng_state: Value = TRUE,
    early_stop: Value = TRUE,
    determinism_check: Value = Constant(_KIND),  # noqa: B008  (a constant)
    context_fn: Value | None = None,
    **kwargs: Value,
) -> Value:
    """`checkpoint(function, *args, **kwargs)`. Errors: a break for what is not followed; see the note above."""
    plain = context_fn is None or isinstance(context_fn, FunctionValue) and context_fn.real is no_contexts
    checked = determinism_check.constant(trace) if determinism_check.is_constant() else None
    if not plain or use_reentrant.truth(trace) or checked not in (_KIND, "none"):
        raise RUN_AGAIN.stop(name=NAME)
    if not trace.grad_enabled:
        return function.call(trace, list(args), kwargs)
    if trace.tape.pair is not None or not preserve_rng_state.truth(trace):
        raise RUN_AGAIN.stop(name=f"{NAME} under saved-tensor hooks, or without preserve_rng_state")
    known = trace.speculation.not_inlined.get(checkpoint)
    if known is not None and known.kind is not BACKWARD_OUTSIDE:
        raise GraphBreak(known.kind, known.details)
    if known is not None:
        raise BACKWARD_OUTSIDE.stop() if _only_computes(trace, function, args, kwargs) else RUN_AGAIN.stop(name=NAME)
    made = _Checkpoint(trace, function, args, kwargs, whole=not early_stop.truth(trace))
    with _under(trace, made.number):
        result = function.call(trace, list(args), kwargs)
    made.end(trace)
    return result


def _only_computes(trace: Trace, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> bool:
    """Whether a call of the function changes nothing that was there before it. It is followed to find out."""
    storages = [*trace.inputs.storages]
    before = outside_state(trace), _writes(storages)
    try:
        with MutableValue.changes_only_of_new(PART_CHANGE):
            function.call(trace, list(args), kwargs)
    except GraphBreak:
        return False
    return (outside_state(trace), _writes(storages)) == before


class _Checkpoint(SavedBy):
    """A call of `checkpoint`: what its first run saved, and how to run it again.

    whole: whether the second run goes to the end of the function.
    """

    def __init__(
        self, trace: Trace, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value], *, whole: bool
    ) -> None:
        self.number = trace.tape.new_pair(self)
        self._function, self._whole = function, whole
        self._autocast = rely_on_autocast(trace)
        self._given = TupleValue(list(args)), DictValue({**kwargs})
        self._versions = {each: each.version for each in _storages(self._given)}
        self._draws = _RepeatedDraws(trace)
        self._places: dict[tuple[Node, str], int] = {}
        self._facts: list[tuple[Any, ...]] = []

    def end(self, trace: Trace) -> None:
        """Notes what the first run saved. Errors: a break for draws that the second run could not repeat."""
        self._draws.end(trace)
        saved = _saved_under(trace, self.number)
        self._places = {(node, name): place for place, (node, name, _) in enumerate(saved)}
        self._facts = [_facts(*each) for each in saved]

    def refuse_packing(self, trace: Trace, stop: GraphBreak) -> None:
        trace.speculation.not_inlined[checkpoint] = stop
        raise RestartFromStart

    def reader(self, trace: Trace) -> Callable[[Node, str], Node]:
        """For one backward pass: what gives the second run's value for one that an operation of the first has saved."""
        found: list[Node] = []

        def read(node: Node, name: str) -> Node:
            place = self._places[node, name]
            if not found:
                found.extend(self._saved_again(trace, place))
            return found[place]

        return read

    def _saved_again(self, trace: Trace, asked: int) -> list[Node]:
        """The values that the second run saves. asked: the number of the first that is asked for."""
        try:
            return self._run_again(trace, asked)
        except Unwinding as leaving:
            reason = f"{NAME} of a function in which, run again, {leaving.as_break().what}"
            trace.speculation.not_inlined[checkpoint] = RUN_AGAIN.stop(name=reason)
            raise RestartFromStart from None

    def _run_again(self, trace: Trace, asked: int) -> list[Node]:
        if {each: each.version for each in _storages(self._given)} != self._versions:
            raise SAVED_CHANGED.stop(name="an argument of checkpoint")
        run, state = _SecondRun(trace), _Histories(trace)
        before, trace.tape = trace.tape, trace.tape.of_deferred_trace()
        trace.tape.autocast = self._autocast
        try:
            with MutableValue.changes_only_of_new(PART_CHANGE), self._draws.repeated(trace):
                number = trace.tape.new_pair(run)
                args, kwargs = (_recomputed(trace, each) for each in self._given)
                assert isinstance(args, TupleValue) and isinstance(kwargs, DictValue)
                with trace.recording(), _under(trace, number):
                    self._function.call(trace, args.items, kwargs.items)
                saved = _saved_under(trace, number)
        finally:
            trace.tape = before
        if [_facts(*each) for each in saved] != self._facts:
            raise RUN_AGAIN.stop(name="it saves other values")
        state.check(trace)
        if not self._whole and run.effects[asked] != run.effects_so_far(trace):
            raise RUN_AGAIN.stop(name="something is written or drawn behind the last value that is needed")
        return [value for _, _, value in saved]


class _SecondRun(SavedBy):
    """Notes, for each value that the second run saves, what has been written and drawn until then."""

    def __init__(self, trace: Trace) -> None:
        self._storages = [*trace.inputs.storages]
        self.effects: list[tuple[int, int]] = []

    def effects_so_far(self, trace: Trace) -> tuple[int, int]:
        """The number of writes to memory that was there before this run, and of draws that the call makes."""
        return _writes(self._storages), trace.draws.calls

    def note(self, trace: Trace, node: Node, number: int, saved: Mapping[str, Any]) -> None:
        self.effects += [self.effects_so_far(trace)] * len(saved)

    def refuse_packing(self, trace: Trace, stop: GraphBreak) -> None:
        raise RUN_AGAIN.stop(name="a custom function saves values")


@dataclass
class _DrawPlace:
    """A seed, or an offset `blocks` behind its node: what draws read next."""

    source: Source
    node: Node
    blocks: Any = 0


class _RepeatedDraws:
    """The draws of the first run, and those of the second, which are the same."""

    def __init__(self, trace: Trace) -> None:
        self._before, self._seeds = trace.draws.last, _seeds(trace)
        self._start = 0 if self._before is None else self._before[1].blocks
        self._used: tuple[Any, Any] | None = None
        self._end: Any = 0

    def end(self, trace: Trace) -> None:
        """The first run is over. Errors: a break where it drew from several generators, or not from the default one."""
        last, made = trace.draws.last, _seeds(trace) - self._seeds
        if last is None or last is self._before and last[1].blocks == self._start:
            return
        if made > 1 or made and last is self._before or last[1].source is not DEFAULT:
            raise RUN_AGAIN.stop(name=f"{NAME} of a function that draws from a generator of its own")
        self._start = self._start if last is self._before else 0
        self._used, self._end = last, last[1].blocks

    @contextmanager
    def repeated(self, trace: Trace) -> Iterator[None]:
        """A context in which the same numbers are drawn once more. Errors: a break where others are."""
        before, repeated = trace.draws.last, None
        if self._used is not None:
            seed, offset = self._used
            with trace.no_grad():
                nodes = [trace.add(RECOMPUTED, each.node) for each in self._used]
            repeated = _DrawPlace(seed.source, nodes[0]), _DrawPlace(offset.source, nodes[1], self._start)
            trace.draws.last = repeated  # type: ignore[assignment]
        yield
        after = trace.draws.last
        trace.draws.last = before
        if after is not (repeated or before) or repeated is not None and repeated[1].blocks != self._end:
            raise RUN_AGAIN.stop(name="it draws other random numbers")


class _Histories:
    """The histories that a second run must leave as they are: it may write to memory that has none."""

    def __init__(self, trace: Trace) -> None:
        self._storages = {each: (each.version, _roots(each)) for each in trace.inputs.storages}
        self._token, self._registered = trace.draws.token, len(trace.tape.registered)
        self._states, self._communications = trace.draws.states, trace.communications

    def check(self, trace: Trace) -> None:
        """Errors: a break where a tensor from before has another history, or none any more."""
        for storage, (version, roots) in self._storages.items():
            now = _roots(storage)
            if (
                now[: len(roots)] != roots
                or version != storage.version
                and any(each.requires_grad for each in storage.roots)
            ):
                raise RUN_AGAIN.stop(name="a tensor with a history is written")
        if trace.draws.token is not self._token or len(trace.tape.registered) != self._registered:
            raise RUN_AGAIN.stop(name="hooks are registered, or random numbers of NumPy's are drawn")
        if trace.draws.states != self._states:
            raise RUN_AGAIN.stop(name="a generator of random tensors is seeded or set")
        if trace.communications != self._communications:
            raise RUN_AGAIN.stop(name="processes communicate")


def _roots(storage: Storage) -> list[tuple[Any, ...]]:
    return [(each, each.requires_grad, each.leaf, each.detached, id(each.grad)) for each in storage.roots]


@contextmanager
def _under(trace: Trace, number: int) -> Iterator[None]:
    before, trace.tape.pair = trace.tape.pair, number
    try:
        yield
    finally:
        trace.tape.pair = before


def _saved_under(trace: Trace, number: int) -> list[tuple[Node, str, Node]]:
    """The values that were saved under this number: for which operation, under which name."""
    own = ((node, named) for node, (under, named) in trace.tape.reads.items() if under == number)
    return [(node, name, value) for node, named in own for name, (value, _) in named.items()]


def _facts(node: Node, name: str, value: Node) -> tuple[Any, ...]:
    return node.op, name, value.type


def _seeds(trace: Trace) -> int:
    return sum(each.kind == TENSOR_SEED for each in trace.inputs.entries)


def _writes(storages: Iterable[Storage]) -> int:
    return sum(each.version for each in storages)


def _recomputed(trace: Trace, value: Value) -> Value:
    """An argument of the second run. See the note above."""
    if isinstance(value, TensorValue):
        with trace.no_grad():
            node = trace.add(RECOMPUTED, value.read())
        return fresh(trace, node, requires_grad=value.requires_grad, leaf=value.is_leaf)
    if isinstance(value, (TupleValue, ListValue)):
        return type(value)([_recomputed(trace, each) for each in value.items])
    if isinstance(value, DictValue):
        return DictValue({key: _recomputed(trace, each) for key, each in value.items.items()})
    return value


def _storages(values: Iterable[Value]) -> Iterator[Storage]:
    for each in values:
        if isinstance(each, TensorValue):
            yield each.array.storage
        elif isinstance(each, (TupleValue, ListValue, DictValue)):
            yield from _storages(each.items.values() if isinstance(each, DictValue) else each.items)
