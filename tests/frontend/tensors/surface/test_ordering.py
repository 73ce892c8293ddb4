"""Sorts, ranks and searches inside jitted functions: one graph, eager's results and ties, and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, broken, check, normal, same
from hypothesis import given, settings
from hypothesis import strategies as st

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of

ORDERS: dict[str, Callable[[Any], Any]] = {
    "sort": lambda x: x.sort(),
    "sort along the first axis, descending": lambda x: gl.sort(x, 0, descending=True),
    "sort of a view": lambda x: x.t()[::2].sort(1),
    "argsort": lambda x: x.argsort(dim=0),
    "argsort, descending": lambda x: x.argsort(-1, True),
    "msort": lambda x: x.msort(),
    "topk": lambda x: x.topk(2),
    "topk, smallest": lambda x: x.topk(3, dim=0, largest=False),
    "topk of none": lambda x: x.topk(0),
    "kthvalue": lambda x: x.kthvalue(2, dim=1),
    "kthvalue, kept": lambda x: x.kthvalue(1, dim=0, keepdim=True),
    "median": lambda x: x.median(),
    "median along an axis": lambda x: x.median(1),
    "nanmedian": lambda x: x.nanmedian(dim=0, keepdim=True),
    "quantile": lambda x: x.quantile(0.4, dim=1),
    "several quantiles": lambda x: gl.quantile(x, gl.tensor([0.25, 0.5]), dim=0) if x is None else x.quantile(0.25),
    "quantile between": lambda x: x.quantile(0.3, dim=0, interpolation="midpoint", keepdim=True),
    "nanquantile": lambda x: x.nanquantile(0.7, dim=1, interpolation="nearest"),
    "cummax": lambda x: x.cummax(1),
    "cummin": lambda x: x.cummin(0),
    "searchsorted": lambda x: gl.searchsorted(x.sort(1).values, x),
    "bucketize": lambda x: gl.bucketize(x, gl.tensor([-1.0, 0.0, 1.0]), right=True, out_int32=True),
    "isin": lambda x: gl.isin(x.round(), gl.tensor([0.0, 1.0])),
    "histc": lambda x: x.histc(5, -2, 2),
}


def awkward(number: int) -> Any:
    """Rows with ties, NaN, zeros of both signs and infinities."""
    rows = np.random.default_rng(number).integers(-2, 3, (4, 5)).astype(np.float32)
    if number:
        rows[0, 1], rows[1, 2], rows[2, :2], rows[3, 0] = np.nan, np.inf, (0.0, -0.0), -np.inf
    return gl.tensor(rows)


@pytest.mark.parametrize("name", ORDERS)
def test_what_needs_an_order_is_one_graph_with_the_results_and_ties_of_eager_mode(name: str) -> None:
    if name == "histc":
        check(ORDERS[name], lambda number: [normal(4, 5, seed=number)], compiles=1, relative=0)
    else:
        check(ORDERS[name], lambda number: [awkward(number)], compiles=1, relative=0)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in ORDERS
        if name not in ("argsort", "argsort, descending", "isin", "histc", "bucketize", "searchsorted")
    ],
)
def test_gradients_go_to_the_elements_that_were_picked(name: str) -> None:
    def program(x: Any) -> Any:
        found = ORDERS[name](x)
        return (found if isinstance(found, gl.Tensor) else found[0]) * 2

    check(program, lambda number: [normal(4, 5, seed=number).requires_grad_()], after=backward)


@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool", "float64", "float16", "bfloat16", "int32"])
def test_every_dtype_has_an_order(dtype: str) -> None:
    def program(x: Any) -> Any:
        return x.sort(1), x.topk(2), x.argsort(0, descending=True)

    def make(number: int) -> Any:
        values = np.random.default_rng(number).integers(0, 5, (3, 4))
        return [gl.tensor(values).to(getattr(gl, dtype if dtype != "bool" else "bool_", None) or gl.bool)]

    check(program, make, relative=0)


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "the largest logits": lambda h, y: h.topk(2, dim=1).values.mean(),
    "a ranking loss": lambda h, y: (h.sort(0).values - y.sort(0).values).square().mean(),
    "hard examples": lambda h, y: (h - y).square().sum(1).topk(3).values.mean(),
    "a mixture of experts": lambda h, y: (h.softmax(-1).topk(2).values * y[:, :2]).sum(),
    "a robust loss": lambda h, y: ((h - y) - (h - y).median()).abs().mean(),
    "rows in order": lambda h, y: (h[h.sum(1).argsort()] * y).mean(),
    "a threshold": lambda h, y: h.where(h >= h.topk(2).values[:, -1:], 0.0).sum(),
    "a quantile": lambda h, y: h.quantile(0.75, dim=0).sum(),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_training_step_that_sorts_is_one_graph_and_trains_as_eager_mode_does(name: str) -> None:
    def make() -> Any:
        model = nn.Linear(4, 3)
        for place, each in enumerate(model.parameters()):
            each.data.copy_(normal(*each.shape, seed=place))
        return [model, optim.SGD(model.parameters(), lr=0.1, momentum=0.9), normal(6, 4), normal(6, 3, seed=1)]

    def step(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = STEPS[name](model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    check(step, arguments=make, calls=4)


def test_orders_are_found_through_kernels_as_well() -> None:
    def program(x: Any) -> Any:
        best = (x * 2).topk(2)
        return best.values + 1, best.indices, x.median(1).values

    check(program, lambda number: [awkward(number)], kernels=True, relative=0)


def test_sizes_may_differ_between_calls_of_one_entry() -> None:
    def program(x: Any) -> Any:
        return x.sort(0), x.topk(2, dim=0).values, x.median(0).values

    fast = check(program, lambda number: [normal(number + 3, 5)], calls=6, relative=0)
    assert len(state_of(fast).history) == 2


def test_how_many_are_wanted_may_be_a_number_of_the_call() -> None:
    check(lambda x, k: x.topk(k), lambda number: [normal(3, 4), number + 1], calls=4, relative=0)


def test_errors_are_those_of_eager_mode() -> None:
    check(lambda x: x.topk(9), lambda number: [normal(3, 4)], breaks=None)
    check(lambda x: x.kthvalue(9), lambda number: [normal(3, 4)], breaks=None)
    check(lambda x: x.sort(5), lambda number: [normal(3, 4)], breaks=None)


def test_what_has_as_many_elements_as_values_differ_still_breaks_the_graph() -> None:
    check(lambda x: x.unique() + 1, lambda number: [awkward(number)], breaks="unique")


def test_a_later_backward_reads_the_order_of_its_call() -> None:
    model = nn.Linear(4, 4)
    fast = gl.jit(lambda x: model(x).sort(1).values[:, :2])
    x, y = normal(3, 4).requires_grad_(), normal(3, 4, seed=5).requires_grad_()
    one, other = fast(x), fast(y)
    other.square().sum().backward()
    one.square().sum().backward()
    plain = [normal(3, 4).requires_grad_(), normal(3, 4, seed=5).requires_grad_()]
    for each in plain:
        model(each).sort(1).values[:, :2].square().sum().backward()
    same([each.grad for each in plain], [x.grad, y.grad])
    assert not broken(fast)


def test_a_loop_over_tensors_that_sorts_is_right() -> None:
    def program(x: Any) -> Any:
        for _ in range(70):
            x = gl.tanh(x @ x).sort(1).values
        return x

    check(program, lambda number: [normal(3, 3)], breaks=None, calls=2)


def test_an_arm_that_sorts_is_right() -> None:
    def program(x: Any) -> Any:
        if x.sum() > 0:
            x = x.sort(0).values
        return x + 1

    check(program, lambda number: [normal(3, 3) + (9 if number % 2 else -9)], breaks=None, calls=4)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.0, float("nan"), float("inf"), -float("inf")]), min_size=1, max_size=12
    ),
    st.booleans(),
    st.integers(1, 12),
)
@pytest.mark.slow
def test_any_row_is_ordered_as_eager_mode_orders_it(row: list[float], largest: bool, k: int) -> None:
    def program(x: Any) -> Any:
        return x.sort(descending=largest), x.topk(min(k, len(row)), largest=largest), x.median(0), x.cummax(0)

    check(program, lambda number: [gl.tensor(row)], calls=1, relative=0)
