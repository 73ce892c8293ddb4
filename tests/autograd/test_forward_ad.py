import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import forward_ad

X, T = gl.tensor([1.0, 2.0]), gl.tensor([3.0, 4.0])


def test_what_is_computed_of_a_dual_tensor_carries_a_tangent():
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(X, T)
        primal, tangent = forward_ad.unpack_dual(dual.sin() * dual)
        np.testing.assert_allclose(forward_ad.unpack_dual(dual).tangent.numpy(), T.numpy())
    np.testing.assert_allclose(primal.numpy(), np.sin(X.numpy()) * X.numpy())
    expected = (np.cos(X.numpy()) * X.numpy() + np.sin(X.numpy())) * T.numpy()
    np.testing.assert_allclose(tangent.numpy(), expected, rtol=1e-6)
    assert not primal.requires_grad
    assert not tangent.requires_grad


def test_several_duals_carry_the_sum_of_their_tangents():
    with forward_ad.dual_level():
        left, right = forward_ad.make_dual(X, T), forward_ad.make_dual(T, X)
        found = forward_ad.unpack_dual(left * right).tangent
    np.testing.assert_allclose(found.numpy(), T.numpy() * T.numpy() + X.numpy() * X.numpy())


@pytest.mark.spec("S1.08")
def test_a_saved_tensor_keeps_its_tangent():
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(gl.tensor([1.0, 1.0], requires_grad=True), T)
        product = dual * dual
        saved = product.grad_fn._saved_self
        np.testing.assert_array_equal(forward_ad.unpack_dual(saved).tangent.numpy(), T.numpy())
        product.sum().backward()
        with pytest.raises(RuntimeError, match="second time"):
            product.grad_fn._saved_self


@pytest.mark.spec("S1.08")
def test_saved_tensor_hooks_leave_the_tangent_alone():
    packed = []

    def pack(x):
        packed.append(x)
        return x

    with forward_ad.dual_level():
        dual = forward_ad.make_dual(X, T)
        with gl.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
            product = dual * dual
        np.testing.assert_array_equal(forward_ad.unpack_dual(product.grad_fn._saved_self).tangent.numpy(), T.numpy())
    assert len(packed) == 2


def test_a_tangent_that_requires_grad_can_be_differentiated():
    way = T.clone().requires_grad_()
    with forward_ad.dual_level():
        found = forward_ad.unpack_dual(forward_ad.make_dual(X, way) ** 2).tangent
    found.sum().backward()
    np.testing.assert_allclose(way.grad.numpy(), 2 * X.numpy())


def test_a_dual_of_a_leaf_has_gradients_too():
    leaf = X.clone().requires_grad_()
    with forward_ad.dual_level():
        primal, tangent = forward_ad.unpack_dual((forward_ad.make_dual(leaf, T) ** 2).sum())
    (primal + tangent).backward()
    np.testing.assert_allclose(leaf.grad.numpy(), 2 * X.numpy() + 2 * T.numpy())


def test_detached_and_other_tensors_carry_nothing():
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(X, T)
        assert forward_ad.unpack_dual(dual.detach()).tangent is None
        assert forward_ad.unpack_dual(X).tangent is None
        assert forward_ad.unpack_dual(X).primal is X
    assert forward_ad.unpack_dual(dual).tangent is None


def test_writes_and_views_carry_tangents():
    with forward_ad.dual_level():
        dual, target = forward_ad.make_dual(X, T), gl.zeros(2)
        target[0] = dual[1]
        np.testing.assert_allclose(forward_ad.unpack_dual(target).tangent.numpy(), [4.0, 0.0])
        np.testing.assert_allclose(forward_ad.unpack_dual(dual.flip(0)[:1]).tangent.numpy(), [4.0])


def test_the_level_is_a_decorator():
    @forward_ad.dual_level()
    def slope(x):
        return forward_ad.unpack_dual(forward_ad.make_dual(x, gl.ones(2)).exp()).tangent

    np.testing.assert_allclose(slope(X).numpy(), np.exp(X.numpy()), rtol=1e-6)


def test_levels_are_not_nested():
    with forward_ad.dual_level(), pytest.raises(RuntimeError, match="Nested forward mode"):
        forward_ad.enter_dual_level()
    with pytest.raises(RuntimeError, match="invalid index"):
        forward_ad.exit_dual_level()


def test_wrong_duals_are_refused():
    with pytest.raises(RuntimeError, match="no level exists"):
        forward_ad.make_dual(X, T)
    with forward_ad.dual_level():
        with pytest.raises(RuntimeError, match="different size"):
            forward_ad.make_dual(X, gl.ones(3))
        with pytest.raises(ValueError, match="Expected primal to be floating point"):
            forward_ad.make_dual(gl.tensor([1, 2]), T)
        with pytest.raises(ValueError, match="Expected tangent to be floating point"):
            forward_ad.make_dual(X, gl.tensor([1, 2]))
        with pytest.raises(TypeError, match="must be Tensor, not float"):
            forward_ad.make_dual(X, 1.0)
        with pytest.raises(RuntimeError, match="already has a forward gradient"):
            forward_ad.make_dual(forward_ad.make_dual(X, T), T)


def test_turning_recording_off_is_refused_rather_than_lose_tangents():
    with forward_ad.dual_level():
        with pytest.raises(RuntimeError, match="carried forward"), gl.no_grad():
            pass
        with pytest.raises(RuntimeError, match="carried forward"):
            gl.set_grad_enabled(False)
        with pytest.raises(RuntimeError, match="carried forward"):
            gl.no_grad()(lambda: None)()
        with gl.enable_grad():
            pass
    with gl.no_grad():
        pass


def test_a_level_records_though_grad_mode_is_off_around_it():
    with gl.no_grad():
        with forward_ad.dual_level():
            found = forward_ad.unpack_dual(forward_ad.make_dual(X, T) * 2).tangent
        np.testing.assert_array_equal(found.numpy(), 2 * T.numpy())
        assert not gl.is_grad_enabled()
    with gl.inference_mode(), pytest.raises(RuntimeError, match="inference mode records nothing"):
        forward_ad.enter_dual_level()


def test_a_compiled_function_with_no_grad_is_refused_there_too():
    def half(x):
        with gl.no_grad():
            y = x * 2
        return y * x

    jitted = gl.jit(half)
    np.testing.assert_allclose(jitted(X).numpy(), 2 * X.numpy() ** 2)
    with forward_ad.dual_level(), pytest.raises(RuntimeError, match="carried forward"):
        jitted(forward_ad.make_dual(X, T))
    np.testing.assert_allclose(jitted(X).numpy(), 2 * X.numpy() ** 2)


def test_tangents_go_through_compiled_functions():
    jitted = gl.jit(lambda x: x.sin() * 2)
    with forward_ad.dual_level():
        found = forward_ad.unpack_dual(jitted(forward_ad.make_dual(X, T))).tangent
    np.testing.assert_allclose(found.numpy(), 2 * np.cos(X.numpy()) * T.numpy(), rtol=1e-6)


def test_a_jitted_function_with_a_level_of_its_own_is_right():
    def slope(x):
        with forward_ad.dual_level():
            return forward_ad.unpack_dual(forward_ad.make_dual(x, T).sin()).tangent

    np.testing.assert_allclose(gl.jit(slope)(X).numpy(), np.cos(X.numpy()) * T.numpy(), rtol=1e-6)
