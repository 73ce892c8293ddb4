"""Optimizers without a formula for every element against PyTorch's figures: Adafactor, Muon, SparseAdam and LBFGS."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from optim.cases import FIGURES, make, more

import guardlift as gl
from guardlift import nn, optim


def assert_close(mine: Any, theirs: Any, relative: float) -> None:
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=relative, atol=relative)


@pytest.mark.parametrize("name", more.MATRICES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_steps_over_matrices_agree_with_pytorch(name: str, dtype: str) -> None:
    kind, settings = more.MATRICES[name]
    theirs, states = FIGURES["matrices"][name][dtype]
    mine, own = more.matrices(gl, kind, settings, dtype, make)
    # Muon's iteration is over bfloat16, whose last digit is worth 0.4 %, in steps of one to two hundredths.
    assert_close(mine, theirs, 5e-3 if kind == "Muon" else {"float32": 2e-5, "float64": 1e-11}[dtype])
    for one, other in zip(own, states, strict=True):
        assert list(one) == list(other)
        assert_close(one.values(), other.values(), {"float32": 1e-4, "float64": 1e-11}[dtype])


@pytest.mark.parametrize("name", more.SPARSE)
def test_steps_along_sparse_gradients_agree_with_pytorch(name: str) -> None:
    table, step, *moments = more.sparse(gl, more.SPARSE[name], make)
    theirs = FIGURES["sparse adam"][name]
    assert step == theirs[1]
    assert_close([table, *moments], [theirs[0], *theirs[2:]], 1e-12)


@pytest.mark.parametrize("wrap", [None, gl.jit], ids=["eager", "jitted"])
@pytest.mark.parametrize("name", more.SEARCHES)
def test_searches_take_the_steps_of_pytorch(name: str, wrap: Any) -> None:
    losses, calls, iterations, x, y, remembered = more.searched(gl, more.SEARCHES[name], wrap=wrap)
    theirs = FIGURES["searches"][name]
    assert (calls, iterations, remembered) == (theirs[1], theirs[2], theirs[5])
    assert_close([losses, x, y], [theirs[0], theirs[3], theirs[4]], 1e-6)


def test_a_search_in_float32_comes_to_the_same_place() -> None:
    losses = more.searched(gl, {"line_search_fn": "strong_wolfe"}, "float32")[0]
    assert losses[-1] == pytest.approx(FIGURES["searches"]["strong wolfe"][0][-1], abs=1e-5)


def test_a_search_goes_on_from_a_state_dict() -> None:
    def world() -> tuple[Any, Any, Any]:
        x = nn.Parameter(gl.tensor([-1.2, 1.0], dtype=gl.float64))
        optimizer = optim.LBFGS([x], max_iter=3, line_search_fn="strong_wolfe")

        def closure() -> Any:
            optimizer.zero_grad()
            loss = (x[1] - x[0] ** 2) ** 2 * 100 + (1 - x[0]) ** 2
            loss.backward()
            return loss

        return x, optimizer, closure

    (one, first, closure), (other, second, again) = world(), world()
    for _ in range(3):
        first.step(closure)
    with gl.no_grad():
        other.copy_(one)
    second.load_state_dict(first.state_dict())
    for _ in range(3):
        first.step(closure)
        second.step(again)
    assert one.tolist() == other.tolist()


def test_what_these_optimizers_refuse() -> None:
    flat, matrix = nn.Parameter(gl.ones(3)), nn.Parameter(gl.ones(3, 3))
    with pytest.raises(ValueError, match="Muon only supports 2D parameters, got one of shape \\[3\\]"):
        optim.Muon([flat])
    with pytest.raises(ValueError, match="adjust_lr_fn is 'original', 'match_rms_adamw' or None, got 'other'"):
        optim.Muon([matrix], adjust_lr_fn="other")
    with pytest.raises(ValueError, match="beta2_decay is to be at most 0, got 0.5"):
        optim.Adafactor([flat], beta2_decay=0.5)
    with pytest.raises(ValueError, match="eps\\[1\\] is not to be negative, got -1.0"):
        optim.Adafactor([flat], eps=(None, -1.0))
    with pytest.raises(ValueError, match="clipped, is to be at least 1, got 0.5"):
        optim.Adafactor([flat], d=0.5)
    with pytest.raises(ValueError, match="lr is to be above 0, got 0.0"):
        optim.SparseAdam([flat], lr=0.0)
    with pytest.raises(ValueError, match="LBFGS doesn't support per-parameter options"):
        optim.LBFGS([{"params": [flat]}, {"params": [matrix]}])
    searching = optim.LBFGS([flat], line_search_fn="other")
    with pytest.raises(RuntimeError, match="line_search_fn is 'strong_wolfe' or None, got 'other'"):
        searching.step(lambda: flat.sum())
    for made in (optim.Muon([matrix], ns_steps=100), optim.Muon([matrix], ns_coefficients=(1.0, 2.0))):  # type: ignore[arg-type]
        matrix.grad = gl.ones(3, 3)
        with pytest.raises(
            ValueError, match="ns_steps is to be less than 100|ns_coefficients are three numbers, got 2"
        ):
            made.step()
    dense = optim.SparseAdam([flat])
    flat.grad = gl.ones(3)
    with pytest.raises(RuntimeError, match="SparseAdam does not support dense gradients"):
        dense.step()
    table = nn.Embedding(4, 2, sparse=True)
    table(gl.tensor([1, 3])).sum().backward()
    for kind in (optim.Adafactor, optim.Muon):
        with pytest.raises(RuntimeError, match=f"{kind.__name__} does not support sparse gradients"):
            kind(table.parameters()).step()
    assert optim.LBFGS([flat], max_iter=10).param_groups[0]["max_eval"] == 12
