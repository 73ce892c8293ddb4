"""Formulas, and the programs that eager steps make of them: the same bits, whatever the booleans and the lengths."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from guardlift import optim
from guardlift.core import dtypes
from guardlift.ops.emitter import ARRAYS
from guardlift.optim import formulas
from guardlift.optim.pieces import BLOCK
from guardlift.optim.updates import Update

# Longer than a block, and not a multiple of one.
SHAPES = ((3, 4), (), (0,), (2, BLOCK - 5))
KINDS = [name for name in optim.__all__ if hasattr(getattr(optim, name), "_update")]
NUMBERS = {"lr": 0.013, "beta1": 0.9, "beta2": 0.99, "eps": 1e-7, "weight_decay": 0.3, "momentum": 0.8,
           "dampening": 0.1, "lr_decay": 0.02, "momentum_decay": 0.01, "alpha": 0.95, "rho": 0.8,
           "eta_minus": 0.4, "eta_plus": 1.3, "smallest": 0.01, "largest": 20.0, "lambd": 0.02, "t0": 4.0}  # fmt: skip


POSITIVE = {"exp_avg_sq", "max_exp_avg_sq", "square_avg", "acc_delta", "exp_inf", "step_size", "sum"}


def update_of(kind: str) -> Update:
    return getattr(optim, kind)._update


def every_boolean(update: Update) -> list[dict[str, bool]]:
    names = [*update.flags, *update.conditions]
    return [dict(zip(names, values)) for values in itertools.product((False, True), repeat=len(names))]


def columns_of(update: Update, kept: tuple[int, ...], shape: Any, dtype: str) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(3)
    names = ["param", "grad", *[update.state[place].name for place in kept if not update.state[place].single]]
    found = {name: np.asarray(generator.normal(size=shape), dtype) for name in names}
    for name in found.keys() & POSITIVE:
        found[name] = np.asarray(abs(found[name]) + 99.0, dtype)  # above the square of grad_avg
    return found


def singles_of(update: Update, kept: tuple[int, ...]) -> dict[str, Any]:
    values = {"step": np.float32(6.0), "mu_product": np.float32(0.625), "eta": np.float32(0.05), "mu": np.float32(0.5)}
    return {update.state[place].name: values[update.state[place].name] for place in kept if update.state[place].single}


def assert_same_bits(got: Any, expected: Any) -> None:
    assert np.asarray(got).dtype == np.asarray(expected).dtype
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("missing", [False, True], ids=["later", "first"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_an_eager_step_is_the_formula_bit_for_bit(kind: str, shape: Any, dtype: str, missing: bool) -> None:
    update = update_of(kind)
    if missing and all(each.starts_as is not None for each in update.state):
        return
    numbers = {name: NUMBERS[name] for name in update.numbers}
    for booleans in every_boolean(update):
        kept = update.kept(booleans)
        late = [update.state[place].name for place in kept if missing and update.state[place].starts_as is None]
        columns, singles = columns_of(update, kept, shape, dtype), singles_of(update, kept)
        given = {name: array for name, array in columns.items() if name not in late}
        ours = {name: np.asarray(value) for name, value in singles.items()}
        expected = update.formula(ARRAYS, **given, **ours, **numbers, **booleans)
        program = update.program(kept, (dtypes.float32,) * len(singles), getattr(dtypes, dtype), tuple(late), booleans)
        gradient = columns["grad"].copy()
        made = program.run([tuple(columns.values())], {**singles, **numbers})
        assert {*expected} == {*columns, *singles} - {"grad"}
        for name, value in expected.items():
            assert_same_bits(made[name] if name in singles else columns[name], value)
        np.testing.assert_array_equal(columns["grad"], gradient)


@pytest.mark.parametrize("kind", KINDS)
def test_scalars_may_be_values_of_the_emitter_and_give_the_same_bits(kind: str) -> None:
    update = update_of(kind)
    for booleans in every_boolean(update):
        kept = update.kept(booleans)
        columns = columns_of(update, kept, (4, 5), "float32")
        singles = {name: np.asarray(value) for name, value in singles_of(update, kept).items()}
        plain, values = (
            update.formula(
                ARRAYS, **columns, **singles, **{name: of(NUMBERS[name]) for name in update.numbers}, **booleans
            )
            for of in (float, np.asarray)
        )
        for name, value in values.items():
            assert_same_bits(value, plain[name])


def test_bias_corrections_of_stacked_counters_are_those_of_each() -> None:
    steps = np.array([1, 2, 50, 100_000], np.float32)
    stacked = formulas.bias_correction(ARRAYS, steps, 0.9)
    for index, step in enumerate(steps):
        assert stacked[index] == pytest.approx(1 - 0.9 ** int(step), rel=1e-15)
    assert stacked.dtype == np.float64


def test_a_counter_of_another_dtype_counts_on() -> None:
    import guardlift as gl

    params = [gl.nn.Parameter(gl.ones(2)) for _ in range(2)]
    optimizer = optim.Adam(params)
    for param in params:
        param.grad = gl.ones(2)
    optimizer.step()
    optimizer.state[params[1]]["step"] = gl.tensor(1, dtype=gl.int64)
    optimizer.step()
    assert optimizer.state[params[1]]["step"].item() == 2
    assert params[0].tolist() == params[1].tolist()
