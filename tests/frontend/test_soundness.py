"""Programs that once gave something else than plain Python does, or come close to it; each one small."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check, copied

import guardlift as gl
from guardlift.frontend import state_of

Array = np.ndarray[Any, Any]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork") or sys.platform == "darwin", reason="needs fork")


def read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


def in_rotation(function: Callable[..., Any], *rows: tuple[Any, ...]) -> None:
    """One jitted function called with every row, twice over, gives and writes what the plain one does."""
    jitted = gl.jit(function)
    with gl.config.patch(raise_internal_errors=True, recompile_limit=32):
        for row in rows + rows[::-1]:
            outcomes = []
            for each in (function, jitted):
                arguments = copied(row)
                try:
                    outcomes.append((each(*arguments), arguments))
                except (ValueError, IndexError, TypeError) as error:
                    outcomes.append((str(error), arguments))
            plain, found = outcomes
            np.testing.assert_equal(found, plain, err_msg=str(row), strict=False)


# -- stores -----------------------------------------------------------------------------------------------------------
def whole_onto_itself(x: Array) -> Array:
    x[:] = x[:]
    return x + 1


def part_onto_itself(x: Array) -> Array:
    x[1:] = x[1:]
    return x + 1


@pytest.mark.parametrize("function", [whole_onto_itself, part_onto_itself])
def test_storing_a_view_onto_itself_raises_for_a_read_only_array(function: Callable[..., Any]) -> None:
    check(function, read_only(np.arange(5.0)))


@pytest.mark.parametrize("function", [whole_onto_itself, part_onto_itself])
def test_an_entry_that_stores_a_view_onto_itself_does_not_serve_a_read_only_array(function: Callable[..., Any]) -> None:
    in_rotation(function, (np.arange(5.0),), (read_only(np.arange(5.0)),))
    check(function, np.arange(5.0), expect="compiled")


def test_a_write_into_an_array_that_overlaps_itself_is_left_to_python() -> None:
    def add(x: Array, y: Array) -> Array:
        x += 1
        return x * y

    def overlapping() -> Array:
        return np.lib.stride_tricks.as_strided(np.arange(4.0), (3, 2), (8, 8))

    jitted = gl.jit(add)
    for _ in range(3):
        plain, found, other = overlapping(), overlapping(), np.ones((3, 2))
        np.testing.assert_array_equal(jitted(found, other), add(plain, other))
        np.testing.assert_array_equal(found, plain)
    state = state_of(jitted)
    assert state is not None
    assert [event.break_code for event in state.history if event.kind == "break"] == ["B403"]


def test_looking_at_what_broadcast_arrays_gave_warns_of_nothing() -> None:
    def double(x: Array) -> Array:
        return x * 2

    jitted = gl.jit(double)
    broadcast, _ = np.broadcast_arrays(np.arange(3.0), np.ones((2, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(jitted(broadcast), double(broadcast))
        np.testing.assert_array_equal(jitted(np.ones((2, 3))), np.full((2, 3), 2.0))
        np.testing.assert_array_equal(jitted(broadcast), double(broadcast))


def test_a_write_into_what_broadcast_arrays_gave_warns_as_numpy_does() -> None:
    def increase(x: Array) -> Array:
        x += 1
        return x

    jitted = gl.jit(increase)
    jitted(np.ones(3))
    for _ in range(2):
        broadcast, _ = np.broadcast_arrays(np.arange(1.0), np.ones(3))
        with pytest.warns(DeprecationWarning, match="broadcast_arrays") as caught:
            jitted(broadcast)
        found = [each.category for each in caught if each.category is not gl.GraphBreakWarning]
        assert found == [DeprecationWarning]
        assert caught[0].filename == __file__


def test_a_bad_index_after_a_write_leaves_what_python_leaves() -> None:
    def write_and_pick(x: Array, index: Array) -> Array:
        x += 1
        picked = x[index]
        x *= 2
        return picked

    rows = [np.array([0, 3]), np.array([0, 4]), np.array([-4, 1]), np.array([-5, 1]), np.array([], np.int64)]
    rows += [np.array([0, 255], np.uint8), np.array([1, -1], np.int8), np.array([0, 2**63], np.uint64)]
    in_rotation(write_and_pick, *((np.arange(4.0), row) for row in rows))


def test_an_index_that_nothing_uses_is_still_checked() -> None:
    def pick(x: Array, index: Array) -> None:
        x[index]
        x += 1

    in_rotation(pick, (np.arange(4.0), np.array([1])), (np.arange(4.0), np.array([9])))


def test_views_that_overlap_in_every_way_in_rotation() -> None:
    def mix(x: Array, y: Array) -> Array:
        x[1:] += y[:-1]
        y *= 2
        return x + y

    base = np.arange(12.0)
    rows = [(base[:5], base[5:10]), (base[:5], base[4:9]), (base[:10:2], base[1:10:2]), (base[:5], base[:5])]
    rows += [(base[4::-1], base[:5]), (base[:0], base[:0]), (base[:5], np.broadcast_to(base[3], 5))]
    in_rotation(mix, *rows)


def stores_over_what_it_reads(x: Array) -> Array:
    x[1:] = x[:-1]
    x[::-1] = x
    x[:-1] += x[1:]
    x[x > 2] = x.sum()
    np.add(x[:-1], x[1:], out=x[1:])
    return x


def stores_its_transpose(x: Array) -> Array:
    x[...] = x.T
    x += x.T
    x[0], x[1] = x[1], x[0]
    np.multiply(x, x.T, out=x)
    return x


def test_stores_over_what_they_read() -> None:
    check(stores_over_what_it_reads, np.arange(9.0), expect="compiled")
    check(stores_its_transpose, np.arange(9.0).reshape(3, 3), expect="compiled")


# -- numbers ----------------------------------------------------------------------------------------------------------
def test_numbers_of_all_kinds_in_rotation() -> None:
    def scale(x: Array, s: Any) -> tuple[Any, ...]:
        return x * s + s, x > s

    numbers = [1, True, 1.0, np.float32(1.5), np.int8(100), np.int64(-3), np.bool_(True), 2**40, 2**63, 2**70, -0.0]
    numbers += [0.0, float("nan"), float("inf"), 0, False, np.uint64(2**64 - 1)]
    in_rotation(scale, *((np.arange(3.0), number) for number in numbers))


def test_exact_arithmetic_is_not_contracted_or_reordered() -> None:
    def exact(x: Array, y: Array) -> tuple[Array, ...]:
        return x * x - y * y, (x + y) - x, ((x * y) + y) / (x - y * 0.1) + 1

    for dtype in (np.float32, np.float64):
        values = np.random.default_rng(0).normal(size=1000).astype(dtype)
        check(exact, values, values.copy(), expect="compiled")


# -- kernels ----------------------------------------------------------------------------------------------------------
def test_a_later_inner_loop_reads_at_another_index_what_a_root_that_joined_after_it_stores() -> None:
    def scaled(b: Array, c: Array, index: Array) -> tuple[Array, Array]:
        c *= b + 1
        most = c.max()
        return b * most - c[index], b * most

    b = np.arange(4, dtype=np.float32)
    check(scaled, b, b * 3 - 4, np.array([0, 2, -1, 1]), expect="compiled")
    check(scaled, b, b * 3 - 4, np.array([0, 2, -1, 4]))


# -- lives ------------------------------------------------------------------------------------------------------------
def test_entries_keep_no_argument_alive() -> None:
    class Holder:
        pass

    def use(holder: Any, x: Array) -> Array:
        x += holder.array
        return x[1:] * holder.items[0]

    jitted = gl.jit(use)
    holder, x = Holder(), np.arange(4.0)
    holder.array, holder.items = np.ones(4), [np.ones(3)]  # type: ignore[attr-defined]
    jitted(holder, x), jitted(holder, x)
    references = [weakref.ref(each) for each in (holder, x, holder.array, holder.items[0])]  # type: ignore[attr-defined]
    del holder, x
    gc.collect()
    assert [reference() for reference in references] == [None] * 4


def test_a_state_goes_with_its_function() -> None:
    jitted = gl.jit(lambda x: x * 2)
    jitted(np.ones(3))
    reference = weakref.ref(state_of(jitted))
    del jitted
    gc.collect()
    assert reference() is None


# -- threads and processes --------------------------------------------------------------------------------------------
def test_threads_that_call_with_new_shapes_while_entries_are_dropped() -> None:
    def mix(x: Array, s: float) -> tuple[Array, Array]:
        y = x * s
        x += 1
        return y, x

    jitted = gl.jit(mix)
    state = state_of(jitted)
    assert state is not None
    wrong: list[object] = []

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(60):
            x, s = np.arange(float(random.integers(1, 6))), float(random.normal())
            expected = mix(x.copy(), s)
            found = jitted(x, s)
            if found[1] is not x or not all(map(np.array_equal, found, expected)):
                wrong.append((x.size, s))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    while any(each.is_alive() for each in threads):
        state.forget()
        threads[0].join(0.005)
    assert not wrong


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_forked_while_another_thread_compiles_a_function_can_call_it() -> None:
    jitted = gl.jit(lambda x: x * 2 + 1)
    state = state_of(jitted)
    assert state is not None
    held, done = threading.Event(), threading.Event()

    def compiling() -> None:
        with state.lock:
            state.busy = True
            held.set()
            done.wait()
            state.busy = False

    thread = threading.Thread(target=compiling)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        right = np.array_equal(jitted(np.ones(3)), np.full(3, 3.0)) and len(state.entries) == 1
        os._exit(0 if right else 1)
    done.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


# -- indices of which little is read ----------------------------------------------------------------------------------
def one_element(x: Array, index: Array) -> Any:
    return (x[index] * 2)[3]


def one_element_backwards(x: Array, index: Array) -> Array:
    return (x[index] * 2)[::-1][:1] * x[:1]


def no_element(x: Array, index: Array) -> Array:
    return x * 2 + x[index][1:1].sum()


def part_stored_over(x: Array, index: Array) -> Array:
    picked = x[index] * x[:4]
    picked[1:] = 3
    return picked[1:] * 2


def one_power(x: Array, index: Array) -> Any:
    return (index**index)[0] + x[0]


def an_array_without_elements(x: Array, index: Array) -> tuple[Array, Array]:
    return x * 2, x[:, None][:, :0][index]


@pytest.mark.parametrize(
    "function",
    [one_element, one_element_backwards, no_element, part_stored_over, one_power, an_array_without_elements],
)
def test_an_index_is_checked_though_nobody_reads_what_it_picks(function: Callable[..., Any]) -> None:
    good, bad, negative = np.array([1, 2, 3, 0]), np.array([1, 2, 9, 0]), np.array([1, 2, -9, 0])
    in_rotation(function, *((np.arange(6.0), index) for index in (good, bad, negative)))
    check(function, np.arange(6.0), bad)
