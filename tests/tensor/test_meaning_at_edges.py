"""PyTorch's meaning where nothing is selected, nothing divides, elements tie or are NaN: eager and jitted alike.

The figures are those of PyTorch 2.13.0 (CPU).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl

nan = math.nan
BOTH = pytest.mark.parametrize("wrap", [lambda f: f, gl.jit], ids=["eager", "jitted"])
NOWHERE, NO_MASK = gl.zeros(0, dtype=gl.int64), gl.zeros(4, dtype=gl.bool)


def written(write: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """The function of a value that writes it to a fresh tensor in place."""

    def function(value: Any) -> Any:
        target = gl.ones(4)
        write(target, value)
        return target

    return function


WRITES = {
    "mask": written(lambda t, v: t.__setitem__(NO_MASK, v)),
    "integers": written(lambda t, v: t.__setitem__(NOWHERE, v)),
    "list": written(lambda t, v: t.__setitem__([], v)),
    "slice": written(lambda t, v: t.__setitem__(slice(2, 2), v)),
    "put_": written(lambda t, v: t.put_(NOWHERE, v)),
    "index_put_": written(lambda t, v: t.index_put_((NOWHERE,), v)),
    "index_put accumulate": written(lambda t, v: t.index_put_((NOWHERE,), v, accumulate=True)),
    "index_copy_": written(lambda t, v: t.index_copy_(0, NOWHERE, v)),
    "index_add_": written(lambda t, v: t.index_add_(0, NOWHERE, v)),
    "scatter_": written(lambda t, v: t.scatter_(0, NOWHERE, v)),
    "scatter_add_": written(lambda t, v: t.scatter_add_(0, NOWHERE, v)),
    "scatter_reduce": lambda v: gl.ones(4).scatter_reduce(0, NOWHERE, v, "mean", include_self=False),
    "masked_scatter_": written(lambda t, v: t.masked_scatter_(NO_MASK, v)),
    "slice_scatter": lambda v: gl.ones(4).slice_scatter(v, 0, 1, 1),
    "cat": lambda v: gl.cat([v, gl.ones(2, 2)]),
}


@BOTH
@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
@pytest.mark.parametrize("name", WRITES)
def test_a_write_that_selects_nothing_keeps_the_history_of_its_value(name: str, wrap: Any) -> None:
    weight = gl.ones(3, requires_grad=True)
    value = (weight * gl.ones(0, 3)).sum(1)
    result = wrap(WRITES[name])(value)
    assert result.requires_grad
    result.sum().backward()
    assert weight.grad is not None and weight.grad.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("write", [lambda t, v: t.__setitem__(NO_MASK, v), lambda t, v: t.index_fill_(0, NOWHERE, v)])
def test_a_number_without_axes_that_is_written_nowhere_has_a_gradient_of_zero(write: Any) -> None:
    value = gl.tensor(2.0, requires_grad=True)
    target = gl.ones(4)
    write(target, value * 1)
    target.sum().backward()
    assert value.grad is not None and value.grad.item() == 0.0


def test_an_expert_without_tokens_decays_as_the_others_do() -> None:
    experts = [gl.nn.Linear(3, 3) for _ in range(3)]
    parameters = [each for expert in experts for each in expert.parameters()]
    optimizer = gl.optim.SGD(parameters, lr=0.5, weight_decay=0.5)
    before = experts[2].weight.detach().clone()
    x, route = gl.ones(4, 3), gl.tensor([0, 1, 0, 1])
    out = gl.zeros(4, 3)
    for k, expert in enumerate(experts):
        places = (route == k).nonzero().flatten()
        out = out.index_add(0, places, expert(x[places]))
    out.pow(2).mean().backward()
    optimizer.step()
    assert gl.allclose(experts[2].weight, before * 0.75)


DIVISIONS: dict[str, Callable[[Any, Any], Any]] = {
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "fmod": lambda a, b: gl.fmod(a, b),
    "remainder": lambda a, b: gl.remainder(a, b),
    "floor": lambda a, b: gl.div(a, b, rounding_mode="floor"),
    "trunc": lambda a, b: gl.div(a, b, rounding_mode="trunc"),
    "in place": lambda a, b: (a * 1).remainder_(b),
    "//=": lambda a, b: (a * 1).floor_divide_(b),
    "number by tensor": lambda a, b: 7 // b + a,
}


@BOTH
@pytest.mark.parametrize("name", DIVISIONS)
@pytest.mark.parametrize("dtype", [gl.int64, gl.uint8])
def test_integers_are_not_divided_by_zero(name: str, dtype: Any, wrap: Any) -> None:
    divide = wrap(DIVISIONS[name])
    a = gl.tensor([[9, 4], [7, 5]]).to(dtype)
    good, bad = gl.tensor([3, 2]).to(dtype), gl.tensor([3, 0]).to(dtype)
    expected = DIVISIONS[name](a, good).tolist()
    assert divide(a, good).tolist() == expected
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        divide(a, bad)
    assert divide(a, good).tolist() == expected


@BOTH
def test_a_handler_sees_a_division_by_a_number_that_is_zero(wrap: Any) -> None:
    def careful(x: Any, n: int) -> Any:
        try:
            return x % n
        except RuntimeError:
            return x - 1

    function = wrap(careful)
    assert [function(gl.tensor([5, 8]), n).tolist() for n in (3, 0, 2, 0)] == [[2, 2], [4, 7], [1, 0], [4, 7]]


def test_nothing_is_divided_where_there_are_no_elements() -> None:
    assert (gl.zeros(0, dtype=gl.int64) // gl.zeros(1, dtype=gl.int64)).tolist() == []
    assert (gl.zeros(0, 2, dtype=gl.int64) % 0).shape == (0, 2)


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:.*runs as plain Python")
def test_numpy_keeps_its_own_meaning_of_a_division_by_zero() -> None:
    a, b = np.array([7, 8]), np.array([0, 2])
    assert gl.jit(lambda a, b: a // b)(a, b).tolist() == [0, 4]
    assert gl.jit(lambda a, b: np.remainder(a, b))(a, b).tolist() == [0, 0]
    assert math.isnan(gl.jit(lambda a: np.sign(a))(np.array([nan]))[0])


def test_a_quotient_of_large_integers_keeps_its_digits() -> None:
    assert gl.div(gl.tensor([2**62 + 1, -(2**62) - 1]), 1, rounding_mode="trunc").tolist() == [2**62 + 1, -(2**62) - 1]
    assert gl.div(gl.tensor([-7, 7]), gl.tensor([2, -2]), rounding_mode="trunc").tolist() == [-3, -3]


STEPS: dict[str, Callable[[Any], Any]] = {
    "relu": lambda x: gl.relu(x),
    "functional": lambda x: gl.nn.functional.relu(x),
    "relu_": lambda x: (x * 1).relu_(),
    "pow": lambda x: x.pow(1),
    "**": lambda x: x**1.0,
    "nll_loss": lambda x: gl.nn.functional.nll_loss(x, gl.tensor([1, 0])),
    "remainder": lambda x: gl.remainder(gl.ones(2, 3), x),
}


@pytest.mark.parametrize("name", STEPS)
def test_gradients_that_are_steps_have_a_history_whose_gradient_is_zeros(name: str) -> None:
    x = gl.tensor([[0.5, -1.0, 2.0], [3.0, -0.25, 1.0]], requires_grad=True)
    (slope,) = gl.autograd.grad(STEPS[name](x).sum(), x, create_graph=True)
    assert slope.requires_grad
    (second,) = gl.autograd.grad(slope.sum(), x)
    assert second.tolist() == [[0.0] * 3] * 2


NEAR_NAN = [
    (lambda x: x.sign(), [nan, -2.0, 0.0], [0.0, 0.0, 0.0]),
    (lambda x: x.abs(), [nan, -2.0, 3.0], [0.0, -1.0, 1.0]),
    (lambda x: x.clamp(min=0.0), [nan, -1.0, 0.0], [0.0, 0.0, 1.0]),
    (lambda x: x.clamp(max=gl.tensor(1.0)), [nan, 2.0, 1.0], [0.0, 0.0, 1.0]),
    (lambda x: x.min(), [1.0, nan, nan], [0.0, 0.5, 0.5]),
    (lambda x: x.max(), [2.0, 2.0, 1.0], [0.5, 0.5, 0.0]),
    (lambda x: x.norm(math.inf), [-2.0, 2.0, 1.0], [-0.5, 0.5, 0.0]),
    (lambda x: x.prod(), [nan, 2.0, 3.0], [nan, nan, nan]),
    (lambda x: x.prod(), [0.0, 2.0, 3.0], [6.0, 0.0, 0.0]),
    (lambda x: gl.fmin(x, gl.tensor([0.0, nan, 3.0])), [0.0, 1.0, 3.0], [1.0, 1.0, 1.0]),
    (lambda x: gl.fmax(gl.tensor([nan, nan, 1.0]), x), [nan, 1.0, 1.0], [0.0, 1.0, 0.0]),
    (lambda x: x.median(), [2.0, 2.0, 2.0], [1 / 3, 1 / 3, 1 / 3]),
    (lambda x: x.nanmedian(), [nan, 1.0, 1.0], [0.0, 0.5, 0.5]),
    (lambda x: gl.div(x, gl.tensor([0.0, 2.0, 3.0]), rounding_mode="floor"), [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]),
]


@BOTH
@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
@pytest.mark.parametrize("place", range(len(NEAR_NAN)))
def test_gradients_beside_nan_and_at_ties_are_pytorch_s(place: int, wrap: Any) -> None:
    function, values, expected = NEAR_NAN[place]
    x = gl.tensor(values, requires_grad=True)
    wrap(function)(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.array(expected, np.float32), rtol=1e-6)


@BOTH
@pytest.mark.parametrize("dim", [None, 0, 1, (0, 1), -1])
def test_a_hook_writes_the_gradient_of_a_mean(dim: Any, wrap: Any) -> None:
    x = gl.ones(2, 4).requires_grad_()
    x.register_hook(lambda g: g.mul_(2.0))
    wrap(lambda x: x.mean() if dim is None else x.mean(dim).sum())(x).backward()
    share = 2.0 / (8 if dim in (None, (0, 1)) else x.shape[dim])
    assert x.grad.tolist() == [[share] * 4] * 2


@pytest.mark.parametrize("name", ["floor", "ceil", "round", "trunc", "sign"])
def test_a_hook_writes_a_gradient_of_zeros(name: str) -> None:
    x = gl.ones(2, 2).requires_grad_()
    x.register_hook(lambda g: g.add_(1.0))
    getattr(gl, name)(x).sum().backward()
    assert x.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def accumulated(leaf: Any, gradient: Callable[[], Any]) -> bool:
    """Whether the `.grad` of `leaf` lies where the gradient lay that a backward made."""

    class Given(gl.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.sum()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            made = gradient()
            addresses.append(made.data_ptr())
            return made

    addresses: list[int] = []
    Given.apply(leaf).backward()
    assert leaf.grad.tolist() == gradient().tolist()
    return leaf.grad.data_ptr() == addresses[0]


HELD = gl.ones(4, 3)
STOLEN = [
    (lambda: gl.zeros(2, 1), lambda: gl.ones(2).as_strided((2, 1), (1, 7)), True),
    (lambda: gl.zeros(2, 1), lambda: gl.ones(2).as_strided((2, 1), (1, 0)), False),
    (lambda: gl.zeros(2, 3).t().detach(), lambda: gl.empty_strided((3, 2), (1, 3)).fill_(1.0), True),
    (lambda: gl.zeros(2, 3), lambda: gl.ones(4, 3)[1:3], True),
    (lambda: gl.zeros(2, 3), lambda: HELD[1:3], False),
    (lambda: gl.zeros(2, 3, 4).permute(2, 0, 1).detach(), lambda: gl.ones(2, 3, 4).permute(2, 0, 1), True),
    (lambda: gl.zeros(2, 3), lambda: gl.ones(3, 2).t(), False),
    (lambda: gl.zeros(1, 3), lambda: gl.ones(3).unsqueeze(0), True),
]


@pytest.mark.parametrize("place", range(len(STOLEN)))
def test_a_gradient_in_its_leaf_s_strides_that_nobody_holds_is_taken_over(place: int) -> None:
    leaf, gradient, stolen = STOLEN[place]
    assert accumulated(leaf().requires_grad_(), gradient) is stolen


def test_a_gradient_that_was_taken_over_is_no_part_of_what_others_hold() -> None:
    kept = gl.ones(4, 3)
    leaf = gl.zeros(2, 3).requires_grad_()
    accumulated(leaf, lambda: kept[1:3])
    leaf.grad.zero_()
    assert kept.sum().item() == 12.0
