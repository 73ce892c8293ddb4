"""First and second derivatives of the functions of the surface, against differences of their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl

Function = Callable[..., gl.Tensor]
INDEX = gl.tensor([2, 0, 2])
MASK = gl.tensor([[True, False, True], [False, True, True]])


def stored(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
    result = x * 1
    result[0, 1:] = y[1, :2]
    result[:, 0].mul_(y[:, 1])
    return result


PLACES = gl.tensor([[1, 0, 1], [2, 2, 0]])


def diagonal_written(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
    result = x * 1
    result.diagonal(1).mul_(y[:, 0])
    result.t().diagonal().copy_(y[1, :2])
    return result * x


FUNCTIONS: dict[str, Function] = {
    "arithmetic": lambda x, y: (x + y * 2 - x / y) * 3 - 1 / x,
    "reflected": lambda x, y: 2 - x + 3 / y + 2**x,
    "power": lambda x, y: x**y + x**3 + x**0.5 + x**-1,
    "broadcasting": lambda x, y: x[0] * y + y[:, :1] / x,
    "floor division": lambda x, y: x // y + x % y,
    "maximum": lambda x, y: gl.maximum(x, y) + x.minimum(y * 0.9) + x.abs(),
    "transcendental": lambda x, y: x.exp() + y.log() + x.sin() * y.cos() + x.tanh() + y.sqrt() + x.expm1() + y.log1p(),
    "activations": lambda x, y: (x - y).relu() + (x - 1).sigmoid() + x.rsqrt() + y.reciprocal() + x.erf(),
    "clamp": lambda x, y: x.clamp(0.7, 1.2) + y.clamp(max=x) + x.clamp(min=y),
    "where": lambda x, y: gl.where(x > y, x * x, y) + x.masked_fill(MASK, 3.0) * y,
    "sum": lambda x, y: x.sum() * y + y.sum(1, keepdim=True) * x + x.sum(0),
    "mean": lambda x, y: x.mean() * y + y.mean((0, 1)) * x,
    "prod": lambda x, y: x.prod(1) * y.prod(),
    "variance": lambda x, y: x.var(1) * y.std() + y.var((0, 1), correction=0) + x.std(0).sum(),
    "extremes": lambda x, y: x.amax(1) + x.max() * y.min() + x.amin(0).sum() + x.max(1).values * y.min(1).values,
    "softmax": lambda x, y: x.softmax(1) * y.log_softmax(0) + y.logsumexp(1).sum(),
    "norm": lambda x, y: x.norm() + y.norm(1) + x.norm(2, 1).sum(),
    "matmul": lambda x, y: (x @ y.t()) @ (y @ x[0]),
    "batched matmul": lambda x, y: x.view(2, 1, 3) @ y.t().expand(2, 3, 2) + x.unsqueeze(1) @ y.view(3, 2),
    "linear": lambda x, y: gl.nn.functional.linear(x, y, y[:, 0]) + gl.nn.functional.linear(x, y),
    "addmm": lambda x, y: gl.addmm(x[:, :2], x, y.t(), beta=2, alpha=0.5) + gl.outer(x[:, 0], y[:, 1]),
    "movement": lambda x, y: x.t().reshape(6) * y.flatten() + x.permute(1, 0).contiguous().view(-1) + x.mT.T.reshape(6),
    "shape": lambda x, y: x.unsqueeze(0).expand(4, 2, 3).sum(0) * y.squeeze() + x[None, :, None].sum((0, 2)),
    "slices": lambda x, y: x[:, ::2].sum() * y[1:] + x[0, -1] * y[..., 1].sum(),
    "index tensors": lambda x, y: x[:, INDEX] * y + x[gl.tensor([1, 1]), gl.tensor([0, 2])].sum() + y[MASK].sum() * 2,
    "gather": lambda x, y: x.gather(1, gl.tensor([[0, 2], [1, 1]])) * y.index_select(1, gl.tensor([1, 1])),
    "index_add": lambda x, y: x.index_add(1, INDEX, y, alpha=2),
    "joining": lambda x, y: gl.cat([x, y * 2], 0) * gl.stack([x, y], 1).view(4, 3),
    "parts": lambda x, y: sum(
        part.sum() * (n + 1) for n, part in enumerate((*x.split(2, 1), *y.unbind(0), *x.chunk(2)))
    ),
    "casts": lambda x, y: x.float().double() + x.clone() * y.to(gl.float64),
    "writes": stored,
    "running sums": lambda x, y: x.cumsum(1) * y + y.cumsum(0).exp() + x.logcumsumexp(1),
    "running products": lambda x, y: x.cumprod(1) * y + (y - y[0, 1]).cumprod(1) + x.cumprod(0),
    "inverse hyperbolic": lambda x, y: x.asinh() * (y + 1).acosh() + (x / 4).atanh() + (x - x[0, 0]).asinh(),
    "two floats": lambda x, y: x.hypot(y) + x.logaddexp(y) + x.fmod(y) * x + x.atan2(y) + x.copysign(-y) + x.xlogy(y),
    "more pointwise": lambda x, y: x.sinc() + (y / 4).logit() + x.frac() * y + x.logaddexp2(y) + x.fmax(y).rsub(2),
    "sorting": lambda x, y: (
        x.sort(1).values * y + x.topk(2, 1).values[:, :1] * y + x.median() + y.kthvalue(2).values[0]
    ),
    "quantiles": lambda x, y: x.quantile(0.3, 1).sum() * y + x.quantile(0.6) + x.cummax(1).values * y,
    "turning": lambda x, y: x.flip(1) * y.roll(1, 1) + x.repeat(2, 1)[1:3] * y + x.rot90().rot90() + x.tile(2)[:, 1:4],
    "negative steps": lambda x, y: x[:, ::-1] * y[::-1] + x[0, ::-2].sum(),
    "diagonals": lambda x, y: x.tril() * y + (x.diagonal(1) @ y[:, 1:].diag_embed().sum(0)).sum() * y.triu(1),
    "diagonals in place": lambda x, y: diagonal_written(x, y),
    "trace": lambda x, y: x[:, :2].trace() * y + y.diagonal_scatter(x[0, :2]) + x[0].diag().sum() * x,
    "scattering": lambda x, y: x.scatter_add(1, PLACES, y) * y + x.scatter(1, PLACES, y * 2) + x.take(PLACES).sum(),
    "scatter to extremes": lambda x, y: x.scatter_reduce(1, PLACES, y, "amax") * x,
    "scatter means": lambda x, y: x.scatter_reduce(1, PLACES, y, "mean") * x + x.index_fill(1, INDEX[:1], 2.0) * y,
    "put": lambda x, y: (
        x.index_put((INDEX[:1] * 0,), y[0], True) * y + x.masked_scatter(MASK, y) * x + x.put(INDEX, y[0])
    ),
    "einsum": lambda x, y: gl.einsum("ij,kj->ik", x, y) @ x + gl.einsum("ij,ij,j->j", x, y, x[0]) * y,
    "tensordot": lambda x, y: (
        gl.tensordot(x, y, ([1], [1])) @ x + x.inner(y).sum() + x.kron(y)[:2, :3] + gl.cdist(x, y).sum()
    ),
    "further sums": lambda x, y: x.nanmean(1).sum() * y + x.norm(3) * y.norm(1.5, 1).sum() + x.dist(y) + x.cov().sum(),
    "lerp": lambda x, y: x.lerp(y, 0.3) + x.addcmul(y, x, value=2) + x.addcdiv(x, y),
}


def operands() -> tuple[gl.Tensor, gl.Tensor]:
    generator = np.random.default_rng(7)
    return tuple(gl.tensor(generator.uniform(0.5, 1.5, (2, 3)), requires_grad=True) for _ in range(2))  # type: ignore[return-value]


def differences(function: Callable[..., Any], values: tuple[gl.Tensor, ...], step: float) -> list[np.ndarray[Any, Any]]:
    """The slopes of `function`, which gives a number, along each element of each of the values."""
    found = []
    for value in values:
        array, slope = value.detach().numpy(), np.zeros(value.shape)
        for place in np.ndindex(*value.shape):
            before, ends = array[place], []
            for sign in (step, -step):
                array[place] = before + sign
                ends.append(float(function(*values)))
            array[place] = before
            slope[place] = (ends[0] - ends[1]) / (2 * step)
        found.append(slope)
    return found


def weighted(result: gl.Tensor) -> gl.Tensor:
    """A number in which every element counts with another weight."""
    return (result * gl.tensor(np.linspace(0.5, 1.7, max(result.numel(), 1))).view(result.shape)).sum()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_those_of_the_values(name: str) -> None:
    function, values = FUNCTIONS[name], operands()
    tolerance = 1e-3 if name == "casts" else 1e-6
    found = gl.autograd.grad(weighted(function(*values)), values, materialize_grads=True)
    for mine, expected in zip(
        found, differences(lambda *v: weighted(function(*v)), values, 1e-3 if name == "casts" else 1e-6)
    ):
        np.testing.assert_allclose(mine.numpy(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "casts"])
def test_second_derivatives_are_those_of_the_gradients(name: str) -> None:
    function, values = FUNCTIONS[name], operands()

    def slope(*at: gl.Tensor, create_graph: bool = False) -> gl.Tensor:
        firsts = gl.autograd.grad(weighted(function(*at)), at, create_graph=create_graph, materialize_grads=True)
        return sum(weighted(first) for first in firsts)  # type: ignore[return-value]

    total = slope(*values, create_graph=True)
    if total.requires_grad:
        found = gl.autograd.grad(total, values, materialize_grads=True)
    else:
        found = tuple(gl.zeros_like(value) for value in values)
    for mine, expected in zip(found, differences(slope, values, 1e-5)):
        np.testing.assert_allclose(mine.numpy(), expected, rtol=1e-5, atol=1e-5)


def test_where_elements_tie_amax_shares_the_gradient_and_max_along_an_axis_does_not() -> None:
    x = gl.tensor([2.0, 1.0, 2.0], requires_grad=True)
    assert gl.autograd.grad(x.amax(), x)[0].tolist() == [0.5, 0.0, 0.5]
    assert gl.autograd.grad(x.max(), x)[0].tolist() == [0.5, 0.0, 0.5]
    assert gl.autograd.grad(x.max(0).values, x)[0].tolist() == [1.0, 0.0, 0.0]


def test_at_the_bound_of_a_clamp_the_gradient_goes_through() -> None:
    x = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)
    assert gl.autograd.grad(x.clamp(1.0, 2.0).sum(), x)[0].tolist() == [1.0, 1.0, 0.0]
