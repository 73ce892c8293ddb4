"""Sparse gradients: how they accumulate, when they are taken over, and what they become on the way to a leaf."""

from __future__ import annotations

import copy
import gc
import weakref
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift.autograd import Node
from guardlift.core.errors import SparseError

spec = pytest.mark.spec
pytestmark = pytest.mark.filterwarnings("ignore:Using backward")


class Gives(Node):
    """A node whose gradients are what `make` gives, one for each leaf."""

    __slots__ = ("make",)

    def __init__(self, leaves: list[gl.Tensor], make: Any) -> None:
        super().__init__(gl.autograd.edges_of(leaves))
        self.make = make

    def apply(self, gradients: Any) -> Any:
        return (self.make(),)


def given(leaf: gl.Tensor, make: Any) -> Any:
    """A scalar with respect to which `leaf` has the gradient that `make` gives."""
    return gl.autograd.attach(gl.ones(1), Gives([leaf], make))


def run(leaf: gl.Tensor, make: Any, **how: Any) -> None:
    given(leaf, make).backward(gl.ones(1), **how)


def sparse(*rows: int, value: float = 1.0) -> Any:
    """A 2 x 3 gradient of `value` in these rows."""
    return gl.sparse_coo_tensor(gl.tensor([list(rows)]), gl.full((len(rows), 3), value), (2, 3))


def leaf() -> gl.Tensor:
    return gl.zeros(2, 3, requires_grad=True)


def parts_of(gradient: Any) -> tuple[int, int]:
    return gradient._indices().data_ptr(), gradient._values().data_ptr()


@spec("S6.12")
@pytest.mark.parametrize("count", [1, 2])
def test_a_first_sparse_gradient_that_nobody_holds_gives_its_indices_and_values(count: int) -> None:
    p, addresses, objects = leaf(), [], []

    def make() -> Any:
        g = sparse(*[1] * count)
        addresses.append(parts_of(g))
        objects.append(id(g))
        return g

    p.register_post_accumulate_grad_hook(lambda each: None)
    run(p, make)
    assert p.grad.is_sparse and p.grad.layout is gl.sparse_coo and not p.grad.requires_grad
    assert parts_of(p.grad) == addresses[0]
    assert p.grad.to_dense().tolist() == [[0.0] * 3, [float(count)] * 3]


@spec("S6.13", "S6.40")
@pytest.mark.parametrize("holds", ["tensor", "indices", "values", "array", "detached", "hook"])
def test_a_sparse_gradient_that_somebody_holds_is_copied(holds: str) -> None:
    p, kept, addresses = leaf(), [], []

    def make() -> Any:
        g = sparse(0, 1)
        addresses.append(parts_of(g))
        if holds != "hook":
            kept.append(
                {
                    "tensor": lambda: g,
                    "indices": g._indices,
                    "values": g._values,
                    "array": lambda: g._values().numpy(),
                    "detached": g.detach,
                }[holds]()
            )
        return g

    if holds == "hook":
        p.register_hook(lambda g: kept.append(g))
    run(p, make)
    assert set(parts_of(p.grad)).isdisjoint(addresses[0])
    kept[0] *= 0
    assert p.grad.to_dense().tolist() == [[1.0] * 3] * 2


@spec("S6.13")
def test_entries_that_do_not_lie_row_by_row_are_copied() -> None:
    p, addresses = leaf(), []

    def make() -> Any:
        g = gl.sparse_coo_tensor(gl.tensor([[0, 1]]), gl.ones(3, 2).t(), (2, 3))
        addresses.append(parts_of(g))
        return g

    run(p, make)
    assert parts_of(p.grad)[1] != addresses[0][1] and p.grad._values().is_contiguous()


@spec("S6.21", "S6.23", "S6.01")
def test_the_chain_of_kinds_without_grad_mode() -> None:
    p = leaf()
    run(p, lambda: sparse(1))
    first = p.grad
    assert first.is_sparse
    run(p, lambda: sparse(1, 0))
    assert p.grad is first and first.is_sparse and first._nnz() == 3 and first._version == 1
    run(p, lambda: gl.ones(2, 3))
    second = p.grad
    assert second is not first and not second.is_sparse and second.tolist() == [[2.0] * 3, [3.0] * 3]
    assert first.to_dense().tolist() == [[1.0] * 3, [2.0] * 3]
    address, version = second.data_ptr(), second._version
    run(p, lambda: sparse(0, 0, value=2.0))
    assert p.grad is second and second.data_ptr() == address and second._version == version + 1
    assert second.tolist() == [[6.0] * 3, [3.0] * 3]


@spec("S6.21")
def test_a_dense_gradient_on_a_sparse_one_lies_as_the_leaf_does_and_is_a_copy() -> None:
    p = gl.zeros(3, 2).t().detach().requires_grad_()
    dense = gl.ones(2, 3)
    run(p, lambda: sparse(1))
    run(p, lambda: dense)
    assert p.grad.stride() == (1, 2) and p.grad.tolist() == [[1.0] * 3, [2.0] * 3]
    assert dense.tolist() == [[1.0] * 3] * 2


@spec("S6.31", "S6.32")
def test_the_chain_of_kinds_under_create_graph() -> None:
    p = leaf()
    run(p, lambda: sparse(1), create_graph=True)
    first = p.grad
    run(p, lambda: sparse(0), create_graph=True)
    second = p.grad
    assert second is not first and second.is_sparse and first.to_dense().tolist() == [[0.0] * 3, [1.0] * 3]
    run(p, lambda: gl.ones(2, 3), create_graph=True)
    third = p.grad
    assert third is not second and not third.is_sparse and third.tolist() == [[2.0] * 3] * 2
    assert second.to_dense().tolist() == [[1.0] * 3] * 2
    run(p, lambda: sparse(1), create_graph=True)
    assert p.grad is not third and third.tolist() == [[2.0] * 3] * 2 and p.grad.tolist() == [[2.0] * 3, [3.0] * 3]


@spec("S6.31", "S6.32")
def test_under_create_graph_sums_of_sparse_and_dense_gradients_keep_their_history() -> None:
    p, scale = leaf(), gl.tensor(2.0, requires_grad=True)

    def make() -> Any:
        return sparse(1) * scale

    run(p, make, create_graph=True)
    assert p.grad.is_sparse and p.grad.requires_grad
    run(p, lambda: gl.ones(2, 3) * scale, create_graph=True)
    run(p, make, create_graph=True)
    (found,) = gl.autograd.grad((p.grad * gl.tensor([[1.0], [10.0]])).sum(), scale)
    assert found.item() == 3 * (1 + 10 + 10 + 10)


@pytest.mark.parametrize(
    "order", ["sparse sparse", "sparse dense", "dense sparse", "dense dense sparse", "sparse " * 3]
)
@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_of_both_kinds_add_up_where_they_meet(order: str, create_graph: bool) -> None:
    p, made = leaf(), []
    x = p * 1

    def giving(kind: str) -> Any:
        g = sparse(0, 1, 1) if kind == "sparse" else gl.ones(2, 3)
        made.append(g)
        return given(x, lambda: g)

    kinds = order.split()
    roots = [giving(kind) for kind in kinds]
    gl.autograd.backward(roots, [gl.ones(1)] * len(roots), create_graph=create_graph)
    dense = kinds.count("dense")
    assert p.grad.is_sparse is (dense == 0)
    expected = np.array([[len(kinds)] * 3, [dense + 2 * (len(kinds) - dense)] * 3])
    assert p.grad.to_dense().tolist() == expected.tolist()
    for kind, g in zip(kinds, made, strict=True):
        assert g.to_dense().tolist() == ([[1.0] * 3, [2.0] * 3] if kind == "sparse" else [[1.0] * 3] * 2)


def test_a_sparse_gradient_passes_operations_that_keep_it_sparse() -> None:
    p = gl.ones(2, 3, requires_grad=True)
    weights = gl.arange(6.0).reshape(2, 3)
    for make, expected in (
        (lambda: p * 3, [[0.0] * 3, [6.0] * 3]),
        (lambda: -p / 2, [[0.0] * 3, [-1.0] * 3]),
        (lambda: p * weights, [[0.0] * 3, [6.0, 8.0, 10.0]]),
        (lambda: p + weights, [[0.0] * 3, [2.0] * 3]),
        (lambda: p.clone(), [[0.0] * 3, [2.0] * 3]),
    ):
        p.grad = None
        make().backward(sparse(1, 1))
        assert p.grad.is_sparse and p.grad._nnz() == 2 and p.grad.to_dense().tolist() == expected


def test_one_that_needs_all_elements_says_which_operation_it_was() -> None:
    p = gl.ones(2, 3, requires_grad=True)
    with pytest.raises(SparseError, match="ExpandBackward0 cannot take a sparse gradient"):
        gl.ones(3, requires_grad=True).expand(2, 3).backward(sparse(1))
    assert p.grad is None


@spec("S6.41")
def test_a_sparse_gradient_that_was_passed_in_is_never_changed() -> None:
    p, g = leaf(), sparse(0, 1)
    for _ in range(3):
        p.backward(g)
    p.grad.mul_(7)
    assert g.to_dense().tolist() == [[1.0] * 3] * 2 and g._nnz() == 2
    (captured,) = gl.autograd.grad(p * 1, p, g)
    assert captured.is_sparse


@spec("S6.42")
def test_a_sparse_gradient_gets_the_dtype_of_its_leaf_and_its_shape_is_checked() -> None:
    p = leaf()
    run(p, lambda: sparse(1).double())
    run(p, lambda: sparse(1).double())
    assert p.grad.dtype is gl.float32 and p.grad.to_dense().tolist() == [[0.0] * 3, [2.0] * 3]
    q = leaf()
    with pytest.raises(RuntimeError, match=r"shape \[2, 3\] was given a gradient of shape \[4, 3\]"):
        run(q, lambda: gl.sparse_coo_tensor([[0]], gl.ones(1, 3), (4, 3)))
    assert q.grad is None
    q.grad = g = sparse(1)
    assert q.grad is g
    with pytest.raises(RuntimeError, match="of size"):
        q.grad = gl.sparse_coo_tensor([[0]], gl.ones(1, 3), (4, 3))
    with pytest.raises(RuntimeError, match="dtype"):
        q.grad = g.double()


def test_hooks_see_the_sparse_gradient_and_may_replace_it() -> None:
    p, seen = leaf(), []
    x = p * 1
    x.retain_grad()
    x.register_hook(lambda g: seen.append(g.is_sparse) or g * 2)
    p.register_hook(lambda g: g.to_dense())
    p.register_post_accumulate_grad_hook(lambda each: seen.append(each.grad.is_sparse))
    given(x, lambda: sparse(1)).backward(gl.ones(1))
    assert seen == [True, False]
    assert x.grad.is_sparse and p.grad.tolist() == [[0.0] * 3, [2.0] * 3]


def test_zero_grad_with_a_sparse_gradient() -> None:
    p = gl.nn.Parameter(gl.zeros(2, 3))
    optimizer = gl.optim.SGD([p], lr=0.5)
    run(p, lambda: sparse(1))
    mine = p.grad
    optimizer.zero_grad(set_to_none=False)
    assert p.grad is mine and mine._nnz() == 0
    optimizer.zero_grad()
    assert p.grad is None


def test_a_leaf_with_a_sparse_gradient_is_copied_with_it() -> None:
    p = leaf()
    run(p, lambda: sparse(1))
    twin = copy.deepcopy(p)
    twin.grad.mul_(3)
    assert p.grad.to_dense().tolist() == [[0.0] * 3, [1.0] * 3]
    assert twin.grad.to_dense().tolist() == [[0.0] * 3, [3.0] * 3]


def test_no_cycle_keeps_a_sparse_gradient() -> None:
    gc.collect()
    gc.disable()
    try:
        p = leaf()
        table = gl.nn.functional.embedding(gl.tensor([0, 1]), p * 2, sparse=True)
        table.sum().backward()
        node, gradient = weakref.ref(table.grad_fn), weakref.ref(p.grad)
        del table, p
        assert node() is None and gradient() is None
    finally:
        gc.enable()


# Jitted.


def table(number: int) -> Any:
    return gl.nn.Parameter(gl.tensor(np.arange(6, dtype=np.float32).reshape(2, 3) + number))


@pytest.mark.parametrize(
    "program",
    [
        lambda w: (w * w).sum().backward(),
        lambda w: w.grad is None,
        lambda w: w.grad.zero_() is None,
        lambda w: (w.grad * 2).to_dense(),
        lambda w: (w.grad + w).detach(),
    ],
)
def test_a_trace_that_meets_a_sparse_gradient_gives_what_plain_python_gives(program: Any) -> None:
    def whole(w: Any) -> Any:
        before = program(w)
        return before, w.grad.to_dense()

    def make(number: int) -> Any:
        w = table(number)
        w.grad = sparse(1, 1) if number != 1 else gl.ones(2, 3)
        return [w]

    def dense(result: Any, w: Any) -> None:
        w.grad = None

    def last(w: Any) -> Any:
        result = whole(w)
        w.grad = None
        return result

    check(last, make, breaks=None, calls=3, after=dense)


def test_a_gradient_that_becomes_sparse_between_two_calls_is_noticed() -> None:
    for model in (gl.nn.Linear(3, 2, bias=False), None):
        weight = model.weight if model is not None else table(0)

        def step(w: Any) -> None:
            (w * w).sum().backward()

        fast = gl.jit(step)
        for kind in ("none", "dense", "sparse", "dense"):
            plain = gl.nn.Parameter(weight.detach().clone())
            for each in (plain, weight):
                each.grad = {"none": None, "dense": gl.ones(2, 3), "sparse": sparse(1, 1)}[kind]
            step(plain)
            fast(weight)
            assert (plain.grad == weight.grad).all() and not weight.grad.is_sparse


def test_a_compiled_piece_takes_a_sparse_gradient() -> None:
    w = table(0)
    double = gl.jit(lambda w: w * 2)
    gl.nn.functional.embedding(gl.tensor([1, 1]), double(w), sparse=True).sum().backward()
    assert w.grad.to_dense().tolist() == [[0.0] * 3, [4.0] * 3]
