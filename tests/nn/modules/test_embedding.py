"""Embeddings: rows by number, dense and sparse gradients, padding, and steps of SGD along sparse gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn import functional as f

spec = pytest.mark.spec


def weight() -> Any:
    return nn.Parameter(gl.tensor(np.arange(10, dtype=np.float32).reshape(5, 2)))


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,), (2, 0)])
@pytest.mark.parametrize("dtype", [gl.int64, gl.int32])
def test_each_element_becomes_its_row(sparse: bool, shape: tuple[int, ...], dtype: Any) -> None:
    w, rows = weight(), np.random.default_rng(0).integers(0, 5, shape)
    found = f.embedding(gl.tensor(rows, dtype=dtype), w, sparse=sparse)
    assert found.shape == (*shape, 2) and found.tolist() == w.detach().numpy()[rows].tolist()
    found.sum().backward()
    counts = np.bincount(rows.reshape(-1), minlength=5)
    assert w.grad.to_dense().tolist() == np.stack([counts, counts], 1).tolist()


@spec("S6.45")
def test_a_sparse_gradient_has_an_entry_for_each_lookup() -> None:
    w, index = weight(), gl.tensor([1, 1, 3])
    f.embedding(index, w, sparse=True).sum().backward()
    assert w.grad.is_sparse and not w.grad.is_coalesced() and w.grad._nnz() == 3
    assert w.grad._indices().tolist() == [[1, 1, 3]] and w.grad._values().tolist() == [[1.0, 1.0]] * 3
    index.fill_(0)
    assert w.grad._indices().tolist() == [[1, 1, 3]]
    mine = w.grad
    f.embedding(gl.tensor([0]), w, sparse=True).sum().backward()
    assert w.grad is mine and mine._nnz() == 4
    (w * 1).sum().backward()
    assert w.grad.tolist() == [[2.0] * 2, [3.0] * 2, [1.0] * 2, [2.0] * 2, [1.0] * 2]


def test_indices_that_were_written_before_backward_are_noticed() -> None:
    w, index = weight(), gl.tensor([1, 1, 3])
    out = f.embedding(index, w, sparse=True)
    index.fill_(0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.sum().backward()
    assert w.grad is None


def test_saved_tensor_hooks_get_the_indices() -> None:
    seen: list[Any] = []
    with gl.autograd.graph.saved_tensors_hooks(lambda x: seen.append(x) or x, lambda x: x):
        out = f.embedding(gl.tensor([1, 1, 3]), weight(), sparse=True)
    assert [each.tolist() for each in seen] == [[1, 1, 3]]
    out.sum().backward()
    with pytest.raises(RuntimeError, match="already been freed"):
        out.sum().backward()


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("padding", [1, -4])
def test_the_row_of_the_padding_gets_no_gradient(sparse: bool, padding: int) -> None:
    w = weight()
    out = f.embedding(gl.tensor([[1, 3], [3, 1]]), w, padding_idx=padding, sparse=sparse)
    assert out.tolist() == w.detach().numpy()[[[1, 3], [3, 1]]].tolist()
    (out * out).sum().backward()
    assert w.grad.to_dense().tolist() == [[0.0] * 2] * 3 + [[24.0, 28.0]] + [[0.0] * 2]
    assert not sparse or w.grad._nnz() == 2


@pytest.mark.parametrize("padding", [None, 1])
def test_sparse_and_dense_gradients_agree_under_create_graph(padding: int | None) -> None:
    found = []
    for sparse in (False, True):
        w = weight()
        out = f.embedding(gl.tensor([1, 1, 3]), w, padding_idx=padding, sparse=sparse)
        (first,) = gl.autograd.grad((out**3).sum(), w, create_graph=True)
        assert first.is_sparse is sparse
        (second,) = gl.autograd.grad((first.to_dense() * gl.arange(10.0).reshape(5, 2)).sum(), w)
        found.append([first.to_dense().tolist(), second.to_dense().tolist()])
    assert found[0] == found[1]


def test_a_table_that_was_computed_gets_its_gradient_too() -> None:
    w = weight()
    f.embedding(gl.tensor([1, 1, 3]), w * 2, sparse=True).sum().backward()
    assert w.grad.is_sparse and w.grad._values().tolist() == [[2.0, 2.0]] * 3
    assert not f.embedding(gl.tensor([1]), w.detach(), sparse=True).requires_grad
    with gl.no_grad():
        assert not f.embedding(gl.tensor([1]), w, sparse=True).requires_grad


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda w: f.embedding(gl.tensor([5]), w), IndexError, "index out of range in self"),
        (lambda w: f.embedding(gl.tensor([-1]), w), IndexError, "index out of range in self"),
        (lambda w: f.embedding(gl.tensor([5]), w, sparse=True), IndexError, "index out of range in self"),
        (lambda w: f.embedding(gl.tensor([1.0]), w), RuntimeError, "float32, expected int32 or int64"),
        (lambda w: f.embedding(gl.tensor([1], dtype=gl.int16), w), RuntimeError, "int16, expected int32"),
        (lambda w: f.embedding(gl.tensor([1]), w[0]), RuntimeError, "weight must be 2-D"),
        (lambda w: f.embedding([1], w), TypeError, "must be Tensor, not list"),
        (lambda w: f.embedding(gl.tensor([1]), w, padding_idx=5), AssertionError, "within num_embeddings"),
        (
            lambda w: f.embedding(gl.tensor([1]), w, scale_grad_by_freq=True, sparse=True),
            RuntimeError,
            "scale_grad_by_freq not supported with sparse gradients",
        ),
        (lambda w: nn.Embedding(5, 2, padding_idx=-6), AssertionError, "got -6, there are 5 rows"),
        (lambda w: nn.Embedding(4, 2, _weight=w), RuntimeError, r"shape \[5, 2\], expected \[4, 2\]"),
        (lambda w: nn.Embedding.from_pretrained(w[0]), RuntimeError, "must be 2-D"),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call(weight())


def test_the_module() -> None:
    gl.manual_seed(0)
    layer = nn.Embedding(5, 2, padding_idx=-1, sparse=True)
    assert repr(layer) == "Embedding(5, 2, padding_idx=4, sparse=True)"
    assert repr(nn.Embedding(5, 2)) == "Embedding(5, 2)"
    assert layer.weight[4].tolist() == [0.0, 0.0] and (layer.weight[:4] != 0).all()
    assert layer(gl.tensor([0, 4])).tolist() == [layer.weight[0].tolist(), [0.0, 0.0]]
    assert list(layer.state_dict()) == ["weight"]
    table = gl.ones(3, 2)
    frozen = nn.Embedding.from_pretrained(table)
    assert not frozen.weight.requires_grad and frozen.weight.data_ptr() == table.data_ptr()
    assert nn.Embedding.from_pretrained(table, freeze=False, padding_idx=0).weight.tolist() == table.tolist()
    layer(gl.tensor([1])).sum().backward()
    layer.double()
    assert layer.weight.grad.is_sparse and layer.weight.grad.dtype is gl.float64


# Steps.


def trained(sparse: bool, **how: Any) -> Any:
    layer = nn.Embedding(5, 2, sparse=sparse)
    layer.weight.data.copy_(weight().detach())
    optimizer = optim.SGD(layer.parameters(), lr=0.125, **how)
    for rows in ([1, 1, 3], [0, 1], [3]):
        optimizer.zero_grad()
        layer(gl.tensor(rows)).pow(2).sum().backward()
        optimizer.step()
    return layer.weight, optimizer


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"maximize": True},
        {"momentum": 0.5},
        {"momentum": 0.5, "nesterov": True},
        {"momentum": 0.5, "dampening": 0.25},
    ],
)
def test_sgd_steps_along_sparse_gradients_as_along_dense_ones(how: Any) -> None:
    (one, optimizer), (other, _) = trained(True, **how), trained(False, **how)
    np.testing.assert_allclose(one.detach().numpy(), other.detach().numpy(), rtol=1e-6)
    assert one._version == other._version
    if "momentum" in how:
        buffer = optimizer.state[one]["momentum_buffer"]
        assert buffer.is_sparse and buffer._nnz() <= 5
        again = optim.SGD([one], lr=0.125, **how)
        again.load_state_dict(optimizer.state_dict())
        assert again.state[one]["momentum_buffer"].to_dense().tolist() == buffer.to_dense().tolist()


def test_a_sparse_step_leaves_other_rows_alone() -> None:
    w = weight()
    f.embedding(gl.tensor([1, 1]), w, sparse=True).sum().backward()
    w.data[0].fill_(float("nan"))
    optim.SGD([w], lr=0.5).step()
    assert np.isnan(w[0].tolist()).all() and w[1:].tolist() == [[1.0, 2.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0]]


def test_momentum_goes_on_when_the_kind_of_the_gradient_changes() -> None:
    found = []
    for kinds in ((True, False, True), (False, False, False), (False, True, False)):
        w = weight()
        optimizer = optim.SGD([w], lr=0.25, momentum=0.5)
        for sparse in kinds:
            optimizer.zero_grad()
            f.embedding(gl.tensor([1, 3, 3]), w, sparse=sparse).sum().backward()
            optimizer.step()
        found.append(w.tolist())
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (optim.Adam, "Adam"),
        (optim.AdamW, "AdamW"),
        (lambda params: optim.SGD(params, lr=0.1, weight_decay=0.1), "SGD"),
    ],
)
def test_the_others_refuse_sparse_gradients_and_change_nothing(make: Any, name: str) -> None:
    w = weight()
    f.embedding(gl.tensor([1]), w, sparse=True).sum().backward()
    optimizer = make([w])
    with pytest.raises(RuntimeError, match=f"{name} does not support sparse gradients"):
        optimizer.step()
    assert w.tolist() == weight().tolist() and w._version == 0 and not optimizer.state.get(w)


# Jitted.


@pytest.mark.parametrize("padding", [None, 1])
def test_a_dense_lookup_and_its_gradient_become_one_graph(padding: int | None) -> None:
    def step(index: Any, w: Any) -> Any:
        loss = (f.embedding(index, w, padding) ** 2).sum()
        loss.backward()
        return loss

    check(step, lambda number: [gl.tensor([1, number, 3]), weight()], compiles=1)
    check(step, lambda number: [gl.tensor([1, number, 3]), weight()], kernels=True)


def test_a_jitted_lookup_out_of_range_is_an_error() -> None:
    check(
        lambda index, w: f.embedding(index, w), lambda number: [gl.tensor([1, 2 + 2 * number]), weight()], breaks=None
    )


def test_a_jitted_step_with_sparse_gradients_runs_plainly_with_the_same_result() -> None:
    def make(_number: int) -> Any:
        layer = nn.Embedding(5, 2, padding_idx=0, sparse=True)
        layer.weight.data.copy_(weight().detach())
        return [layer, optim.SGD(layer.parameters(), lr=0.125), gl.tensor([1, 1, 0, 3])]

    def step(layer: Any, optimizer: Any, index: Any) -> Any:
        loss = layer(index).pow(2).sum()
        loss.backward()
        optimizer.step()
        dense = layer.weight.grad.to_dense()
        optimizer.zero_grad()
        return loss, dense

    check(step, make, breaks=None)


def test_a_jitted_module_trains_as_the_plain_one() -> None:
    def make(_number: int) -> Any:
        layer = nn.Embedding(5, 2)
        layer.weight.data.copy_(weight().detach())
        return [layer, optim.Adam(layer.parameters(), lr=0.125), gl.tensor([1, 1, 0, 3])]

    def step(layer: Any, optimizer: Any, index: Any) -> Any:
        optimizer.zero_grad()
        loss = layer(index).pow(2).sum()
        loss.backward()
        optimizer.step()
        return loss

    check(step, arguments=lambda: make(0), calls=4, breaks=None)


def test_a_jitted_step_notices_that_the_buffer_of_the_momentum_is_sparse() -> None:
    found = []
    for wrap in (gl.jit, lambda function: function):
        w = weight()
        optimizer = optim.SGD([w], lr=0.25, momentum=0.5)

        def dense(optimizer: Any, w: Any) -> None:
            optimizer.zero_grad()
            (w * w).sum().backward()
            optimizer.step()

        step = wrap(dense)
        for sparse in (False, True, False, True, True, False):
            if sparse:
                optimizer.zero_grad()
                f.embedding(gl.tensor([1, 3, 3]), w, sparse=True).sum().backward()
                optimizer.step()
            else:
                step(optimizer, w)
        optimizer.state.clear()
        f.embedding(gl.tensor([1]), w, sparse=True).sum().backward()
        optimizer.zero_grad()
        f.embedding(gl.tensor([1]), w, sparse=True).sum().backward()
        optimizer.step()
        assert optimizer.state[w]["momentum_buffer"].is_sparse
        step(optimizer, w)
        found.append(w.tolist())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5)
