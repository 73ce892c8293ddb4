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
# are one.

# Note [Draws of Python's module]
# Each draw of `random.random` is an input of the plan, a float that the call draws before the plan runs, in the order
# of the program: nothing that a plan does draws from there, and what does (Python, at a graph break) runs between
# plans. Where the plan has no result, the state is put back, and Python draws the same.

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...backend.cpu.call_out_operands import GENERATORS
from ...core.asynchronous import is_asynchronous

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
PYTHON_DRAW = "draw of Python's"
"""The kind of an input for which the call passes `random.random`, and the plan takes a float drawn by it."""
KINDS = frozenset({GENERATOR, SEED, TENSOR_SEED, TENSOR_OFFSET, PYTHON_DRAW})


@dataclass(frozen=True)
class DrawnBlocks:
    """The kind of an argument that is an offset: `count` blocks are read from there on. It may be symbolic."""

    count: Any


Kind = str | DrawnBlocks


def argument_kinds(inputs: Iterable[Input]) -> tuple[Kind, ...]:
    """The kinds of what a call passes to a plan, which `drawing` takes."""
    passed = (each for each in inputs if each.argument is not None)
    return tuple(DrawnBlocks(each.blocks) if each.kind == TENSOR_OFFSET else each.kind for each in passed)


@dataclass(eq=False)
class Draws:
    """The facts that a trace knows of its draws.

    token: the memory that stands for the state of all generators of NumPy's.
    last:  the seed and the offset, as inputs, of the draws of tensors that were made last.
    """

    token: Storage | None = None
    last: tuple[Input, Input] | None = field(default=None, repr=False)


def drawing(run: Callable[..., Any], kinds: Sequence[Kind]) -> Callable[..., Any]:
    """A function that runs a plan whose arguments are of these kinds. See Note [Drawing], Note [Draws of tensors]."""
    reads = tuple((place, kind.count) for place, kind in enumerate(kinds) if isinstance(kind, DrawnBlocks))
    run = _Taking(_drawing(run, kinds), reads) if reads else _drawing(run, kinds)
    by_python = tuple(place for place, kind in enumerate(kinds) if kind == PYTHON_DRAW)
    return _DrawingByPython(run, by_python) if by_python else run


class _DrawingByPython:
    """A plan that takes numbers of Python's module `random`: drawn before it runs, put back if it has no result."""

    def __init__(self, run: Callable[..., Any], places: tuple[int, ...]) -> None:
        self.plan, self._places = run, places

    def __call__(self, *arguments: Any) -> Any:
        import random

        passed = list(arguments)
        state = random.getstate()
        result = ...
        try:
            for place in self._places:
                passed[place] = arguments[place]()
            result = self.plan(*passed)
        finally:
            if result is ... or result is NotImplemented:
                random.setstate(state)
        return result


class _Taking:
    """A plan that draws tensors: the blocks it reads are taken before it runs, and given back if it has no result."""

    def __init__(self, run: Callable[..., Any], reads: tuple[tuple[int, int], ...]) -> None:
        self.plan, self._reads = run, reads

    def __call__(self, *arguments: Any) -> Any:
        passed, taken = list(arguments), []
        result = ...
        try:
            for place, count in self._reads:
                generator = arguments[place]
                seed, start = generator.take(count)
                taken.append((generator, seed, start, count))
                passed[place - 1], passed[place] = seed - (seed >> 63 << 64), start
            result = self.plan(*passed)
        finally:
            if result is ... or result is NotImplemented:
                for generator, *read in reversed(taken):
                    generator.give_back(*read)
        return result


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
            passed[place] = _address(made[-1].bit_generator)
            running[passed[place]] = made[-1]
        owners = []
        for place in self._given:
            owners.append(arguments[place].bit_generator)
            passed[place] = _address(owners[-1])
            running[passed[place]] = arguments[place]
        with ExitStack() as locks:
            for owner in owners:
                if type(owner.lock) is _RLOCK:
                    locks.enter_context(owner.lock)
            states = [owner.state for owner in owners]
            result = ...
            GENERATORS.update(running)
            try:
                result = self.plan(*passed)
            finally:
                for address in running:
                    GENERATORS.pop(address, None)
                if result is ...:
                    for owner, state in zip(owners, states, strict=True):
                        owner.state = state
        return result


def _default_rng() -> Callable[[Any], Any]:
    import numpy as np

    return np.random.default_rng


_RLOCK = type(threading.RLock())
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def _address(bit_generator: Any) -> int:
    """The addresses of the functions and the state of a bit generator, as NumPy's C interface has them."""
    address = _pointer(bit_generator.capsule, b"BitGenerator")
    assert isinstance(address, int)
    return address
