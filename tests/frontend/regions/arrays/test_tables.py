"""Tuples and lists of numbers that native loops pick from by a number that changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from frontend.control_flow.elements.test_loops import broken, native
from oracle import Tolerance, check, check_in_turn

RANDOM = np.random.default_rng(49)
KEYS = RANDOM.integers(0, 6, 70)


def through_kernels(function: Any, *args: Any) -> None:
    """`native`, and the same through kernels."""
    native(function, *args)
    check(function, *args, expect="compiled")


def test_numbers_of_each_kind() -> None:
    def picked(keys: Any, x: Any) -> Any:
        ints, floats = [1, 5, -2, 8, 2**62, 9], (0.5, -0.0, 2.0, float("inf"), 1.0, 3.0)
        bools, numbers = [True, False, True, True, False, True], (1j, 2.0 + 0j, 3j, 1 + 1j, -1j, 0j)
        scalars = [x[0], x[1], x[2], x[0] * 2, x[1], x[2]]
        total, count, z, last = 0, 0, 0j, 0.0
        for i in range(len(keys)):
            total += ints[keys[i]] // 64
            last = floats[-1 - int(keys[i])]
            count += bools[keys[i]] + (i, 3)[i > 5]
            z += numbers[keys[i]]
            x[i % 3] += scalars[keys[i]] + floats[keys[i]] * 0
        return total, last, count, z, x

    with np.errstate(all="ignore"):
        through_kernels(picked, KEYS, np.array([0.5, 1.5, 2.5]))


def test_a_table_steers_an_inner_loop_and_the_next_lookup() -> None:
    def walked(keys: Any, out: Any) -> Any:
        follows, lengths = [1, 2, 3, 4, 5, 0], (0, 3, 1, 2, 0, 4)
        state = 0
        for i in range(len(keys)):
            state = follows[state] if keys[i] else follows[follows[keys[i]]]
            for j in range(lengths[state]):
                out[state] += lengths[j + 1] * j
        return out, state

    through_kernels(walked, KEYS, np.zeros(6, int))


def test_steps_of_two_numbers() -> None:
    def walked(keys: Any, seen: Any) -> Any:
        steps = ((0, 1), (1, 0), (0, -1), (-1, 0), (2, 2), (1, -1))
        x = y = 0
        for i in range(len(keys)):
            dx, dy = steps[keys[i]]
            x, y = (x + dx) % 5, (y + dy) % 5
            seen[x, y] += 1
        return seen, x, y

    through_kernels(walked, KEYS, np.zeros((5, 5), int))


def test_a_list_from_outside_has_its_numbers_in_each_call() -> None:
    def weighed(keys: Any, weights: list[float]) -> Any:
        total = 0.0
        for i in range(len(keys)):
            total += weights[keys[i]]
        return total

    rows = [(KEYS, [1.5, 2.0, 0.5, 1.0, 0.0, float(k)]) for k in range(4)]
    report = check_in_turn(weighed, rows, Tolerance())
    assert report.compiles == 1 and "region" in report.op_names
    check(weighed, KEYS, [1.0, 2.0], backend="reference")
    check(weighed, KEYS, [1.0, 2, 3.0, 4.0, 5.0, 6.0])
    check(weighed, KEYS - 7, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


def test_what_an_iteration_makes_is_of_that_iteration() -> None:
    def picked(keys: Any, out: Any) -> Any:
        for i in range(2, len(keys)):
            row = (out[i - 1], out[i - 2], out[i])
            out[i] += row[keys[i] % 3] + (i, 2, i * i)[int(keys[i]) % 3]
        return out

    through_kernels(picked, KEYS, np.arange(70))


def test_a_list_that_the_loop_changes_is_left_to_python() -> None:
    def counted(keys: Any) -> Any:
        counts = [0, 0, 0, 0, 0, 0]
        for i in range(len(keys)):
            counts[keys[i]] += 1
        return counts

    def marked(keys: Any) -> Any:
        marks, total = [0, 1, 2, 3, 4, 5], 0
        for i in range(len(keys)):
            total += marks[keys[i]]
            marks[2] = i
        return marks, total

    broken(counted, KEYS)
    broken(marked, KEYS)


def test_elements_of_two_kinds_are_left_to_python() -> None:
    def picked(keys: Any) -> Any:
        mixed, total = [0, 1.5, 2, 3, 4, 5], 0.0
        for i in range(len(keys)):
            total += mixed[keys[i]]
        return total

    broken(picked, KEYS)
