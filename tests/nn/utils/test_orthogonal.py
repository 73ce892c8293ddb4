"""Orthogonal weights: PyTorch's values and gradients, what may be assigned, one graph in a jitted function."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.nn.utils import parametrizations

FIGURES = json.loads((Path(__file__).parent / "orthogonal.json").read_text())
"""Figures of PyTorch 2.13.0, CPU, float64: the weight at first and after a step, the gradient of what is stored."""


def weights(rows: int, columns: int) -> Any:
    return (gl.arange(rows * columns, dtype=gl.float64) * 1.7 + 0.3).sin().reshape(rows, columns)


def made(rows: int, columns: int, kind: str | None, has_base: bool) -> Any:
    layer = nn.Linear(columns, rows, bias=False, dtype=gl.float64)
    with gl.no_grad():
        layer.weight.copy_(weights(rows, columns))
    return parametrizations.orthogonal(layer, "weight", kind, use_trivialization=has_base)


def loss(layer: Any, factors: Any) -> Any:
    return (layer.weight * factors).sum()


@pytest.mark.parametrize("case", FIGURES)
def test_values_and_gradients_are_those_of_pytorch(case: str) -> None:
    rows, columns, kind, has_base = json.loads(case)
    layer = made(rows, columns, kind, has_base)
    found = [layer.weight.detach()]
    with gl.no_grad():
        layer.parametrizations.weight.original.add_(0.1 * weights(rows, columns))
    found.append(layer.weight.detach())
    loss(layer, weights(rows, columns).cos()).backward()
    found.append(layer.parametrizations.weight.original.grad)
    for one, expected in zip(found, FIGURES[case], strict=True):
        np.testing.assert_allclose(one.numpy(), expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("shape", [(3, 3), (5, 2), (2, 5)])
@pytest.mark.parametrize("kind", ["matrix_exp", "cayley", "householder"])
def test_what_is_assigned_is_made_orthogonal_and_kept(shape: tuple[int, int], kind: str) -> None:
    layer = made(*shape, kind, True)
    small = layer.weight if shape[0] <= shape[1] else layer.weight.mT
    assert gl.allclose(small @ small.mT, gl.eye(min(shape), dtype=gl.float64), atol=1e-10)
    other = nn.init.orthogonal_(gl.empty(*shape, dtype=gl.float64))
    layer.weight = other
    assert gl.allclose(layer.weight, other, atol=1e-10)
    with pytest.raises(ValueError, match="Expected a matrix or batch of matrices of shape"):
        layer.weight = gl.ones(7, 7)


@pytest.mark.parametrize("kind", ["matrix_exp", "cayley", "householder"])
def test_a_jitted_step_is_one_graph(kind: str) -> None:
    found = []
    for jitted in (False, True):
        layer = made(3, 3, kind, True)
        optimizer = gl.optim.SGD(layer.parameters(), lr=0.1)

        def step(factors: Any, layer: Any = layer, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            value = loss(layer, factors)
            value.backward()
            optimizer.step()
            return value

        run = gl.jit(step) if jitted else step
        found.append([run(weights(3, 3)).item() for _ in range(3)])
        if jitted:
            assert gl.explain(run).breaks == ()
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="no parameter or buffer with name 'w'"):
        parametrizations.orthogonal(nn.Linear(2, 2), "w")
    with pytest.raises(ValueError, match="Got a tensor of 1 dimensions"):
        parametrizations.orthogonal(nn.Linear(2, 2), "bias")
    with pytest.raises(ValueError, match="orthogonal_map has to be one of"):
        parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="qr")
    with pytest.raises(NotImplementedError, match="not possible to assign"):
        made(3, 3, "cayley", False).weight = gl.eye(3, dtype=gl.float64)
    with pytest.raises(AttributeError, match="no attribute 'circulant'"):
        _ = parametrizations.circulant
