"""Every optimizer against PyTorch's figures, and what holds of all of them."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from optim.cases import FIGURES, OPTIMIZERS, make, optimizer_of, parameters, train

import guardlift as gl
from guardlift import nn, optim

KINDS = [name for name in optim.__all__ if hasattr(getattr(optim, name), "_update")]


def flat(values: Any) -> np.ndarray:
    """All elements of all parameters."""
    return np.concatenate([np.ravel(each) for each in values])


def trained(name: str, dtype: str) -> np.ndarray:
    params = parameters(dtype)
    train(optimizer_of(name, params), params, range(make.STEPS))
    return flat([param.tolist() for param in params])


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_hundred_steps_agree_with_pytorch(name: str) -> None:
    np.testing.assert_allclose(trained(name, "float64"), flat(FIGURES["optimizers"][name]["float64"]), rtol=1e-12)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_hundred_steps_in_float32_agree_as_far_as_rounding_lets_them(name: str) -> None:
    theirs, exact = (flat(FIGURES["optimizers"][name][dtype]) for dtype in ("float32", "float64"))
    size = abs(exact).max()
    # PyTorch fuses multiplications with additions. With a gradient of a hundred times the result, as one in three has
    # here, momentum keeps the rounding errors of those: 2.2e-6 at most, where PyTorch's own is 0.8e-6.
    bound = 2.5e-6 if "momentum" in OPTIMIZERS[name][1] else 1e-6
    assert abs(trained(name, "float32") - theirs).max() / size < bound


def test_every_figure_belongs_to_a_case() -> None:
    assert FIGURES["optimizers"].keys() == OPTIMIZERS.keys()


def test_every_optimizer_that_pytorch_has_has_a_case() -> None:
    assert {kind for kind, _ in OPTIMIZERS.values()} == set(KINDS) - {"Lion"}


@pytest.mark.parametrize("kind", FIGURES["defaults"])
def test_defaults_and_their_text_are_those_of_pytorch(kind: str) -> None:
    assert repr(getattr(optim, kind)([gl.zeros(1, 1)])) == FIGURES["defaults"][kind]


@pytest.mark.parametrize("kind", FIGURES["signatures"])
def test_arguments_stand_where_they_stand_in_pytorch(kind: str) -> None:
    assert make.arguments(getattr(optim, kind)) == FIGURES["signatures"][kind]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"lr": -1.0}, "lr is not to be negative, got -1.0"),
        ({"lr": float("nan")}, "lr is not to be negative, got nan"),
        ({"lr": gl.ones(2)}, r"a learning rate in a Tensor has one element, got shape \(2,\)"),
        ({"eps": -1e-8}, "eps is not to be negative"),
        ({"betas": (1.0, 0.9)}, r"betas\[0\] is to be at least 0 and less than 1, got 1.0"),
        ({"betas": (0.9, -0.1)}, r"betas\[1\] is to be at least 0 and less than 1, got -0.1"),
        ({"weight_decay": -0.1}, "weight_decay is not to be negative"),
        ({"momentum": -0.1}, "momentum is not to be negative"),
        ({"alpha": -0.1}, "alpha is not to be negative"),
        ({"lr_decay": -0.1}, "lr_decay is not to be negative"),
        ({"initial_accumulator_value": -0.1}, "initial_accumulator_value is not to be negative"),
        ({"momentum_decay": -0.1}, "momentum_decay is not to be negative"),
        ({"rho": 1.1}, "rho is to be at least 0 and at most 1, got 1.1"),
        ({"etas": (0.5, 0.9)}, "etas is a factor between 0 and 1 and one above 1, got 0.5 and 0.9"),
        ({"differentiable": True}, "differentiable=True is not supported"),
    ],
)
def test_settings_that_make_no_sense_are_refused(kind: str, settings: dict[str, Any], text: str) -> None:
    of = getattr(optim, kind)
    if kind == "ASGD" and "alpha" in settings:
        of([gl.zeros(1)], **settings)  # a rate that grows, as PyTorch lets it
    elif settings.keys() <= inspect.signature(of).parameters.keys():
        with pytest.raises(ValueError, match=text):
            of([gl.zeros(1)], **settings)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(), (1,)])
def test_a_rate_in_a_tensor_is_read_at_each_step(kind: str, shape: tuple[int, ...]) -> None:
    ours, plain = parameters(), parameters()
    rate = gl.full(shape, 0.01)
    fast, slow = getattr(optim, kind)(ours, lr=rate), getattr(optim, kind)(plain, lr=float(rate.item()))
    for step in range(4):
        train(fast, ours, range(step, step + 1))
        train(slow, plain, range(step, step + 1))
        rate.fill_(0.5**step)
        slow.param_groups[0]["lr"] = 0.5**step
    assert [each.tolist() for each in ours] == [each.tolist() for each in plain]


@pytest.mark.parametrize("kind", KINDS)
def test_ways_to_compute_are_taken_and_change_nothing(kind: str) -> None:
    results = []
    for flag in (None, True):
        params = parameters("float32")
        taken = {"foreach", "fused", "capturable"} & inspect.signature(getattr(optim, kind)).parameters.keys()
        train(getattr(optim, kind)(params, **dict.fromkeys(taken, flag)), params, range(3))
        results.append([each.tolist() for each in params])
    assert results[0] == results[1]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("SGD", "Adagrad")])
def test_sparse_gradients_are_refused_where_pytorch_refuses_them(kind: str) -> None:
    table = nn.Embedding(4, 2, sparse=True)
    optimizer = getattr(optim, kind)(table.parameters())
    table(gl.tensor([1, 1, 3])).sum().backward()
    with pytest.raises(RuntimeError, match=f"{kind} does not support sparse gradients"):
        optimizer.step()


@pytest.mark.parametrize("kind", ["SGD", "Adagrad"])
def test_weight_decay_along_a_sparse_gradient_is_refused(kind: str) -> None:
    table = nn.Embedding(4, 2, sparse=True)
    optimizer = getattr(optim, kind)(table.parameters(), weight_decay=0.1)
    table(gl.tensor([1, 1, 3])).sum().backward()
    with pytest.raises(RuntimeError, match=f"{kind} does not support sparse gradients with weight_decay"):
        optimizer.step()
