from __future__ import annotations

import math
import statistics
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


@pytest.mark.parametrize(
    ("fill", "std"),
    [
        (lambda w: nn.init.kaiming_normal_(w), math.sqrt(2 / 300)),
        (lambda w: nn.init.kaiming_normal_(w, mode="fan_out", nonlinearity="relu"), math.sqrt(2 / 200)),
        (lambda w: nn.init.xavier_normal_(w, gain=2.0), 2 * math.sqrt(2 / 500)),
    ],
)
def test_normal_weights_have_the_standard_deviation(fill: object, std: float) -> None:
    found = values(fill(nn.Parameter(gl.zeros(200, 300))))  # type: ignore[operator]
    assert found.std() == pytest.approx(std, rel=0.02) and abs(found.mean()) < 0.02 * std
    assert abs(found).max() > 3 * std


def test_a_truncated_normal_has_the_distribution_of_what_lies_within() -> None:
    param = nn.Parameter(gl.zeros(100, 400))
    found = values(nn.init.trunc_normal_(param, mean=0.5, std=2.0, a=-1.0, b=1.0))
    assert found.min() >= -1.0 and found.max() <= 1.0 and param.is_leaf
    # Of a normal distribution between the bounds -0.75 and 0.25 in units of std.
    normal = statistics.NormalDist()
    low, high = normal.cdf(-0.75), normal.cdf(0.25)
    for share in (0.1, 0.5, 0.9):
        expected = 0.5 + 2.0 * normal.inv_cdf(low + share * (high - low))
        assert np.quantile(found, share) == pytest.approx(expected, abs=0.02)
    with pytest.warns(UserWarning, match="more than 2 std"):
        nn.init.trunc_normal_(gl.zeros(3), mean=50.0)


@pytest.mark.parametrize("shape", [(4, 7), (7, 4), (5, 2, 3), (3, 3)])
def test_rows_or_columns_are_orthogonal(shape: tuple[int, ...]) -> None:
    found = values(nn.init.orthogonal_(nn.Parameter(gl.zeros(*shape)), gain=3.0)).reshape(shape[0], -1)
    product = found @ found.T if found.shape[0] < found.shape[1] else found.T @ found
    np.testing.assert_allclose(product, 9 * np.eye(len(product)), atol=1e-5)


def test_a_share_of_each_column_is_zero() -> None:
    found = values(nn.init.sparse_(gl.ones(10, 30), 0.35))
    assert ((found == 0).sum(0) == 4).all() and found.std() < 0.02


def test_identities() -> None:
    assert nn.init.eye_(gl.ones(2, 3)).tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    x = gl.randn(1, 2, 6).numpy()[0]
    weight = values(nn.init.dirac_(gl.ones(3, 2, 3)))
    given = [sum(np.convolve(x[j], weight[k, j], "same") for j in range(2)) for k in range(3)]
    np.testing.assert_allclose(given, [x[0], x[1], 0 * x[0]], atol=1e-7)
    assert values(nn.init.dirac_(gl.ones(4, 2, 1), groups=2))[:, :, 0].tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: nn.init.orthogonal_(gl.zeros(3)), "2 or more dimensions"),
        (lambda: nn.init.sparse_(gl.zeros(3), 0.5), "Only tensors with 2 dimensions"),
        (lambda: nn.init.eye_(gl.zeros(3)), "Only tensors with 2 dimensions"),
        (lambda: nn.init.dirac_(gl.zeros(3, 3)), "3, 4, or 5 dimensions"),
        (lambda: nn.init.dirac_(gl.zeros(3, 3, 3), 2), "divisible by groups"),
        (lambda: nn.init.calculate_gain("leaky_relu", "a"), "not a valid number"),  # type: ignore[arg-type]
    ],
)
def test_tensors_that_cannot_be_filled_so_are_refused(call: object, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()  # type: ignore[operator]
