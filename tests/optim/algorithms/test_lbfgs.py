"""The direction of LBFGS: over arrays what it is over tensors, and the gradient's own where nothing is remembered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.optim.algorithms.lbfgs import _by_moves, _direction


def memory(dtype: Any, length: int) -> tuple[Any, dict[str, Any]]:
    """A gradient of seven elements, and a state that remembers so many moves."""
    gl.manual_seed(3)
    grad, changes, moves = (
        gl.randn(7, dtype=dtype),
        [gl.randn(7, dtype=dtype) for _ in range(length)],
        [gl.randn(7, dtype=dtype) for _ in range(length)],
    )
    inverses = [1.0 / change.dot(change) for change in changes]
    scale = 1 if not length else changes[-1].dot(moves[-1]).abs()
    return grad, {"old_dirs": changes, "old_stps": moves, "ro": inverses, "H_diag": scale}


@pytest.mark.parametrize("length", [0, 1, 5])
@pytest.mark.parametrize("dtype", [gl.float32, gl.float64, gl.bfloat16])
def test_the_direction_is_that_of_tensors(dtype: Any, length: int) -> None:
    grad, state = memory(dtype, length)
    before = [each.clone() for each in (grad, *state["old_dirs"], *state["old_stps"])]
    found = _direction(state, grad)
    wanted = _by_moves(grad, state["old_dirs"], state["old_stps"], state["ro"], state["H_diag"])
    assert found.dtype is dtype and found.shape == (7,)
    assert gl.allclose(found, wanted, rtol=1e-4, atol=1e-5)
    if not length:
        assert gl.equal(found, -grad)
    after = (grad, *state["old_dirs"], *state["old_stps"])
    assert all(gl.equal(one, other) for one, other in zip(before, after, strict=True))


def test_the_direction_undoes_the_curvature_of_a_parabola() -> None:
    """With as many moves as there are axes, the direction leads to the lowest point."""
    curvature, point = gl.tensor([1.0, 10.0], dtype=gl.float64), gl.tensor([3.0, -2.0], dtype=gl.float64)
    moves = [gl.tensor([1.0, 0.0], dtype=gl.float64), gl.tensor([0.0, 1.0], dtype=gl.float64)]
    changes = [each * curvature for each in moves]
    inverses = [1.0 / one.dot(other) for one, other in zip(changes, moves)]
    state = {"old_dirs": changes, "old_stps": moves, "ro": inverses, "H_diag": 1}
    np.testing.assert_allclose((point + _direction(state, point * curvature)).numpy(), [0.0, 0.0], atol=1e-12)
