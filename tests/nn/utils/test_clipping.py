from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from optim.cases import FIGURES, make, parameters

import guardlift as gl
from guardlift import nn
from guardlift.nn.utils import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm


def with_gradients() -> list[nn.Parameter]:
    params = parameters()
    for param, shape in zip(params, make.SHAPES):
        param.grad = gl.tensor(make.gradient(1, shape), dtype=gl.float64).reshape(shape)
    return params


def assert_same(found: list[Any], expected: list[Any]) -> None:
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine.tolist(), theirs, rtol=1e-12)


@pytest.mark.parametrize("order", make.NORMS)
def test_gradients_clipped_by_norm_are_those_of_pytorch(order: float) -> None:
    params = with_gradients()
    before = [param.grad for param in params]
    total = clip_grad_norm_(params, 1.5, order)
    assert total.shape == () and not total.requires_grad
    assert_same([total, *[param.grad for param in params]], FIGURES["clipped"][str(order)])
    assert all(param.grad is grad for param, grad in zip(params, before))


def test_gradients_clipped_by_value_are_those_of_pytorch() -> None:
    params = with_gradients()
    clip_grad_value_(params, 0.75)
    assert_same([param.grad for param in params], FIGURES["clipped by value"])


def test_gradients_below_the_norm_stay_and_those_that_are_missing_do_not_count() -> None:
    params = with_gradients()
    params[0].grad = None
    kept = [param.grad.tolist() for param in params[1:]]  # type: ignore[union-attr]
    total = clip_grad_norm_(iter(params), 1e9)
    assert [param.grad.tolist() for param in params[1:]] == kept  # type: ignore[union-attr]
    exact = np.sqrt(sum(np.sum(np.square(each)) for each in kept))
    assert total.item() == pytest.approx(exact, rel=1e-12)
    clip_grad_value_(params, 1e9)
    assert params[0].grad is None


def test_one_tensor_stands_for_itself_and_none_at_all_for_zero() -> None:
    (param, *_) = with_gradients()
    total = clip_grad_norm_(param, 1.0)
    assert get_total_norm(param.grad).item() == pytest.approx(total.item() / (total.item() + 1e-6))
    clip_grad_value_(param, 0.01)
    assert param.grad.abs().max().item() <= 0.01  # type: ignore[union-attr]
    assert clip_grad_norm_([], 1.0).item() == 0.0
    with pytest.warns(UserWarning, match="a generator that gave nothing"):
        clip_grad_norm_((each for each in ()), 1.0)


def test_the_two_halves_are_the_whole() -> None:
    whole, halves = with_gradients(), with_gradients()
    total = clip_grad_norm_(whole, 1.5)
    clip_grads_with_norm_(halves, 1.5, get_total_norm([param.grad for param in halves]))  # type: ignore[misc]
    assert [param.grad.tolist() for param in whole] == [param.grad.tolist() for param in halves]  # type: ignore[union-attr]
    assert total.item() > 1.5


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_norm_that_is_no_number_is_an_error_if_that_is_asked_for(value: float) -> None:
    params = with_gradients()
    params[1].grad[0] = value  # type: ignore[index]
    kept = params[0].grad.tolist()  # type: ignore[union-attr]
    with pytest.raises(RuntimeError, match=f"the norm of order 2.0 of all gradients is {value}, so they cannot be"):
        clip_grad_norm_(params, 1.0, error_if_nonfinite=True)
    assert params[0].grad.tolist() == kept  # type: ignore[union-attr]
    clip_grad_norm_(params, 1.0)
    assert params[0].grad.isnan().all() or params[0].grad.abs().max().item() == 0.0  # type: ignore[union-attr]
