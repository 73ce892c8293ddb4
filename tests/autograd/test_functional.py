"""Derivatives of functions: closed forms, and PyTorch's structure and errors."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, normal

import guardlift as gl
from guardlift.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp

A = np.array([[2.0, -1.0, 0.5], [0.0, 3.0, 1.0]])
X = np.array([0.5, -1.0, 2.0])


def t(value: Any, requires_grad: bool = False) -> gl.Tensor:
    return gl.tensor(value, dtype=gl.float64, requires_grad=requires_grad)


def close(found: Any, expected: Any) -> None:
    assert not isinstance(found, tuple)
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-12, atol=1e-12)
    assert found.shape == np.shape(expected)


def curve(x: gl.Tensor) -> gl.Tensor:
    """sin(A x), whose Jacobian is diag(cos(A x)) A."""
    return (t(A) @ x).sin()


def energy(x: gl.Tensor) -> gl.Tensor:
    """The sum of sin(A x), whose Hessian is -A' diag(sin(A x)) A."""
    return curve(x).sum()


SLOPE = np.cos(A @ X)[:, None] * A
BEND = -A.T @ (np.sin(A @ X)[:, None] * A)


# Values.
def test_jacobian_of_a_vector_function() -> None:
    close(jacobian(curve, t(X)), SLOPE)
    close(jacobian(curve, t(X), vectorize=True), SLOPE)


def test_products_with_the_jacobian() -> None:
    u, v = np.array([2.0, -3.0]), np.array([1.0, 0.5, -2.0])
    outputs, pulled = vjp(curve, t(X), t(u))
    close(outputs, np.sin(A @ X))
    close(pulled, u @ SLOPE)
    outputs, pushed = jvp(curve, t(X), t(v))
    close(outputs, np.sin(A @ X))
    close(pushed, SLOPE @ v)


def test_hessian_and_products_with_it() -> None:
    v = np.array([1.0, 0.5, -2.0])
    close(hessian(energy, t(X)), BEND)
    close(hessian(energy, t(X), vectorize=True), BEND)
    for product in (hvp, vhp):
        value, found = product(energy, t(X), t(v))
        close(value, np.sin(A @ X).sum())
        close(found, BEND @ v)


def test_the_product_with_a_hessian_is_symmetric_in_several_inputs() -> None:
    def function(a: gl.Tensor, b: gl.Tensor) -> gl.Tensor:
        return (a * a).sum() * b + b**3

    a, b = t([1.0, 2.0]), t(3.0)
    for product in (hvp, vhp):
        value, found = product(function, (a, b), (a, b))
        close(value, 42.0)
        close(found[0], [12.0, 24.0])  # 2 b v_a + 2 a v_b
        close(found[1], 64.0)  # 2 a . v_a + 6 b v_b


def test_matrices_of_more_axes() -> None:
    x = np.arange(6.0).reshape(2, 3)
    found = jacobian(lambda x: x.t() * 2, t(x))
    expected = np.zeros((3, 2, 2, 3))
    for i, j in np.ndindex(3, 2):
        expected[i, j, j, i] = 2
    close(found, expected)
    bend = hessian(lambda x: (x**3).sum(), t(x))
    close(bend, np.diag(6 * x.ravel()).reshape(2, 3, 2, 3))


def test_no_axes_and_no_elements() -> None:
    close(jacobian(lambda x: x * x, t(3.0)), 6.0)
    close(hessian(lambda x: x**3, t(2.0)), 12.0)
    close(hessian(lambda x: (x**3).sum().view(1), t([2.0])), [[12.0]])
    assert jacobian(lambda x: x * 2, t([])).shape == (0, 0)
    assert jacobian(lambda x: x.sum() * t([1.0, 2.0]), t([])).shape == (2, 0)


def test_a_vector_left_out_is_one() -> None:
    close(vjp(lambda x: (x * x).sum(), t(X))[1], 2 * X)
    close(jvp(lambda x: x * t(X), t(2.0))[1], X)
    close(hvp(lambda x: x**3, t(2.0))[1], 12.0)
    close(vhp(lambda x: x**3, t([2.0]))[1], [12.0])


# Structure.
def test_tuples_of_inputs_and_of_outputs_give_tuples_by_output_and_then_by_input() -> None:
    a, b = t([1.0, 2.0]), t(3.0)
    by_input = jacobian(lambda a, b: a * b, (a, b))
    assert isinstance(by_input, tuple) and len(by_input) == 2
    close(by_input[0], [[3.0, 0.0], [0.0, 3.0]])
    close(by_input[1], [1.0, 2.0])
    by_output = jacobian(lambda a: (a * a, a.sum()), a)
    assert isinstance(by_output, tuple) and len(by_output) == 2
    close(by_output[0], [[2.0, 0.0], [0.0, 4.0]])
    close(by_output[1], [1.0, 1.0])
    both = jacobian(lambda a, b: (a * b, b), (a, b))
    close(both[1][0], [0.0, 0.0])
    close(both[1][1], 1.0)
    close(jacobian(lambda a: (a * a,), (a,))[0][0], [[2.0, 0.0], [0.0, 4.0]])


def test_a_hessian_of_several_inputs_is_a_tuple_of_tuples() -> None:
    found = hessian(lambda a, b: (a**3).sum() * b, (t([1.0, 2.0]), t(3.0)))
    close(found[0][0], [[18.0, 0.0], [0.0, 36.0]])
    close(found[0][1], [3.0, 12.0])
    close(found[1][0], [3.0, 12.0])
    close(found[1][1], 0.0)
    assert isinstance(hessian(lambda a: a**2, (t(1.0),))[0][0], gl.Tensor)


def test_products_come_in_the_structure_of_inputs_or_of_outputs() -> None:
    a, b = t([1.0, 2.0]), t(3.0)
    outputs, pulled = vjp(lambda a, b: (a * b, b), (a, b), (a, b))
    assert isinstance(outputs, tuple)
    close(pulled[0], [3.0, 6.0])
    close(pulled[1], 8.0)
    outputs, pushed = jvp(lambda b: (a * b, b * b), b, b)
    close(pushed[0], [3.0, 6.0])
    close(pushed[1], 18.0)
    assert isinstance(vjp(lambda a: (a * 2,), a, a)[0], tuple)
    assert isinstance(hvp(lambda a: a.sum(), (a,), (a,))[1], tuple)


# The graph around.
@pytest.mark.parametrize("requires_grad", [True, False])
def test_results_have_no_history_unless_asked_for(requires_grad: bool) -> None:
    x = t(X, requires_grad)
    found = [*vjp(energy, x), *jvp(curve, x, x), *hvp(energy, x, x), *vhp(energy, x, x), jacobian(curve, x)]
    assert not any(each.requires_grad for each in [*found, hessian(energy, x)])
    assert x.grad is None and x.requires_grad is requires_grad


def test_results_under_create_graph_are_differentiated_again() -> None:
    x = t(X, requires_grad=True)
    third = np.einsum("i,ij,ik,il->jkl", -np.cos(A @ X), A, A, A)
    for product in (hvp, vhp):
        _, found = product(energy, x, t([1.0, 0.0, 0.0]), create_graph=True)
        close(gl.autograd.grad(found.sum(), x)[0], third[0].sum(0))
    close(gl.autograd.grad(hessian(energy, x, create_graph=True).sum(), x)[0], third.sum((0, 1)))
    close(gl.autograd.grad(jacobian(curve, x, create_graph=True).sum(), x)[0], BEND.sum(0))
    close(gl.autograd.grad(vjp(energy, x, create_graph=True)[1].sum(), x)[0], BEND.sum(0))
    close(gl.autograd.grad(jvp(curve, x, t(np.ones(3)), create_graph=True)[1].sum(), x)[0], BEND.sum(0))


def test_one_may_be_taken_of_another() -> None:
    found = jacobian(lambda x: jacobian(energy, x, create_graph=True), t(X))
    close(found, BEND)
    close(jacobian(lambda x: vjp(energy, x, create_graph=True)[1], t(X)), BEND)


def test_no_grad_around_does_not_matter() -> None:
    with gl.no_grad():
        close(jacobian(curve, t(X)), SLOPE)
        assert jacobian(curve, t(X, requires_grad=True), create_graph=True).requires_grad
        assert not gl.is_grad_enabled()


def test_an_input_that_does_not_matter_has_a_derivative_of_zeros() -> None:
    x, y = t(X), t([1.0, 2.0])
    close(vjp(lambda x: y, x, y)[1], np.zeros(3))
    close(jvp(lambda x: y, x, x)[1], np.zeros(2))
    close(jacobian(lambda x: y, x), np.zeros((2, 3)))
    close(jacobian(lambda x, y: x * 2, (x, y))[1], np.zeros((3, 2)))
    close(hvp(lambda x: y.sum(), x, x)[1], np.zeros(3))
    close(vhp(lambda x: x.sum(), x, x)[1], np.zeros(3))
    close(hessian(lambda x: x.sum(), x), np.zeros((3, 3)))
    integers = jacobian(lambda x: (x * 2).long(), x)
    assert not integers.numpy().any()


def test_nothing_keeps_the_graph_alive_afterwards() -> None:
    seen: list[weakref.ref[Any]] = []

    def watched(x: gl.Tensor) -> gl.Tensor:
        result = energy(x)
        seen.append(weakref.ref(result.grad_fn))
        return result

    gc.disable()
    try:
        for product in (vjp, jacobian, hessian):
            product(watched, t(X))
        for product in (jvp, hvp, vhp):
            product(watched, t(X), t(X))
        assert len(seen) == 6 and [node() for node in seen] == [None] * 6
    finally:
        gc.enable()


# Strict mode.
WEIGHT = t(X, requires_grad=True)
STRICT: list[tuple[str, Any]] = [
    ("Output 0 of the user-provided function does not require", lambda x: vjp(lambda x: t(X), x, x, strict=True)),
    ("Output 0 of the user-provided function does not require", lambda x: jvp(lambda x: t(X), x, x, strict=True)),
    ("Output 0 of the user-provided function does not require", lambda x: jacobian(lambda x: t(X), x, strict=True)),
    ("Output 0 of the user-provided function does not require", lambda x: hvp(lambda x: t(1.0), x, x, strict=True)),
    ("Output 0 of the user-provided function does not require", lambda x: hessian(lambda x: t(1.0), x, strict=True)),
    ("The output of .* is independent of input 1", lambda x: vjp(lambda x, y: x * 2, (x, x), x, strict=True)),
    ("is independent of input 1", lambda x: jvp(lambda x, y: x * 2, (x, x), (x, x), strict=True)),
    ("Output 0 of .* is independent of input 1", lambda x: jacobian(lambda x, y: x * 2, (x, x), strict=True)),
    ("create_graph=True", lambda x: vjp(lambda x: x * 2, x, x, True, True)),
    ("create_graph=True", lambda x: jvp(lambda x: x * 2, x, x, True, True)),
    ("create_graph=True", lambda x: jacobian(lambda x: x * 2, x, True, True)),
    ("While computing the hessian", lambda x: hessian(lambda x: x.sum(), x, strict=True)),
    ("While computing the hessian", lambda x: hvp(lambda x: x.sum(), x, x, strict=True)),
    ("While computing the hessian", lambda x: vhp(lambda x: x.sum(), x, x, strict=True)),
    ("The hessian .* is independent of input 0", lambda x: vhp(lambda x: (x * WEIGHT).sum(), x, x, strict=True)),
    ("The hessian .* is independent of input 0", lambda x: hvp(lambda x: (x * WEIGHT).sum(), x, x, strict=True)),
]


@pytest.mark.parametrize(("message", "call"), STRICT)
def test_strict_mode_refuses_what_does_not_depend(message: str, call: Any) -> None:
    with pytest.raises(RuntimeError, match=message):
        call(t(X))


def test_strict_mode_lets_through_what_depends() -> None:
    x = t(X)
    close(jacobian(curve, x, strict=True), SLOPE)
    close(hessian(energy, x, strict=True), BEND)
    for product in (vjp, jvp, hvp, vhp):
        product(energy, x, None if product is vjp else x, strict=True)


# Errors.
@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (RuntimeError, "v can only be None", lambda x: vjp(curve, x)),
        (RuntimeError, "v can only be None", lambda x: jvp(curve, x)),
        (RuntimeError, "v can only be None", lambda x: hvp(energy, x)),
        (RuntimeError, "v can only be None", lambda x: vhp(energy, (x, x))),
        (RuntimeError, "should have 2 tensors but has 1", lambda x: vjp(lambda x: (x, x), x, (x,))),
        (
            RuntimeError,
            r"v has invalid size: it should be \[3\] but is \[\]",
            lambda x: vjp(lambda x: x * 2, x, t(1.0)),
        ),
        (RuntimeError, "entry 1 of v has invalid size", lambda x: jvp(lambda x, y: x, (x, x), (x, t(1.0)))),
        (TypeError, "inputs of vjp must be either a Tensor or a tuple of Tensors", lambda x: vjp(curve, 3)),
        (TypeError, "inputs of jvp .* has type <class 'list'>", lambda x: jvp(curve, [x])),
        (TypeError, "the value at index 1 has type <class 'int'>", lambda x: jacobian(curve, (x, 3))),
        (TypeError, "v of hvp must be", lambda x: hvp(energy, x, 3)),
        (TypeError, "outputs of the function of vhp must be", lambda x: vhp(lambda x: 3, x, x)),
        (TypeError, "outputs of the function of hessian must be", lambda x: hessian(lambda x: [x], x)),
        (RuntimeError, r"hessian should contain a single element, got shape \[3\]", lambda x: hessian(lambda x: x, x)),
        (RuntimeError, "hvp should return a single Tensor", lambda x: hvp(lambda x: (x.sum(), x), x, x)),
        (RuntimeError, "floating point and complex dtype", lambda x: jacobian(lambda x: x * 2, gl.tensor([1, 2]))),
        (
            RuntimeError,
            "strict=True together with vectorize",
            lambda x: jacobian(curve, x, strict=True, vectorize=True),
        ),
        (NotImplementedError, "for vectorize=True", lambda x: jacobian(curve, x, strategy="forward-mode")),
        (NotImplementedError, "for vectorize", lambda x: hessian(energy, x, outer_jacobian_strategy="forward-mode")),
        (RuntimeError, "and strict=True", lambda x: jacobian(curve, x, strict=True, strategy="forward-mode")),
        (
            NotImplementedError,
            "and create_graph=True",
            lambda x: jacobian(curve, x, create_graph=True, vectorize=True, strategy="forward-mode"),
        ),
        (ValueError, "got 'sideways'", lambda x: jacobian(curve, x, strategy="sideways")),
    ],
)
def test_what_does_not_fit_is_an_error(error: type[Exception], message: str, call: Any) -> None:
    x = t(X, requires_grad=True)
    with pytest.raises(error, match=message):
        call(x)
    assert x.tolist() == X.tolist() and x.grad is None and x._version == 0


# Inside a jitted function.
MATRICES = [
    lambda x: jacobian(lambda y: y * y, x * 2) + 1,
    lambda x: hessian(lambda y: (y**3).sum(), x),
]
PRODUCTS = [
    lambda x: vjp(lambda y: (y * y).sum(), x),
    lambda x: vjp(lambda y: (y * y).sum(), x, create_graph=True),
    lambda x: jvp(lambda y: y * y, x, x),
    lambda x: hvp(lambda y: (y**3).sum(), x, x),
    lambda x: vhp(lambda y: (y**3).sum(), x, x),
    lambda x: vjp(lambda y: 3, x),
]


@pytest.mark.parametrize("program", [*MATRICES, *PRODUCTS])
@pytest.mark.parametrize("requires_grad", [True, False])
def test_a_jitted_function_gives_the_same_derivatives(program: Any, requires_grad: bool) -> None:
    check(program, lambda number: [normal(3, seed=number).requires_grad_(requires_grad)], breaks=None)


def test_the_strategy_changes_no_value() -> None:
    x = t(X)
    forward = jacobian(curve, x, vectorize=True, strategy="forward-mode")
    np.testing.assert_array_equal(forward.numpy(), jacobian(curve, x).numpy())
    second = hessian(energy, x, vectorize=True, outer_jacobian_strategy="forward-mode")
    np.testing.assert_array_equal(second.numpy(), hessian(energy, x).numpy())
