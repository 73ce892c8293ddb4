"""Linear algebra inside a jitted function is one graph, and gives and raises what it does outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, broken, check, interpreted

import guardlift as gl

LA = gl.linalg


def matrices(number: int) -> Sequence[Any]:
    rng = np.random.default_rng(number)
    square = rng.standard_normal((3, 3)) + 4 * np.eye(3)
    batch, columns, tall = (rng.standard_normal(shape) for shape in ((2, 3, 3), (3, 2), (4, 3)))
    return [gl.tensor(each).requires_grad_() for each in (square, batch, columns, tall)]


PROGRAMS = {
    "solve": lambda a, t, b, r: (LA.solve(a, b), LA.solve(t, b), LA.inv(t), LA.det(t), LA.slogdet(a)),
    "factors": lambda a, t, b, r: (LA.qr(r), LA.cholesky(a @ a.mT), LA.svdvals(t), LA.cond(a), LA.matrix_rank(r)),
    "vectors": lambda a, t, b, r: (LA.eigh(a @ a.mT)[0], LA.svd(r, full_matrices=False).S, LA.pinv(r), LA.lstsq(r, r)),
    "elimination": lambda a, t, b, r: (
        LA.lu(r),
        LA.lu_factor_ex(t),
        LA.lu_solve(*LA.lu_factor(a), b),
        LA.lu_solve(*LA.lu_factor(t), b, adjoint=True),
    ),
    "triangles": lambda a, t, b, r: (
        LA.solve_triangular(a, b, upper=True),
        gl.cholesky_solve(b, LA.cholesky(a @ a.mT)),
        gl.cholesky_inverse(LA.cholesky(a @ a.mT)),
        LA.cholesky_ex(a @ a.mT),
    ),
    "products": lambda a, t, b, r: (
        LA.multi_dot([r, a, b]),
        LA.matrix_power(a, 3),
        LA.matrix_power(a, -1),
        LA.matrix_exp(0.1 * a),
        LA.matrix_norm(t, "nuc"),
        LA.norm(a, 1),
        LA.vecdot(a, a),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_one_graph(name: str) -> None:
    check(PROGRAMS[name], matrices, calls=2, after=backward, relative=1e-7, strides=False)


def test_a_step_towards_the_inverse_of_a_matrix_is_one_graph() -> None:
    def world() -> Sequence[Any]:
        target = gl.tensor(np.array([[2.0, 0.5], [0.5, 1.0]]))
        factor = gl.nn.Parameter(gl.eye(2, dtype=gl.float64))
        return target, factor, gl.optim.SGD([factor], lr=0.05)

    def step(target: Any, factor: Any, optimizer: Any) -> Any:
        optimizer.zero_grad()
        precision = factor @ factor.mT + 0.1 * gl.eye(2, dtype=gl.float64)
        loss = (precision @ target).diagonal().sum() - gl.logdet(precision)
        loss.backward()
        optimizer.step()
        return loss

    check(step, arguments=world, calls=3, compiles=1)


BAD = {
    "LA.inv(x)": "the inversion could not be completed because the input matrix is singular",
    "LA.solve(x, x)": "The solver failed because the input matrix is singular",
    "LA.cholesky(x - gl.eye(2))": r"the leading minor of order 1 is not positive-definite",
    "LA.svd(x / x)": "contained non-finite values",
    "LA.inv(gl.stack([gl.eye(2), x]))": r"\(Batch element 1\): The diagonal element 1 is zero",
    "LA.cholesky_ex(x - gl.eye(2), check_errors=True)": "is not positive-definite",
}


@pytest.mark.parametrize("text", BAD)
def test_a_matrix_that_has_none_raises_in_compiled_code_too(text: str) -> None:
    namespace: dict[str, Any] = {"gl": gl, "LA": LA}
    exec(f"def ask(x):\n    return {text}", namespace)
    ask = namespace["ask"]
    with interpreted():
        fast = gl.jit(ask)
        fast(2 * gl.eye(2) if "x / x" not in text else gl.ones(2, 2))
        for asked in (ask, fast):
            with pytest.raises(LA.LinAlgError, match=BAD[text]):
                asked(gl.zeros(2, 2))
        assert broken(fast) == []
