"""Draws of random numbers: what a trace knows of them, and the call of a plan that draws."""

# Note [Drawing]
# A plan draws by the C functions that the methods of `numpy.random.Generator` are made of, on the state of the very
# generator of the call, or calls out to the method itself, so bits and state are NumPy's. Every draw of a trace writes
# one *token*, a value of the graph that stands for all generators there are: draws are never merged, dropped or
# exchanged, whichever names the program has for a generator. A plan may have drawn when it finds that Python has to run
# the call. So the states are noted before it runs and put back then. The generators' locks are held in between, where a
# thread may lock them twice.

# Note [Draws of tensors]
# Our own generator is a seed and an offset, and a draw is a function of both (see `ops.random`). The graph has the two
# as inputs, and each draw reads at a constant distance from the offset. Before the plan runs, the call takes as many
# blocks from the generator as its draws read together, under the generator's lock: so threads never get the same ones,
# and whatever the plan computes again, it computes from the same offset. Where the plan has no result, they are given
# back, and Python draws them. Draws from one generator are counted together as long as no other one is drawn from in
# between: so two names of one generator take their blocks in the order of the program, and nobody has to know that they
# are one. A seed that is set, a state that is asked for or put back (`fork_rng` does both): the call does so before the
# plan runs too, in the order of the program among the blocks that it takes.

# Note [Draws before the plan]
# A draw whose arguments the call knows (constants, sizes, numbers from outside) is made by the call itself, before the
# plan runs: what it gives are inputs of the plan. So it costs the graph nothing, stands beside tensors, and any backend
# runs it. Draws are made in the order of the program. Draws of the plan's own come behind all of these: once a trace
# has one, it makes no more of these of NumPy's generators, two of which may be one. Python's draws between plans, at a
# graph break. Where a draw raises, or gives another form than was described, or the plan has no result, the states are
# put back, and Python draws the same.

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import field, fields
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backend.cpu.call_out_operands import GENERATORS
from ...core.asynchronous import is_asynchronous
from ...core.records import dataclass, replace
from ...graph.node import Node
from ...ops.call_outs import Form, argument, found, leaves_of
from .generator_states import lock_of, noted, word_of

if TYPE_CHECKING:
    from ..values.arrays.array import Storage
    from .inputs import Input

GENERATOR = "generator"
"""The kind of an input for which the call passes a generator, and the plan takes the address of its functions."""
SEED = "seed"
"""The kind of an input from which the call makes a generator; the plan takes the address of its functions."""
TENSOR_SEED = "seed of draws"
"""The kind of an input for which the call passes one of our generators, and the plan takes its seed."""
TENSOR_OFFSET = "offset of draws"
"""The kind of an input for which the call passes one of our generators, and the plan takes its offset.

It comes right behind the seed.
"""
DRAW = "draw of the call's"
"""The kind of an input for which the call passes a generator, and the plan takes what the call draws from it first."""
DRAWN = "result of a draw"
"""The kind of an input that is another number or array of the last draw of the call's."""
TENSOR_STATE = "state of draws"
"""The kind of an input for which the call passes one of our generators, to seed it, to set it, or for its state."""
KINDS = frozenset({GENERATOR, SEED, TENSOR_SEED, TENSOR_OFFSET, TENSOR_STATE, DRAW, DRAWN})


@dataclass(frozen=True)
class DrawnBlocks:
    """The kind of an argument that is an offset: `count` blocks are read from there on. It may be symbolic."""

    count: Any


@dataclass(frozen=True)
class CalledDraw:
    """A call of a method of a generator, which `operands` begin with: as `ops.call_outs` has it, sizes being symbolic.

    operands: the nodes of the inputs that are its numbers from outside, or their places among the call's arguments.
    """

    function: str
    arguments: tuple[Form, ...]
    keywords: tuple[tuple[str, Form], ...]
    results: Form
    operands: tuple[Any, ...]


@dataclass(frozen=True)
class StateCall:
    """The kind of an argument that is one of our generators, of which `method` is called.

    operand: what it is given: an int, or the node of an input; None for `get_state`. place: of that input.
    """

    method: str
    operand: Any = None
    place: int | None = None


@dataclass(frozen=True)
class PlanWrapper:
    """The kind of no argument: stands behind all of them, for what has to be done around a plan."""

    wrap: Callable[[Callable[..., Any]], Callable[..., Any]]


Kind = str | DrawnBlocks | CalledDraw | StateCall | PlanWrapper


def argument_kinds(inputs: Iterable[Input], wrappers: tuple[PlanWrapper, ...] = ()) -> tuple[Kind, ...]:
    """The kinds of what a call passes to a plan, and what is around it, which `drawing` takes."""
    passed = [each for each in inputs if each.argument is not None]
    places = {each.node: place for place, each in enumerate(passed)}

    def kind(each: Input) -> Kind:
        if each.kind == TENSOR_OFFSET:
            return DrawnBlocks(each.blocks)
        if isinstance(each.draw, StateCall):
            return replace(each.draw, operand=None, place=places[each.draw.operand]) if _is_node(each) else each.draw
        if each.kind == DRAW:
            assert isinstance(each.draw, CalledDraw)
            return replace(each.draw, operands=tuple(places[node] for node in each.draw.operands))
        return each.kind

    return (*map(kind, passed), *wrappers)


def _is_node(entry: Input) -> bool:
    return isinstance(entry.draw, StateCall) and isinstance(entry.draw.operand, Node)


def may_leave(inputs: Iterable[Input]) -> bool:
    """Whether the call may find, before its plan runs, that Python has to run it: a draw may raise."""
    return any(each.kind in (SEED, DRAW, TENSOR_STATE) for each in inputs)


def depends_on_sizes(kinds: Iterable[Kind]) -> bool:
    """Whether sizes may decide how much is drawn."""
    return any(isinstance(kind, (DrawnBlocks, CalledDraw)) for kind in kinds)


def with_sizes(kind: Kind, value: Callable[[Any], Any]) -> Kind:
    """A kind with whole numbers in the place of sizes; `value` gives them."""
    if isinstance(kind, (str, PlanWrapper)):
        return kind
    return replace(kind, **{each.name: value(getattr(kind, each.name)) for each in fields(kind)})


@dataclass(eq=False)
class Draws:
    """The facts that a trace knows of its draws.

    token: the memory that stands for the state of all generators of NumPy's.
    last:  the seed and the offset, as inputs, of the draws of tensors that were made last.
    calls: the number of draws, and of uses of a generator's state, that the call makes before the plan.
    states: of these, the number of uses of the state of a generator of random tensors.
    """

    token: Storage | None = None
    calls: int = 0
    states: int = 0
    last: tuple[Input, Input] | None = field(default=None, repr=False)


def drawing(run: Callable[..., Any], kinds: Sequence[Kind]) -> Callable[..., Any]:
    """A function that runs a plan whose arguments are of these kinds. See Note [Drawing], Note [Draws of tensors]."""
    blocks = tuple((place, kind) for place, kind in enumerate(kinds) if isinstance(kind, (DrawnBlocks, StateCall)))
    run = _Taking(_drawing(run, kinds), blocks) if blocks else _drawing(run, kinds)
    draws = tuple((place, kind) for place, kind in enumerate(kinds) if isinstance(kind, CalledDraw))
    run = _DrawingBefore(run, draws) if draws else run
    for each in kinds:
        if isinstance(each, PlanWrapper):
            run = each.wrap(run)
    return run


def _locked(generators: Iterable[Any], run: Callable[[], Any]) -> Any:
    """The result of what draws from generators, under their locks; where it is none, they are as they were."""
    with ExitStack() as locks:
        for lock in map(lock_of, generators):
            if lock is not None:
                locks.enter_context(lock)
        states = [noted(each) for each in generators]
        result = ...
        try:
            result = run()
        finally:
            if result is ... or result is NotImplemented:
                for put_back in states:
                    put_back()
    return result


class _DrawingBefore:
    """A plan that takes what the call draws before it runs. See Note [Draws before the plan]."""

    def __init__(self, run: Callable[..., Any], draws: Sequence[tuple[int, CalledDraw]]) -> None:
        self.plan = run
        self._draws = tuple((place, _called(draw), leaves_of(draw.results)) for place, draw in draws)
        self._generators = tuple({place for place, _ in draws})

    def __call__(self, *arguments: Any) -> Any:
        passed = list(arguments)
        generators = {id(arguments[place]): arguments[place] for place in self._generators}.values()
        return _locked(generators, lambda: self.plan(*passed) if self._drawn(arguments, passed) else ...)

    def _drawn(self, arguments: Sequence[Any], passed: list[Any]) -> bool:
        """Whether everything could be drawn, and stands among what is passed."""
        for place, call, leaves_in in self._draws:
            try:
                leaves = leaves_in(call(arguments[place], arguments))
            except Exception as error:
                if is_asynchronous(error):
                    raise
                return False  # Python meets the same, at the user's line
            if leaves is None:
                return False
            passed[place] = 0
            for at, leaf in enumerate(leaves, place):
                number = leaf if type(leaf) in (int, float) or type(leaf) is np.ndarray else leaf.item()
                if type(number) is int and not -(2**63) <= number < 2**63:
                    return False
                passed[at] = number
        return True


_FIXED = {"constant", "dtype", "type", "complex"}


def _called(draw: CalledDraw) -> Callable[[Any, Sequence[Any]], Any]:
    """The function that draws, of a generator and the arguments of a call."""
    function = found(draw.function)
    if all(form[0] in _FIXED for form in (*draw.arguments[1:], *(form for _, form in draw.keywords))):
        fixed = [argument(form, ()) for form in draw.arguments[1:]]
        named = {key: argument(form, ()) for key, form in draw.keywords}
        return lambda generator, arguments: function(generator, *fixed, **named)

    def drawn(generator: Any, arguments: Sequence[Any]) -> Any:
        operands = [generator, *(np.asarray(arguments[place]) for place in draw.operands)]
        given = [argument(form, operands) for form in draw.arguments]
        return function(*given, **{key: argument(form, operands) for key, form in draw.keywords})

    return drawn


class _Taking:
    """A plan that draws tensors: the blocks it reads are taken before it runs, and given back if it has no result."""

    def __init__(self, run: Callable[..., Any], calls: tuple[tuple[int, DrawnBlocks | StateCall], ...]) -> None:
        self.plan, self._calls = run, calls

    def __call__(self, *arguments: Any) -> Any:
        passed, undone = list(arguments), []
        result = ...
        try:
            for place, call in self._calls:
                generator = arguments[place]
                if isinstance(call, DrawnBlocks):
                    seed, start = generator.take(call.count)
                    undone.append(partial(generator.give_back, seed, start, call.count))
                    passed[place - 1], passed[place] = seed - (seed >> 63 << 64), start
                    continue
                undone.append(partial(generator.set_state_bytes, generator.state_bytes()))
                if not _called_on(generator, call, place, passed):
                    break
            else:
                result = self.plan(*passed)
        finally:
            if result is ... or result is NotImplemented:
                for undo in reversed(undone):
                    undo()
        return result


def _called_on(generator: Any, call: StateCall, place: int, passed: list[Any]) -> bool:
    """Whether a generator could be seeded, set back, or asked; what is passed for it is then its state, or nothing."""
    operand = call.operand if call.place is None else passed[call.place]
    if call.method == "get_state":
        passed[place] = generator.state_bytes()
        return True
    passed[place] = 0
    if call.method == "manual_seed":
        generator.manual_seed(operand)
        return True
    operand = getattr(operand, "_array", operand)  # a tensor from outside
    if type(operand) is not np.ndarray or operand.dtype != np.uint8 or operand.shape != (16,):
        return False
    generator.set_state_bytes(operand)
    return True


def _drawing(run: Callable[..., Any], kinds: Sequence[Kind]) -> Callable[..., Any]:
    given = tuple(place for place, kind in enumerate(kinds) if kind == GENERATOR)
    made = tuple(place for place, kind in enumerate(kinds) if kind == SEED)
    if not given and not made:
        return run
    return _Drawing(run, given, made)


class _Drawing:
    """A plan that draws. Its result is the plan's; if that is none, no generator has been changed."""

    def __init__(self, run: Callable[..., Any], given: tuple[int, ...], made: tuple[int, ...]) -> None:
        self.plan, self._given, self._made = run, given, made

    def __call__(self, *arguments: Any) -> Any:
        passed, made, running = list(arguments), [], {}
        for place in self._made:
            try:
                made.append(_default_rng()(passed[place]))
            except Exception as error:
                if is_asynchronous(error):
                    raise
                return ...  # Python meets the same, at the user's line
            passed[place] = word_of(made[-1])
            running[passed[place]] = made[-1]
        for place in self._given:
            passed[place] = word_of(arguments[place])
            running[passed[place]] = arguments[place]
        given = {id(arguments[place]): arguments[place] for place in self._given}.values()

        def run() -> Any:
            GENERATORS.update(running)
            try:
                return self.plan(*passed)
            finally:
                for address in running:
                    GENERATORS.pop(address, None)

        return _locked(given, run)


def _default_rng() -> Callable[[Any], Any]:
    return np.random.default_rng
