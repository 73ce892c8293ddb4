"""Wrong operands raise the class of PyTorch's error, and say what was expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl

LA = gl.linalg
SQUARE, WIDE, VECTOR = gl.ones(3, 3), gl.ones(2, 3), gl.ones(3)
ERRORS: list[tuple[str, type[Exception], str]] = [
    ("LA.inv(WIDE)", RuntimeError, "A must be batches of square matrices, but they are 2 by 3 matrices"),
    ("LA.inv(VECTOR)", RuntimeError, "must have at least 2 dimensions"),
    ("LA.inv(SQUARE.long())", RuntimeError, r"Got int64; convert it with float\(\)"),
    ("LA.inv(SQUARE.half())", RuntimeError, "Low precision dtypes not supported. Got float16"),
    ("LA.inv([[1.0]])", TypeError, "must be Tensor, not list"),
    (
        "LA.solve(SQUARE, gl.ones(4))",
        RuntimeError,
        r"Incompatible shapes of A and B for the equation AX = B \(3x3 and 4x1\)",
    ),
    ("LA.solve(SQUARE, SQUARE.double())", RuntimeError, "same dtype"),
    ("LA.solve(SQUARE, VECTOR, left=False)", RuntimeError, "not supported for left=False"),
    ("LA.solve_triangular(SQUARE, VECTOR, upper=True)", RuntimeError, "B must have at least 2 dimensions"),
    ("LA.solve_triangular(SQUARE, WIDE, upper=True)", RuntimeError, "Incompatible shapes"),
    ("LA.eigh(SQUARE, UPLO='x')", RuntimeError, "Expected UPLO argument to be 'L' or 'U', but got x"),
    ("LA.qr(SQUARE, mode='x')", RuntimeError, "unrecognized mode 'x'"),
    ("LA.det(WIDE)", RuntimeError, "linalg.det: A must be batches of square matrices"),
    ("LA.matrix_norm(VECTOR)", RuntimeError, "at least 2 dimensions"),
    ("LA.matrix_norm(SQUARE, 'x')", RuntimeError, "Order x not supported"),
    ("LA.matrix_norm(SQUARE, 2, dim=(0, 0))", RuntimeError, "dims must be different"),
    ("LA.norm(gl.ones(2, 2, 2), 2)", RuntimeError, "must be 1D or 2D. Got 3D"),
    ("LA.vector_norm(VECTOR.long())", RuntimeError, "Expected a floating point or complex tensor"),
    ("LA.vector_norm(VECTOR, 'fro')", TypeError, "must be Number, not str"),
    ("LA.multi_dot([VECTOR])", RuntimeError, "expected at least 2 tensors but got 1"),
    ("LA.multi_dot([SQUARE, gl.ones(2, 2)])", RuntimeError, "cannot be multiplied"),
    ("LA.lstsq(SQUARE, gl.ones(4, 1))", RuntimeError, r"input.size\(-2\) should match other.size\(-2\)"),
    ("LA.lstsq(SQUARE, SQUARE, driver='x')", RuntimeError, "should be one of gelsy"),
    ("LA.cross(SQUARE, VECTOR)", RuntimeError, "same number of dimensions"),
    ("LA.svd(SQUARE, driver='gesvd')", RuntimeError, "only supported on CUDA"),
    ("LA.tensorinv(gl.ones(2, 3), ind=1)", RuntimeError, "Expected self to satisfy the requirement"),
    ("LA.vander(gl.ones(3), N=1)", RuntimeError, "N must be greater than 1"),
    ("gl.matrix_power(gl.zeros(2, 2), -1)", LA.LinAlgError, "the input matrix is singular"),
    ("gl.cholesky_solve(SQUARE, WIDE)", RuntimeError, "input2 must be batches of square matrices"),
]


@pytest.mark.parametrize(("text", "kind", "message"), ERRORS, ids=[each[0] for each in ERRORS])
def test_a_wrong_call_raises(text: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        eval(text, {"gl": gl, "LA": LA, "SQUARE": SQUARE, "WIDE": WIDE, "VECTOR": VECTOR})


def test_the_error_of_linear_algebra_is_a_runtime_error() -> None:
    assert issubclass(LA.LinAlgError, RuntimeError)


def test_modes_of_qr_without_a_derivative_raise_in_backward() -> None:
    for mode in ("complete", "r"):
        x = gl.randn(4, 3).requires_grad_()
        found = LA.qr(x, mode=mode)
        assert mode == "complete" or found.Q.numel() == 0
        with pytest.raises(RuntimeError, match="The QR decomposition is not differentiable"):
            found.R.sum().backward()
    assert LA.qr(gl.randn(4, 3), mode="complete").Q.shape == (4, 4)


def test_equal_eigenvalues_have_gradients_where_no_vector_is_asked() -> None:
    x = gl.eye(3, dtype=gl.float64).requires_grad_()
    (slope,) = gl.autograd.grad(LA.eigvalsh(x).sum(), x)
    np.testing.assert_allclose(slope.numpy(), np.eye(3))
    (slope,) = gl.autograd.grad(LA.svdvals(x).sum(), x)
    np.testing.assert_allclose(slope.numpy(), np.eye(3))
    (slope,) = gl.autograd.grad((LA.eigh(x).eigenvectors * gl.arange(9.0).reshape(3, 3)).sum(), x)
    assert not np.isfinite(slope.numpy()).all()  # a vector of equal eigenvalues may turn


def test_info_says_what_failed_and_nothing_is_raised() -> None:
    stack = gl.stack([gl.eye(2), gl.zeros(2, 2), gl.tensor([[1.0, 2.0], [2.0, 1.0]])])
    assert LA.cholesky_ex(stack).info.tolist() == [0, 1, 2]
    found = LA.inv_ex(stack)
    assert found.info.tolist() == [0, 1, 0]
    assert np.isnan(found.inverse[1].numpy()).all() and np.isfinite(found.inverse[2].numpy()).all()
    assert LA.solve_ex(stack, gl.ones(2)).info.dtype is gl.int32
    with pytest.raises(LA.LinAlgError, match="Batch element 1"):
        LA.inv_ex(stack, check_errors=True)


def test_results_go_where_out_says() -> None:
    out = gl.empty(3, 3)
    assert LA.inv(SQUARE + 3 * gl.eye(3), out=out) is out
    np.testing.assert_allclose((out @ (SQUARE + 3 * gl.eye(3))).numpy(), np.eye(3), atol=1e-6)


def test_no_elements_are_no_trouble() -> None:
    nothing = gl.ones(0, 0)
    assert LA.det(nothing).item() == 1.0
    assert LA.inv(nothing).shape == (0, 0)
    assert LA.svdvals(gl.ones(2, 0)).shape == (0,)
    assert LA.inv(gl.ones(0, 3, 3)).shape == (0, 3, 3)
    assert LA.matrix_rank(gl.ones(0, 3)).item() == 0
    assert LA.pinv(gl.ones(0, 3)).shape == (3, 0)
    assert LA.lu_factor_ex(nothing).info.item() == 0


@pytest.mark.parametrize("driver", [None, "gelsy", "gels", "gelsd", "gelss"])
def test_least_squares_give_what_the_driver_gives_in_pytorch(driver: Any) -> None:
    a, b = gl.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), gl.tensor([[1.0], [2.0], [4.0]])
    found = LA.lstsq(a, b, driver=driver)
    np.testing.assert_allclose(found.solution.numpy(), [[5 / 6], [1.5]], rtol=1e-5)
    assert found.rank.item() == 2
    with_residuals = driver in ("gels", "gelsd", "gelss")
    np.testing.assert_allclose(found.residuals.numpy(), [1 / 6] if with_residuals else [], rtol=1e-4)
    assert found.singular_values.shape == ((2,) if driver in ("gelsd", "gelss") else (0,))
