"""Views of tensors as another dtype: the bytes, the aliases, the version and the gradient of eager mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.eagerly import agree, breaks_of, outcome

import guardlift as gl


def made() -> Sequence[Any]:
    x = gl.tensor([[0.1, -1.5, 3e30, -0.0], [7.0, 1e-40, -2.25, 1.0]])
    return x, gl.tensor([[1, 7], [2**30, 3]], dtype=gl.int32)


def inverse_square_root(x: Any, k: Any) -> Any:
    a = x.abs()
    y = (0x5F3759DF - (a.view(gl.int32) >> 1)).view(gl.float32)
    return y * (1.5 - 0.5 * a * y * y)


def written_on_both_sides(x: Any, k: Any) -> Any:
    v = x.view(gl.int32)
    v[0, 1] = 0
    x.mul_(2)
    v[1].bitwise_and_(0x7FFFFFFF)
    return x + 0, v + 0


def views_of_views(x: Any, k: Any) -> Any:
    v = x.t().view(gl.int32)[1:]
    w = v.view(dtype=gl.float32)
    w[0, 0] = 3.0
    return w, v, x


def returned(x: Any, k: Any) -> Any:
    y = x * 2
    v = y.view(gl.int32)
    v.add_(1)
    return y, v, v[0], x.view(gl.int32)


def returned_alone(x: Any, k: Any) -> Any:
    return (x * 2).view(gl.int32)


def of_an_argument(x: Any, k: Any) -> Any:
    return x.view(gl.int32), k.view(gl.float32)[0]


def other_sizes(x: Any, k: Any) -> Any:
    wide, small = k.view(gl.int64), x.view(gl.uint8)
    small[0, 4:] = 0
    wide.add_(1)
    return wide + 0, small.sum(), x.view(gl.int64), k.view(gl.int16)


def bits_counted(x: Any, k: Any) -> Any:
    word = x.view(gl.int32)
    return sum(((word >> place) & 1) for place in range(32)), (word == k.view(-1)[0]).sum()


def bools(x: Any, k: Any) -> Any:
    mask = (x > 0).view(gl.uint8)
    return mask + mask, (mask ^ 1).view(gl.bool), mask.sum()


def masks_of_arguments(x: Any, k: Any) -> Any:
    mask = k.bool()
    return masked(x, x > 0), masked(x, mask.view(-1)), mask.view(gl.uint8) << 1


@gl.jit
def masked(x: Any, mask: Any) -> Any:
    return mask.view(gl.uint8).sum(), mask.view(gl.int8)


def halves(x: Any, k: Any) -> Any:
    h = x.clamp(-100, 100).half()
    bits = h.view(gl.int16)
    return bits & 0x7FFF, (bits & 0x7FFF).view(gl.float16).float(), h.bfloat16().view(gl.int16)


def the_data(x: Any, k: Any) -> Any:
    v = x.data.view(gl.int32)
    v[0] = 0
    return x + v


def without_grad_mode(x: Any, k: Any) -> Any:
    with gl.no_grad():
        v = x.view(gl.int32)
        v[0] = 0
    return v, x * 2


PROGRAMS: list[Callable[..., Any]] = [
    inverse_square_root,
    written_on_both_sides,
    views_of_views,
    returned,
    returned_alone,
    of_an_argument,
    other_sizes,
    bits_counted,
    bools,
    masks_of_arguments,
    halves,
    the_data,
    without_grad_mode,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_a_view_of_another_dtype_is_compiled_and_is_that_of_eager_mode(program):
    assert not breaks_of(agree(program, made))


def with_gradients() -> Sequence[Any]:
    x, k = made()
    return x, gl.tensor([[1.0, 2.0, -3.0, 4.0]] * 2, requires_grad=True)


def beside_a_gradient(x: Any, w: Any) -> Any:
    y = x * w
    sign = (y.view(gl.int32) >> 31) & 1
    (y * (1 - 2 * sign)).sum().backward()
    return sign, y.view(gl.int32).requires_grad, y.view(gl.int32).view(gl.float32).requires_grad


def of_a_leaf(x: Any, w: Any) -> Any:
    v = w.view(gl.int32)
    return v, (w * x).sum(), v.requires_grad, v.is_leaf, w.view(gl.float32).requires_grad


def leaf_written(x: Any, w: Any) -> Any:
    w.view(gl.int32).bitwise_and_(0x7FFFFFFF)
    loss = (w * x).sum()
    loss.backward()
    return loss


def leaf_written_without_grad_mode(x: Any, w: Any) -> Any:
    with gl.no_grad():
        w.view(gl.int32).bitwise_and_(0x7FFFFFFF)
    loss = (w * x).sum()
    loss.backward()
    return loss


def history_written(x: Any, w: Any) -> Any:
    y = w * 2
    y.view(gl.int32)[0] = 0
    return y, (y * x).sum()


def written_beside(x: Any, w: Any) -> Any:
    y = x * 2
    v = y.view(gl.int32)
    y.mul_(w)
    y.sum().backward()
    return v, y


def saved_then_written(x: Any, w: Any) -> Any:
    y = x.exp()
    loss = (y * w).sum()
    y.view(gl.int32).zero_()
    loss.backward()
    return loss


GRADIENTS = [
    beside_a_gradient,
    of_a_leaf,
    leaf_written,
    leaf_written_without_grad_mode,
    history_written,
    written_beside,
    saved_then_written,
]


@pytest.mark.parametrize("program", GRADIENTS, ids=lambda each: each.__name__)
def test_no_gradient_goes_through_a_view_of_another_dtype(program):
    jitted = agree(program, with_gradients)
    if program in (beside_a_gradient, of_a_leaf, leaf_written_without_grad_mode):
        assert not breaks_of(jitted)


RAISING: list[Callable[..., Any]] = [
    lambda x, k: x[:, :3].view(gl.float64),
    lambda x, k: x.t().view(gl.int64),
    lambda x, k: x[0, 0].view(gl.uint8),
]
REFUSED: list[Callable[..., Any]] = [
    lambda x, k: (x > 0).view(gl.uint8).fill_(2).view(gl.bool).clone(),
    lambda x, k: k.view(gl.uint8).view(gl.bool).clone().view(gl.uint8),
]


@pytest.mark.parametrize("program", RAISING)
def test_what_eager_mode_refuses_is_refused(program):
    assert outcome(gl.jit(program), made()) == outcome(program, made())
    assert outcome(program, made())[0][0] == "RuntimeError"
    agree(program, made)


@pytest.mark.parametrize("program", REFUSED)
def test_what_kernels_do_not_know_is_left_to_python(program):
    assert breaks_of(agree(program, made))


def test_the_memory_is_shared_after_the_call():
    @gl.jit
    def f(x: Any) -> Any:
        y = x + 1
        return y, y.view(gl.int32), x.view(gl.int32)

    x = gl.ones(3)
    for _ in range(2):
        y, v, of_x = f(x)
        v[0] = 0
        of_x[1] = 0
        assert y[0] == 0 and y[1] != 0 and v._version == y._version == 1
        assert x.numpy().view(np.int32)[1] == 0
    assert not gl.explain(f).breaks


def test_sizes_may_change_from_call_to_call():
    def f(x: Any, k: Any) -> Any:
        v = x.view(gl.int32)
        v[0] = 5
        return (v >> 1).view(gl.float32), v

    jitted = gl.jit(dynamic=True)(f)
    for size in (3, 5, 8, 13):
        x, y = gl.arange(size).float(), gl.arange(size).float()
        for one, other in zip(jitted(x, None), f(y, None), strict=True):
            assert gl.equal(one, other)
        assert gl.equal(x, y)
    assert not gl.explain(jitted).breaks
