"""In-place operations: what is refused, and what history they give."""

from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl

spec = pytest.mark.spec


@spec("S1.22")
def test_a_leaf_that_requires_grad_is_not_written_outside_no_grad() -> None:
    a = gl.ones(2, 2, requires_grad=True)
    for write in (lambda: a.add_(1), lambda: a.zero_(), lambda: a.copy_(a), lambda: a.__setitem__(..., 0.0)):
        with pytest.raises(RuntimeError, match="a (view of a )?leaf Variable that requires grad"):
            write()
    with pytest.raises(RuntimeError, match="^a leaf Variable that requires grad is being used in an in-place"):
        a.mul_(2)
    assert a.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert a._version == 0
    with gl.no_grad():
        a.mul_(2)
    assert a.tolist() == [[2.0, 2.0], [2.0, 2.0]]


@spec("S1.22")
def test_a_view_of_such_a_leaf_is_not_written_either() -> None:
    a = gl.ones(2, 2, requires_grad=True)
    for view in (a[0], a.t(), a.view(4), a[0][1:]):
        with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
            view.add_(1)
    assert a.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    with gl.no_grad():
        a[0].add_(1)
    assert a.tolist() == [[2.0, 2.0], [1.0, 1.0]]


def test_a_view_made_under_no_grad_is_not_written_outside() -> None:
    a = gl.ones(2, requires_grad=True) * 1
    with gl.no_grad():
        view = a[0]
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        view.mul_(2)


@pytest.mark.parametrize("name", ["add_", "sub_", "mul_", "div_"])
def test_arithmetic_in_place_has_the_gradients_of_its_out_of_place_form(name: str) -> None:
    grads = []
    for in_place in (False, True):
        x = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = gl.tensor([4.0, 5.0, 6.0], requires_grad=True)
        base = x * 2
        result = getattr(base, name if in_place else name[:-1])(y)
        (result * result).sum().backward()
        grads.append((x.grad.tolist(), y.grad.tolist()))
        assert not in_place or result is base
    assert grads[0] == grads[1]


def test_a_tensor_multiplied_by_itself_in_place_has_the_gradient_of_the_square() -> None:
    x = gl.tensor([3.0], requires_grad=True)
    y = x * 1
    y.mul_(y)
    y.sum().backward()
    assert x.grad.tolist() == [6.0]


def test_a_tensor_that_meets_one_that_requires_grad_becomes_part_of_the_graph() -> None:
    w = gl.tensor([2.0, 3.0], requires_grad=True)
    b = gl.ones(2, 2)
    view = b[0]
    b.mul_(w)
    assert b.requires_grad and view.requires_grad
    assert not b.is_leaf and not view.is_leaf
    view.sum().backward()
    assert w.grad.tolist() == [1.0, 1.0]


def test_a_write_through_a_view_of_a_view_reaches_the_base_and_its_other_views() -> None:
    x = gl.tensor(np.arange(6.0, dtype=np.float32).reshape(2, 3), requires_grad=True)
    base = x * 1
    column, inner = base[:, 1], base.t()[1:][:, 0]
    inner.mul_(10)
    assert base.tolist() == [[0.0, 10.0, 20.0], [3.0, 4.0, 5.0]]
    column.sum().backward(retain_graph=True)
    assert x.grad.tolist() == [[0.0, 10.0, 0.0], [0.0, 1.0, 0.0]]
    x.grad = None
    (base * base).sum().backward()
    assert x.grad.tolist() == [[0.0, 200.0, 400.0], [6.0, 8.0, 10.0]]


def test_assigning_to_a_part_gives_the_gradient_to_what_was_assigned() -> None:
    x = gl.ones(2, 3, requires_grad=True)
    v = gl.tensor([5.0, 6.0], requires_grad=True)
    y = x * 2
    y[:, 1] = v
    y[0, 0] = 9.0
    (y * gl.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])).sum().backward()
    assert v.grad.tolist() == [2.0, 5.0]
    assert x.grad.tolist() == [[0.0, 0.0, 6.0], [8.0, 0.0, 12.0]]


def test_a_broadcast_assignment_sums_the_gradient() -> None:
    v = gl.tensor([2.0], requires_grad=True)
    y = gl.zeros(2, 3)
    y.copy_(v)
    y.sum().backward()
    assert v.grad.tolist() == [6.0]


def test_assigning_at_index_tensors_and_masks_is_differentiated() -> None:
    x, v = gl.ones(4, requires_grad=True), gl.tensor([7.0, 8.0], requires_grad=True)
    y = x * 1
    y[gl.tensor([2, 0])] = v
    assert y.tolist() == [8.0, 1.0, 7.0, 1.0]
    y[y == 1.0] = 0.0
    (y * gl.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert v.grad.tolist() == [3.0, 1.0]
    assert x.grad.tolist() == [0.0, 0.0, 0.0, 0.0]


def test_a_result_that_does_not_fit_leaves_the_tensor_as_it_was() -> None:
    x = gl.ones(2)
    with pytest.raises(RuntimeError, match=r"output with shape \[2\] doesn't match the broadcast shape \[3, 2\]"):
        x.add_(gl.ones(3, 2))
    i = gl.tensor([1, 2])
    with pytest.raises(RuntimeError, match="result type float32 can't be cast to the desired output type int64"):
        i.add_(1.5)
    assert (x.tolist(), i.tolist(), x._version) == ([1.0, 1.0], [1, 2], 0)


def test_an_expanded_tensor_is_not_written() -> None:
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        gl.ones(1).expand(3).add_(1)


def test_a_product_with_a_wider_dtype_is_computed_there_and_cast_back() -> None:
    x = gl.ones(2)
    x.mul_(gl.tensor([0.1, 0.2], dtype=gl.float64))
    assert x.dtype is gl.float32
    assert x.tolist() == np.float32([0.1, 0.2]).tolist()


def test_retain_grad_follows_a_tensor_through_an_in_place_operation() -> None:
    x = gl.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    (y * 5).sum().backward()
    assert y.grad.tolist() == [5.0, 5.0]
    assert x.grad.tolist() == [30.0, 30.0]


def test_detach_in_place_cuts_the_history_and_refuses_views() -> None:
    x = gl.ones(2, requires_grad=True)
    y = x * 2
    assert y.detach_() is y and y.is_leaf and not y.requires_grad
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        (x * 2).view(2).detach_()


def test_replacing_data_keeps_the_counter_and_frees_the_shape() -> None:
    x = gl.ones(2, requires_grad=True)
    other = gl.zeros(3)
    x.data = other
    assert x.shape == (3,) and x._storage is other._storage and x.requires_grad
    with gl.no_grad():
        x.add_(1)
    assert other.tolist() == [1.0, 1.0, 1.0]
    assert (x._version, other._version) == (1, 0)
    with pytest.raises(TypeError, match="takes a Tensor, got int"):
        x.data = 1


SAVING = {
    "square_": (), "reciprocal_": (), "abs_": (), "logit_": (), "asinh_": (), "cumprod_": (1,), "float_power_": (2,),
    "atan2_": (0.5,), "hypot_": (0.5,), "copysign_": (0.5,), "fmod_": (0.4,), "floor_divide_": (0.3,),
}  # fmt: skip


@pytest.mark.parametrize("part", [slice(None), slice(1, None)], ids=["whole", "view"])
@pytest.mark.parametrize("name", SAVING)
def test_a_twin_in_place_saves_the_values_from_before_it_wrote(name: str, part: slice) -> None:
    grads = []
    for in_place in (False, True):
        x = gl.tensor([[0.3, 0.6], [0.7, 0.2]], dtype=gl.float64, requires_grad=True)
        other = [gl.full((2, 2), each, dtype=gl.float64, requires_grad=True)[part] for each in SAVING[name][:1]]
        given = SAVING[name] if name in ("cumprod_", "float_power_") else other
        base = x * 1
        result = getattr(base[part], name if in_place else name[:-1])(*given)
        assert base._version == int(in_place)
        (result * result).sum().backward()
        grads.append(x.grad.tolist())
    assert grads[0] == grads[1]


@pytest.mark.parametrize("mode", ["trunc", "floor"])
def test_a_rounded_quotient_in_place_has_a_gradient_of_zeros(mode: str) -> None:
    x, y = gl.tensor([1.5, 2.5], requires_grad=True), gl.tensor([0.7, 0.3], requires_grad=True)
    (x * 1).div_(y, rounding_mode=mode).sum().backward()
    assert x.grad.abs().tolist() == y.grad.abs().tolist() == [0, 0]
