from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from guardlift.ops.emitter import ARRAYS
from guardlift.optim import formulas, inplace
from guardlift.optim.pieces import BLOCK

# Longer than a block, and not a multiple of one.
SHAPES = ((3, 4), (), (0,), (2, BLOCK - 5))


def arrays(shape: tuple[int, ...], dtype: Any, count: int) -> list[np.ndarray]:
    generator = np.random.default_rng(3)
    return [np.asarray(generator.normal(size=shape), dtype) for _ in range(count)]


def assert_same_bits(got: Any, expected: Any) -> None:
    assert (got is None) == (expected is None)
    if got is not None:
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("beta1", [0.9, 0.3, 0.0])
def test_adam_in_place_is_the_formula_bit_for_bit(dtype: str, shape: tuple[int, ...], beta1: float) -> None:
    flags = itertools.product((0.0, 0.1), (False, True), (False, True), (False, True))
    for weight_decay, decoupled, maximize, amsgrad in flags:
        param, grad, first, second, largest = arrays(shape, dtype, 5)
        second, largest = np.asarray(abs(second)), largest if amsgrad else None
        step = np.array(7, np.float32)
        bias1, sqrt_bias2 = formulas.bias_corrections(ARRAYS, step, beta1, 0.99)
        expected = formulas.adam_update(
            ARRAYS,
            param,
            grad,
            first,
            second,
            np.asarray(bias1),
            np.asarray(sqrt_bias2),
            lr=0.01,
            beta1=beta1,
            beta2=0.99,
            eps=1e-8,
            weight_decay=weight_decay,
            max_exp_avg_sq=largest,
            decays=weight_decay != 0,
            decoupled=decoupled,
            maximize=maximize,
            nearer_to_new=formulas.is_nearer_to_new(beta1),
        )
        inplace.adam_update_(
            [(param, grad, first, second, *([] if largest is None else [largest]))],
            float(bias1),
            float(sqrt_bias2),
            lr=0.01,
            beta1=beta1,
            beta2=0.99,
            eps=1e-8,
            weight_decay=weight_decay,
            decoupled=decoupled,
            maximize=maximize,
        )
        for got, wanted in zip((param, first, second, largest), expected):
            assert_same_bits(got, wanted)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("first", [False, True], ids=["later", "first"])
def test_sgd_in_place_is_the_formula_bit_for_bit(dtype: str, shape: tuple[int, ...], first: bool) -> None:
    flags = itertools.product((0.0, 0.1), (0.0, 0.9), (0.0, 0.2), (False, True), (False, True))
    for weight_decay, momentum, dampening, nesterov, maximize in flags:
        param, grad, buffer = arrays(shape, dtype, 3)
        given = None if first or momentum == 0 else buffer
        expected = formulas.sgd_update(
            ARRAYS,
            param,
            grad,
            given,
            lr=0.01,
            momentum=momentum,
            dampening=dampening,
            weight_decay=weight_decay,
            decays=weight_decay != 0,
            has_momentum=momentum != 0,
            nesterov=nesterov,
            maximize=maximize,
        )
        buffers = [buffer] if momentum != 0 else []
        inplace.sgd_update_(
            [(param, grad, *buffers)],
            lr=0.01,
            momentum=momentum,
            dampening=dampening,
            weight_decay=weight_decay,
            nesterov=nesterov,
            maximize=maximize,
            first=first,
        )
        assert_same_bits(param, expected[0])
        assert_same_bits(buffer if momentum != 0 else None, expected[1])


def test_scalars_may_be_values_of_the_emitter_and_give_the_same_bits() -> None:
    param, grad, first, second = arrays((4, 5), "float32", 4)
    second = abs(second)
    scalars = {"lr": 0.013, "beta1": 0.9, "beta2": 0.99, "eps": 1e-7, "weight_decay": 0.3}
    step = np.array(3, np.float32)
    for decoupled in (False, True):
        results = []
        for of in (float, np.asarray):
            given = {name: of(value) for name, value in scalars.items()}
            biases = formulas.bias_corrections(ARRAYS, step, given["beta1"], given["beta2"])
            results.append(
                formulas.adam_update(
                    ARRAYS, param, grad, first, second, *biases, **given, decays=True, decoupled=decoupled
                )
            )
        for plain, value in zip(*results):
            assert_same_bits(value, plain)


def test_scalars_of_sgd_may_be_values_of_the_emitter_and_give_the_same_bits() -> None:
    param, grad, buffer = arrays((4, 5), "float32", 3)
    scalars = {"lr": 0.013, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.3}
    results = []
    for of in (float, np.asarray):
        given = {name: of(value) for name, value in scalars.items()}
        results.append(formulas.sgd_update(ARRAYS, param, grad, buffer, decays=True, has_momentum=True, **given))
    for plain, value in zip(*results):
        assert_same_bits(value, plain)


def test_bias_corrections_of_stacked_counters_are_those_of_each() -> None:
    steps = np.array([1, 2, 50, 100_000], np.float32)
    stacked = formulas.bias_corrections(ARRAYS, steps, 0.9, 0.999)
    for index, step in enumerate(steps):
        assert stacked[0][index] == pytest.approx(1 - 0.9 ** int(step), rel=1e-15)
        assert stacked[1][index] == pytest.approx((1 - 0.999 ** int(step)) ** 0.5, rel=1e-15)
    assert stacked[0].dtype == stacked[1].dtype == np.float64
    assert formulas.next_step(ARRAYS, steps).dtype == np.float32
