from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from optim.cases import make, parameters, train

import guardlift as gl
from guardlift import nn, optim


def test_state_is_made_at_the_first_step_of_a_parameter() -> None:
    params = parameters()
    optimizer = optim.Adam(params, amsgrad=True)
    params[1].grad = gl.ones(5, dtype=gl.float64)
    optimizer.step()
    assert list(optimizer.state) == [params[1]]
    state = optimizer.state[params[1]]
    assert list(state) == ["step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"]
    assert state["step"].shape == () and state["step"].dtype is gl.float32 and state["step"].item() == 1.0
    assert state["exp_avg"].dtype is gl.float64


def test_a_parameter_without_gradient_is_left_alone() -> None:
    params = parameters()
    optimizer = optim.Adam(params)
    train(optimizer, params, range(2))
    before, state = params[0].tolist(), optimizer.state[params[0]]["exp_avg"].tolist()
    params[0].grad = None
    optimizer.step()
    assert params[0].tolist() == before
    assert optimizer.state[params[0]]["exp_avg"].tolist() == state
    assert optimizer.state[params[0]]["step"].item() == 2.0
    assert optimizer.state[params[1]]["step"].item() == 3.0


def test_a_step_writes_in_place_and_counts_versions() -> None:
    (param, *_) = parameters()
    optimizer = optim.Adam([param], amsgrad=True)
    train(optimizer, [param], range(1))
    state = dict(optimizer.state[param])
    written = [param, *state.values()]
    arrays, versions = [each._array for each in written], [each._version for each in written]
    train(optimizer, [param], range(1, 2))
    assert all(optimizer.state[param][name] is tensor for name, tensor in state.items())
    assert [each._array is array for each, array in zip(written, arrays)] == [True] * 5
    assert [each._version for each in written] == [version + 1 for version in versions]
    assert param.is_leaf and param.requires_grad


def test_a_step_after_forward_is_seen_by_backward() -> None:
    param = nn.Parameter(gl.ones(3))
    optimizer = optim.Adam([param])
    (param * param).sum().backward()
    loss = (param * param).sum()
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_a_rate_in_a_tensor_is_read_at_each_step() -> None:
    ours, plain = parameters(), parameters()
    rate = gl.tensor(0.01)
    fast, slow = optim.Adam(ours, lr=rate), optim.Adam(plain, lr=float(rate.item()))
    for step in range(4):
        train(fast, ours, range(step, step + 1))
        train(slow, plain, range(step, step + 1))
        rate.fill_(0.5**step)
        slow.param_groups[0]["lr"] = 0.5**step
    assert [each.tolist() for each in ours] == [each.tolist() for each in plain]


def test_numbers_of_numpy_do_not_widen_the_arithmetic() -> None:
    ours, plain = parameters("float32"), parameters("float32")
    settings = {"lr": 0.01, "betas": (0.9, 0.99), "eps": 1e-6, "weight_decay": 0.1}
    wide: dict[str, Any] = {
        name: tuple(map(np.float64, value)) if isinstance(value, tuple) else np.float64(value)
        for name, value in settings.items()
    }
    train(optim.Adam(ours, **wide), ours, range(5))
    train(optim.Adam(plain, **settings), plain, range(5))  # type: ignore[arg-type]
    assert [each.tolist() for each in ours] == [each.tolist() for each in plain]


def test_nothing_is_said_about_infinities() -> None:
    param = nn.Parameter(gl.zeros(3))
    optimizer = optim.Adam([param], eps=0.0)
    param.grad = gl.tensor([0.0, float("inf"), 1e30])
    optimizer.step()
    assert param.isnan().tolist() == [True, True, False] or param[0].isnan().item()


def test_groups_have_their_own_rates() -> None:
    first, second = parameters()[:2]
    optimizer = optim.Adam([{"params": [first]}, {"params": second, "lr": 0.0}], lr=0.1)
    kept = second.tolist()
    train(optimizer, [first, second], range(1))
    assert second.tolist() == kept
    assert np.all(np.array(first.tolist()) != np.array(make.start((3, 4))).reshape(3, 4))


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"lr": -1.0}, "lr is not to be negative, got -1.0"),
        ({"lr": float("nan")}, "lr is not to be negative, got nan"),
        ({"eps": -1e-8}, "eps is not to be negative"),
        ({"betas": (1.0, 0.9)}, r"betas\[0\] is to be at least 0 and less than 1, got 1.0"),
        ({"betas": (0.9, -0.1)}, r"betas\[1\] is to be at least 0 and less than 1, got -0.1"),
        ({"weight_decay": -0.1}, "weight_decay is not to be negative"),
        ({"differentiable": True}, "differentiable=True is not supported"),
        ({"lr": gl.ones(2)}, r"a learning rate in a Tensor has one element, got shape \(2,\)"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], text: str) -> None:
    for kind in (optim.Adam, optim.AdamW):
        with pytest.raises(ValueError, match=text):
            kind([gl.zeros(1)], **settings)


def test_a_gradient_of_another_kind_is_refused() -> None:
    param = nn.Parameter(gl.ones(2))
    optimizer = optim.Adam([param])
    param._grad = gl.ones(2, dtype=gl.float64)
    with pytest.raises(RuntimeError, match="the gradient is float64 and the parameter is float32"):
        optimizer.step()
