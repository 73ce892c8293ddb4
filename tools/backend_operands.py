"""Operands of the programs that every backend is held against."""

from __future__ import annotations

from typing import Any

import numpy as np


# -- arguments ---------------------------------------------------------------------------------------------------------
def one_array(rng: np.random.Generator) -> tuple[Any, ...]:
    return (rng.standard_normal((3, 4)),)


def two_arrays(rng: np.random.Generator) -> tuple[Any, ...]:
    return rng.standard_normal((3, 4)), rng.standard_normal((3, 4))


def column_major_array(rng: np.random.Generator) -> tuple[Any, ...]:
    return (np.asfortranarray(rng.standard_normal((3, 4))),)


def strided_array(rng: np.random.Generator) -> tuple[Any, ...]:
    return (rng.standard_normal((6, 8))[::-2, ::2],)


def some_numbers(rng: np.random.Generator) -> tuple[Any, ...]:
    number = float(rng.standard_normal())
    return rng.standard_normal(4), number, np.float32(number), number > 0


def some_integers(rng: np.random.Generator) -> tuple[Any, ...]:
    return rng.integers(-100, 100, (4, 3)), rng.integers(1, 7, (4, 3), dtype=np.int32)


def some_places(rng: np.random.Generator) -> tuple[Any, ...]:
    return rng.standard_normal((5, 3)), rng.integers(-5, 5, 4)


def places_too_far(rng: np.random.Generator) -> tuple[Any, ...]:
    return rng.standard_normal((5, 3)), np.array([0, 4, int(rng.integers(5, 9))])


def special_floats(rng: np.random.Generator) -> tuple[Any, ...]:
    values = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, 1e308])
    return (rng.permutation(values),)


def two_matrices(rng: np.random.Generator) -> tuple[Any, ...]:
    return rng.standard_normal((2, 3, 4)), rng.standard_normal((4, 5)), rng.standard_normal(5)


def linear_system(rng: np.random.Generator) -> tuple[Any, ...]:
    return rng.standard_normal((3, 3)) + 4 * np.eye(3), rng.standard_normal(3)


def array_in_a_record(rng: np.random.Generator) -> tuple[Any, ...]:
    return ({"x": rng.standard_normal((3, 4)), "count": 1},)


def small_array(rng: np.random.Generator) -> tuple[Any, ...]:
    return (rng.standard_normal((0, 4)), rng.standard_normal((1, 4)))


def single_precision_array(rng: np.random.Generator) -> tuple[Any, ...]:
    return rng.standard_normal((3, 4)).astype(np.float32), rng.standard_normal(4).astype(np.float32)


def some_tensors(rng: np.random.Generator) -> tuple[Any, ...]:
    from ..tensor.creation import tensor

    return tensor(rng.standard_normal((5, 3)).astype(np.float32)), tensor(
        rng.standard_normal((5, 2)).astype(np.float32)
    )


def leaf_tensors(rng: np.random.Generator) -> tuple[Any, ...]:
    return tuple(each.requires_grad_() for each in some_tensors(rng))


Array = np.ndarray[Any, Any]
