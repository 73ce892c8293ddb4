"""Differential fuzzing of sizes: random programs, called in turn with arrays of other sizes and layouts.

GUARDLIFT_FUZZ says how many examples, as for the programs themselves.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from fuzz.programs import Program, programs
from fuzz.test_programs import CHECKS
from hypothesis import given, note, settings
from hypothesis import strategies as st
from oracle import Tolerance, check_in_turn

from guardlift.frontend.tracing import dynamic_sizes

MANY = int(os.environ.get("GUARDLIFT_FUZZ", "2000" if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else "0"))
Array = np.ndarray[Any, Any]


def resized(array: Array, sizes: dict[int, int]) -> Array:
    """An array laid out in the same way, each size replaced as `sizes` says."""
    shape = tuple(sizes.get(size, size) for size in array.shape)
    if not shape:
        return array.copy()
    flat = array.ravel() if array.size else np.ones(1, array.dtype)
    steps = [step // array.itemsize for step in array.strides]
    if array.flags.f_contiguous and not array.flags.c_contiguous:
        return np.resize(flat, shape).copy("F")
    if steps[-1] in (2, -2):
        wide = np.resize(flat, (*shape[:-1], 2 * shape[-1]))
        return wide[..., :: steps[-1]]
    if array.flags.c_contiguous:
        return np.resize(flat, shape)
    return np.resize(flat, (*shape[:-1], 2 * shape[-1]))[..., : shape[-1]]


@st.composite
def programs_and_sizes(draw: Callable[..., Any]) -> tuple[Program, list[tuple[Any, ...]]]:
    """A program, and arguments of several sizes for it; most fit each other as those do that it was written for."""
    program = draw(programs(max_lines=6))
    arguments = program.arguments
    x, y = arguments["x"], arguments["y"]
    rows = [tuple(arguments.values())]
    for _ in range(draw(st.integers(2, 4))):
        one = _replacement(draw)
        other = one if draw(st.integers(0, 4)) else _replacement(draw)
        new = resized(x, one)
        if y is x:
            second: Array = new
        elif y.base is not None and (y.base is x or y.base is x.base) and np.may_share_memory(x, y):
            second = new[...] if new.ndim == 0 else new[1:]
        else:
            second = resized(y, other)
        rest = list(arguments.values())[2:]
        if draw(st.booleans()):
            rest[0] = draw(st.sampled_from([0, 1, 2, 3, 4, 5, -1]))  # the int that programs use as a size, too
        rows.append((new, second, *rest))
    return program, [*rows, rows[0]]


@st.composite
def programs_and_strides(draw: Callable[..., Any]) -> tuple[Program, list[tuple[Any, ...]]]:
    """A program, and arguments of other strides for it: turned, with steps along axes, some of them of other sizes.

    NumPy 2.4 computes `np.negative` in place wrongly for some strides, so that is left out.
    """
    program = draw(programs(max_lines=6).filter(lambda each: "np.negative(" not in each.text))
    x, y, *rest = program.arguments.values()
    rows = [(x, y, *rest)]
    for _ in range(draw(st.integers(2, 5))):
        sizes = _replacement(draw) if draw(st.integers(0, 3)) == 0 else {}
        new = restrided(draw, resized(x, sizes))
        if y is x:
            second: Array = new
        elif y.base is not None and (y.base is x or y.base is x.base) and np.may_share_memory(x, y):
            second = new[...] if new.ndim == 0 else new[1:]
        else:
            second = restrided(draw, resized(y, sizes))
        rows.append((new, second, *rest))
    return program, [*rows, rows[0]]


def restrided(draw: Callable[..., Any], array: Array) -> Array:
    """Equal elements, laid out otherwise."""
    if not array.ndim:
        return array.copy()
    order = draw(st.permutations(range(array.ndim)))
    steps = [draw(st.sampled_from([1, 1, 2, 3, 5, -1, -2])) for _ in order]
    room = np.ones([array.shape[axis] * abs(step) + 1 for axis, step in zip(order, steps, strict=True)], array.dtype)
    view = room[tuple(slice(None, None, step) for step in steps)].transpose(np.argsort(order))
    view = view[tuple(slice(size) for size in array.shape)]
    view[...] = array
    return view


def _replacement(draw: Callable[..., Any]) -> dict[int, int]:
    return {size: draw(st.sampled_from([size, 2, 3, 4, 5, 6, 7, 1])) for size in (2, 3, 4)}


def checked(given: tuple[Program, list[tuple[Any, ...]]], *, dynamic: bool | None, backend: str) -> None:
    program, rows = given
    note(program.text)
    note([[each.shape for each in row if isinstance(each, np.ndarray)] for row in rows])
    check_in_turn(program.function(), rows, Tolerance(4, sums=True, zeros=True), backend=backend, dynamic=dynamic)


@settings(max_examples=MANY or 60, deadline=None, suppress_health_check=CHECKS)
@given(programs_and_sizes())
@pytest.mark.slow
def test_a_random_program_does_what_python_does_at_every_size(given):
    checked(given, dynamic=None, backend="reference")


@settings(max_examples=MANY or 60, deadline=None, suppress_health_check=CHECKS)
@given(programs_and_sizes())
@pytest.mark.slow
def test_the_same_with_symbolic_sizes_from_the_first_call_on(given):
    checked(given, dynamic=True, backend="reference")


@settings(max_examples=(MANY // 10) or 5, deadline=None, suppress_health_check=CHECKS)
@given(programs_and_sizes())
def test_the_same_through_kernels(given):
    checked(given, dynamic=None, backend="numba")


@settings(max_examples=MANY or 60, deadline=None, suppress_health_check=CHECKS)
@given(programs_and_strides())
@pytest.mark.slow
def test_a_random_program_does_what_python_does_at_every_stride(given):
    with free_strides():
        checked(given, dynamic=None, backend="reference")


@settings(max_examples=(MANY // 10) or 5, deadline=None, suppress_health_check=CHECKS)
@given(programs_and_strides())
def test_strides_through_kernels(given):
    with free_strides():
        checked(given, dynamic=None, backend="numba")


@contextmanager
def free_strides() -> Iterator[None]:
    """A context in which the second kind of strides that comes to a place makes them symbols there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dynamic_sizes, "MOST_STRIDES", 1)
        yield
