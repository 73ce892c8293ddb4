from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    gl.manual_seed(5)
    yield


def values(tensor: gl.Tensor) -> np.ndarray:
    return np.array(tensor.tolist())


def test_constants_fill_their_tensor_and_give_it_back() -> None:
    param = nn.Parameter(gl.zeros(2, 2))
    assert nn.init.ones_(param) is param and values(param).tolist() == [[1.0, 1.0]] * 2
    assert values(nn.init.constant_(param, 2.5)).tolist() == [[2.5, 2.5]] * 2
    assert values(nn.init.zeros_(param)).tolist() == [[0.0, 0.0]] * 2
    assert param.is_leaf and param.requires_grad and param.grad_fn is None


def test_uniform_and_normal_have_their_moments() -> None:
    param = nn.Parameter(gl.zeros(200, 200))
    uniform = values(nn.init.uniform_(param, -1.0, 3.0))
    assert -1.0 <= uniform.min() and uniform.max() < 3.0
    assert uniform.mean() == pytest.approx(1.0, abs=0.02)
    assert uniform.std() == pytest.approx(4 / math.sqrt(12), rel=0.02)
    normal = values(nn.init.normal_(param, 2.0, 0.5))
    assert normal.mean() == pytest.approx(2.0, abs=0.02)
    assert normal.std() == pytest.approx(0.5, rel=0.02)
    assert param.is_leaf and param.grad_fn is None


@pytest.mark.parametrize(
    ("fill", "bound"),
    [
        # sqrt(3) * gain / sqrt(fan), and gain * sqrt(6 / (fan_in + fan_out)).
        (lambda w: nn.init.kaiming_uniform_(w), math.sqrt(6 / 300)),
        (lambda w: nn.init.kaiming_uniform_(w, a=math.sqrt(5)), 1 / math.sqrt(300)),
        (lambda w: nn.init.kaiming_uniform_(w, mode="fan_out", nonlinearity="relu"), math.sqrt(6 / 200)),
        (lambda w: nn.init.kaiming_uniform_(w, nonlinearity="tanh"), 5 / 3 * math.sqrt(3 / 300)),
        (lambda w: nn.init.xavier_uniform_(w), math.sqrt(6 / 500)),
        (lambda w: nn.init.xavier_uniform_(w, gain=2.0), 2 * math.sqrt(6 / 500)),
    ],
)
def test_weights_lie_within_the_bound_and_fill_it(fill: object, bound: float) -> None:
    found = values(fill(nn.Parameter(gl.zeros(200, 300))))  # type: ignore[operator]
    assert abs(found).max() <= bound
    assert found.max() > 0.99 * bound and found.min() < -0.99 * bound
    assert found.std() == pytest.approx(bound / math.sqrt(3), rel=0.02)


def test_fans_of_kernels_count_their_field() -> None:
    found = values(nn.init.xavier_uniform_(nn.Parameter(gl.zeros(20, 30, 3, 3))))
    assert abs(found).max() <= math.sqrt(6 / (50 * 9))


def test_linear_starts_as_pytorch_says() -> None:
    layer = nn.Linear(100, 300)
    for param in (layer.weight, layer.bias):
        found = abs(values(param))
        assert found.max() <= 0.1 and found.max() > 0.099
    assert layer.weight.shape == (300, 100) and layer.bias is not None and layer.bias.shape == (300,)
    assert layer.weight.requires_grad
    assert nn.Linear(2, 3, bias=False).bias is None
    assert nn.Linear(2, 3, dtype=gl.float64).weight.dtype is gl.float64
    with pytest.warns(UserWarning, match="without elements"):
        assert nn.Linear(0, 3).weight.shape == (3, 0)


def test_layer_norm_starts_as_the_identity() -> None:
    layer = nn.LayerNorm((2, 3))
    assert values(layer.weight).tolist() == [[1.0] * 3] * 2 and values(layer.bias).tolist() == [[0.0] * 3] * 2
    assert list(nn.LayerNorm(3, bias=False).state_dict()) == ["weight"]
    assert list(nn.LayerNorm(3, elementwise_affine=False).state_dict()) == []


def test_what_cannot_be_initialised_says_so() -> None:
    with pytest.raises(ValueError, match=r"need a tensor of 2 axes or more, got shape \[3\]"):
        nn.init.kaiming_uniform_(gl.zeros(3))
    with pytest.raises(ValueError, match="'fan_in' or 'fan_out', got 'both'"):
        nn.init.kaiming_uniform_(gl.zeros(3, 3), mode="both")
    with pytest.raises(ValueError, match="no gain is known for 'swish'; known: leaky_relu, linear"):
        nn.init.calculate_gain("swish")
