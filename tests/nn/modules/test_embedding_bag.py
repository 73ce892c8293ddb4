"""Bags of embeddings: what is refused, what PyTorch has no figures for, and jitted steps."""

from __future__ import annotations

from typing import Any

import pytest

import guardlift as gl
from guardlift import nn
from guardlift.nn import functional as f

I = [1, 1, 4, 0, 5, 4, 1]
WEIGHT = gl.arange(18.0).reshape(6, 3)


def bag(*args: Any, **kwargs: Any) -> Any:
    return f.embedding_bag(gl.tensor(I), WEIGHT, *args, **kwargs)


def square(**kwargs: Any) -> Any:
    return f.embedding_bag(gl.tensor([[1, 2], [4, 5]]), WEIGHT, **kwargs)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: bag(), ValueError, "offsets has to be a 1D Tensor but got None"),
        (lambda: bag(gl.tensor([[0]])), ValueError, "offsets has to be a 1D Tensor"),
        (lambda: bag(gl.tensor([1, 2])), RuntimeError, r"offsets\[0\] has to be 0.*got 1"),
        (lambda: bag(gl.tensor([0, 8])), RuntimeError, "input's length 7 but got offsets.* of 8"),
        (lambda: bag(gl.tensor([0, 4, 2])), RuntimeError, r"offsets have to ascend, got \[0, 4, 2\]"),
        (lambda: bag(gl.tensor([0, 4, 2]), mode="max"), RuntimeError, "offsets have to ascend"),
        (lambda: bag(gl.tensor([0.0])), RuntimeError, "float32, expected int32 or int64"),
        (lambda: bag(gl.tensor([], dtype=gl.int64), include_last_offset=True), RuntimeError, "at least 1"),
        (lambda: square(offsets=gl.tensor([0])), ValueError, "offsets has to be None"),
        (lambda: square(mode="min"), ValueError, "one of sum, mean or max, got 'min'"),
        (lambda: square(mode="max", sparse=True), ValueError, "does not support sparse"),
        (lambda: square(mode="max", scale_grad_by_freq=True), ValueError, "scaling the gradient"),
        (lambda: square(per_sample_weights=gl.ones(2, 2)), NotImplementedError, "got mode='mean'"),
        (lambda: square(mode="sum", per_sample_weights=gl.ones(2)), ValueError, "the same shape as the input"),
        (lambda: square(mode="sum", per_sample_weights=gl.ones(2, 2).double()), RuntimeError, "have dtype float64"),
        (lambda: f.embedding_bag(gl.zeros(1, 1, 1).long(), WEIGHT), ValueError, "Tensor of dimension 3"),
        (lambda: nn.EmbeddingBag(4, 3, _weight=WEIGHT), RuntimeError, r"shape \[6, 3\], expected \[4, 3\]"),
        (lambda: nn.EmbeddingBag.from_pretrained(WEIGHT[0]), RuntimeError, "must be 2-D"),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_without_numbers_are_zeros(mode: str) -> None:
    assert bag(gl.tensor([0, 0, 7]), mode=mode)[::2].tolist() == [[0.0] * 3] * 2
    none = gl.tensor([], dtype=gl.int64)
    assert f.embedding_bag(none, WEIGHT, gl.tensor([0, 0]), mode=mode).tolist() == [[0.0] * 3] * 2
    assert f.embedding_bag(none, WEIGHT, none, mode=mode).shape == (0, 3)
    assert f.embedding_bag(none.reshape(2, 0), WEIGHT, mode=mode).tolist() == [[0.0] * 3] * 2


def test_gradients_by_frequency_are_divided_by_counts() -> None:
    w = WEIGHT.clone().requires_grad_()
    f.embedding_bag(gl.tensor(I), w, gl.tensor([0, 2, 2, 5]), mode="sum", scale_grad_by_freq=True).sum().backward()
    assert w.grad[:, 0].tolist() == pytest.approx([1.0, 1.0, 0.0, 0.0, 1.0, 1.0])


def test_a_norm_is_kept_without_history_and_counted_as_a_write() -> None:
    w = WEIGHT.clone().requires_grad_()
    f.embedding(gl.tensor([3, 3]), w, max_norm=1.0).sum().backward()
    assert w.grad[3].tolist() == [2.0] * 3 and w._version == 1
    assert w[3].norm().item() == pytest.approx(1.0, rel=1e-5) and w[4].tolist() == WEIGHT[4].tolist()


def test_sparse_bags_have_the_gradient_of_dense_ones() -> None:
    for mode in ("sum", "mean"):
        found = []
        for sparse in (False, True):
            w = WEIGHT.clone().requires_grad_()
            f.embedding_bag(gl.tensor(I), w, gl.tensor([0, 2, 3]), mode=mode, sparse=sparse).square().sum().backward()
            assert w.grad.is_sparse == sparse
            found.append(w.grad.to_dense())
        assert gl.allclose(*found)


def test_the_module_says_its_settings() -> None:
    assert repr(nn.EmbeddingBag(4, 2)) == "EmbeddingBag(4, 2, mode='mean')"
    layer = nn.EmbeddingBag(4, 2, 1.0, 1.0, True, padding_idx=-1)
    text = "4, 2, max_norm=1.0, norm_type=1.0, scale_grad_by_freq=True, mode='mean', padding_idx=3"
    assert repr(layer) == f"EmbeddingBag({text})"
    assert layer.weight[3].tolist() == [0.0, 0.0]
    layer = nn.Embedding(4, 2, 0, 1.0, 1.0, True)
    assert repr(layer) == "Embedding(4, 2, padding_idx=0, max_norm=1.0, norm_type=1.0, scale_grad_by_freq=True)"
    frozen = nn.EmbeddingBag.from_pretrained(WEIGHT)
    assert not frozen.weight.requires_grad and frozen.weight.data_ptr() == WEIGHT.data_ptr()


@pytest.mark.parametrize(
    ("settings", "graphs"),
    [
        ({"mode": "sum"}, 1),
        ({"mode": "mean", "padding_idx": 1}, 1),
        ({"mode": "mean", "max_norm": 1.0}, 1),
        ({"mode": "sum", "scale_grad_by_freq": True}, 1),
    ],
)
def test_jitted_steps_do_what_eager_steps_do(settings: Any, graphs: int) -> None:
    index, offsets, found = gl.tensor(I), gl.tensor([0, 2, 2, 5]), []
    for jitted in (False, True):
        gl.manual_seed(0)
        layer = nn.EmbeddingBag(6, 3, **settings)
        optimizer = gl.optim.SGD(layer.parameters(), lr=0.1)

        def step(index: Any, offsets: Any, layer: Any = layer, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            loss = layer(index, offsets).square().sum()
            loss.backward()
            optimizer.step()
            return loss

        run = gl.jit(step) if jitted else step
        found.append([run(index, offsets).item() for _ in range(3)] + layer.weight.flatten().tolist())
        if jitted:
            report = gl.explain(run)
            assert (report.compiles, report.breaks) == (graphs, ())
    assert found[0] == pytest.approx(found[1], rel=1e-5)
