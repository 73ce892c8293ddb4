"""Factors of symmetric matrices: equations that they solve, what they refuse, and graphs."""

from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl
from guardlift import linalg as LA


def symmetric(size: int, seed: int, zeros: bool = False) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((2, size, size))
    made = drawn + drawn.swapaxes(1, 2)
    return made * (1 - np.eye(size)) if zeros else made


@pytest.mark.parametrize("zeros", [False, True])
def test_factors_solve_the_equations_of_the_matrix(zeros: bool) -> None:
    for size in range(2, 14):
        a = symmetric(size, size, zeros)
        b = np.random.default_rng(99).standard_normal((2, size, 3))
        found = LA.ldl_factor(gl.tensor(np.tril(a)))
        assert found.pivots.dtype is gl.int32
        if zeros:
            assert (found.pivots < 0).any()
        solved = LA.ldl_solve(*found, gl.tensor(b)).numpy()
        np.testing.assert_allclose(a @ solved, b, atol=1e-9)


def test_they_are_one_graph() -> None:
    @gl.jit(fullgraph=True)
    def ask(a: gl.Tensor, b: gl.Tensor) -> gl.Tensor:
        return LA.ldl_solve(*LA.ldl_factor(a), b).sum()

    a, b = gl.tensor(symmetric(4, 1)), gl.tensor(symmetric(4, 2)).requires_grad_()
    for _ in range(2):
        loss = ask(a, b)
        (slope,) = gl.autograd.grad(loss, b)
    np.testing.assert_allclose(loss.item(), np.linalg.solve(a.numpy(), b.detach().numpy()).sum(), rtol=1e-9)
    wanted = np.linalg.solve(a.numpy(), np.ones((2, 4, 4)))
    np.testing.assert_allclose(slope.numpy(), wanted, rtol=1e-9)


def test_a_block_of_zeros_is_found_and_shapes_are_checked() -> None:
    a = gl.tensor([[1.0, 1.0], [1.0, 1.0]])
    assert LA.ldl_factor_ex(gl.stack([a, gl.eye(2), gl.zeros(2, 2)])).info.tolist() == [2, 0, 1]
    with pytest.raises(LA.LinAlgError, match="block that is exactly zero"):
        LA.ldl_factor(a)
    whole, pivots = LA.ldl_factor(gl.eye(2))
    with pytest.raises(RuntimeError, match="each A matrix is 2 by 2 but each B matrix is 3 by 1"):
        LA.ldl_solve(whole, pivots, gl.ones(3, 1))
    with pytest.raises(RuntimeError, match=r"Expected pivots to be integers of shape \[2\], got float32\[2\]"):
        LA.ldl_solve(whole, gl.ones(2), gl.ones(2, 1))
    assert LA.ldl_factor(gl.ones(0, 3, 3)).LD.shape == (0, 3, 3)
    assert LA.ldl_factor_ex(gl.ones(0, 0)).info.item() == 0
