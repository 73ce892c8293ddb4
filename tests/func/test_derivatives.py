import gc
import weakref

import numpy as np
import pytest

import guardlift as gl
from guardlift.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap

X = gl.tensor([0.5, -1.0, 2.0], dtype=gl.float64)


def test_a_gradient_has_a_history_only_where_something_outside_has():
    weight = gl.ones(3, dtype=gl.float64, requires_grad=True)
    assert not grad(lambda a: (a**3).sum())(X).requires_grad
    assert grad(lambda a: (a**3 * weight).sum())(X).requires_grad
    slope = grad(lambda a: (a**3 * weight).sum())(X)
    slope.sum().backward()
    np.testing.assert_allclose(weight.grad.numpy(), 3 * X.numpy() ** 2)
    argument = X.clone().requires_grad_()
    grad(lambda a: (a**3).sum())(argument).sum().backward()
    np.testing.assert_allclose(argument.grad.numpy(), 6 * X.numpy())


def test_transforms_leave_grad_of_leaves_alone():
    argument = X.clone().requires_grad_()
    for transform in (grad, grad_and_value, hessian):
        transform(lambda a: (a**3).sum())(argument)
    assert argument.grad is None


def test_values_are_those_of_no_history_inside_of_no_grad_around():
    with gl.no_grad():
        np.testing.assert_allclose(grad(lambda a: (a**2).sum())(X).numpy(), 2 * X.numpy())
        np.testing.assert_allclose(jvp(lambda a: a**2, (X,), (X,))[1].numpy(), 2 * X.numpy() ** 2)
        assert not gl.is_grad_enabled()


@pytest.mark.parametrize("jit", [lambda f: f, gl.jit])
def test_inference_mode_is_refused_rather_than_give_zeros(jit):
    for transform in (grad, jacrev, jacfwd, hessian):
        with gl.inference_mode(), pytest.raises(RuntimeError, match="inference mode records nothing"):
            jit(transform(lambda a: (a**2).sum()))(X)


@pytest.mark.parametrize("jit", [lambda f: f, gl.jit])
@pytest.mark.parametrize("carry", [lambda f: jvp(f, (X,), (X,)), lambda f: jacfwd(f)(X), lambda f: linearize(f, X)])
def test_turning_grad_mode_off_is_refused_rather_than_lose_a_derivative(carry, jit):
    def program(a):
        with gl.no_grad():
            b = a * 2
        return b * a

    def decorated(a):
        return gl.no_grad()(lambda: a * 2)() * a

    def switched(a):
        before = gl.is_grad_enabled()
        gl.set_grad_enabled(False)
        gl.set_grad_enabled(before)
        return a

    for each in (program, decorated, switched):
        with pytest.raises(RuntimeError, match="carried forward"):
            jit(lambda each=each: carry(each))()
        assert gl.is_grad_enabled()
    with gl.no_grad():
        pass


@pytest.mark.parametrize("jit", [lambda f: f, lambda f: gl.jit(f, fullgraph=True)])
@pytest.mark.slow
def test_derivatives_of_any_order_agree(jit):
    def f(a):
        return (a.sin() * a.prod()).cumsum(0)

    orders = [jit(jacfwd(jacfwd(f))), jit(jacfwd(jacrev(f))), jit(jacrev(jacfwd(f))), jit(jacrev(jacrev(f)))]
    found = [each(X).numpy() for each in orders]
    for each in found[1:]:
        np.testing.assert_allclose(each, found[0], atol=1e-12)
    steps = np.eye(3) * 1e-5
    numeric = np.stack(
        [(jacrev(f)(X + gl.tensor(step)).numpy() - jacrev(f)(X - gl.tensor(step)).numpy()) / 2e-5 for step in steps], -1
    )
    np.testing.assert_allclose(found[0], numeric, atol=1e-7)


def test_perturbations_are_not_confused():
    one = gl.ones((), dtype=gl.float64)
    for inner in (lambda f, x: jvp(f, (x,), (one,))[1], lambda f, x: grad(f)(x)):
        for outer in (lambda f, x: jvp(f, (x,), (one,))[1], lambda f, x: grad(f)(x)):
            found = outer(lambda x, inner=inner: x * inner(lambda y: x + y, one), one)
            assert float(found) == 1.0


def test_the_function_of_vjp_can_be_called_again_and_in_vmap():
    value, product = vjp(lambda a, b: (a * b).exp(), X, X)
    units = gl.eye(3, dtype=gl.float64)
    rows = vmap(product)(units)
    expected = np.diag(np.exp(X.numpy() ** 2) * X.numpy())
    for each in rows:
        np.testing.assert_allclose(each.numpy(), expected)
    np.testing.assert_allclose(product(units[0])[0].numpy(), expected[0])
    assert not value.requires_grad


def test_vjp_inside_of_vmap_takes_cotangents_of_another_vmap():
    rows = gl.stack([X, X * 2])

    def program(row):
        value, product = vjp(lambda a: a * a.sum(), row)
        return vmap(lambda unit: product(unit)[0])(gl.eye(3, dtype=gl.float64))

    expected = np.stack([jacrev(lambda a: a * a.sum())(row).numpy() for row in rows])
    np.testing.assert_allclose(vmap(program)(rows).numpy(), expected)
    np.testing.assert_allclose(gl.jit(vmap(program), fullgraph=True)(rows).numpy(), expected)


def test_nothing_of_a_transform_is_kept_alive():
    argument = X.clone()
    seen = []
    grad(lambda a: (seen.append(weakref.ref(a)), (a**2).sum())[1])(argument)
    hessian(lambda a: (seen.append(weakref.ref(a)), (a**2).sum())[1])(argument)
    gc.collect()
    assert [each() for each in seen] == [None] * len(seen)


def test_transforms_bear_the_name_of_the_function():
    def energy(a):
        return (a**2).sum()

    assert {each(energy).__name__ for each in (grad, grad_and_value, jacrev, jacfwd, hessian, vmap)} == {"energy"}


def test_errors_say_what_was_found_and_what_to_do():
    with pytest.raises(RuntimeError, match="got tensor with 1 dims. Maybe you wanted to use the vjp or jacrev"):
        grad(lambda a: a)(X)
    with pytest.raises(RuntimeError, match="Got argnum=3, but only 1 positional inputs"):
        grad(lambda a: a.sum(), argnums=3)(X)
    with pytest.raises(RuntimeError, match=r"cotangents: \*, primal output: \[\*, \*\]"):
        vjp(lambda a: [a, a], X)[1](X)
    with pytest.raises(RuntimeError, match=r"in the shape of the output"):
        vjp(lambda a: a, X)[1](X[:2])
    with pytest.raises(RuntimeError, match=r"Got primals with structure \(\*\) and tangents with structure \(\*, \*\)"):
        jvp(lambda a: a, (X,), (X, X))
