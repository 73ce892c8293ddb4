"""Packed sequences in a jitted function: one graph for all lengths, with eager mode's results, draws and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.frontend import state_of
from guardlift.nn.utils import rnn

LAYERS: dict[str, Callable[[], Any]] = {
    "RNN": lambda: nn.RNN(3, 4),
    "GRU, dropout": lambda: nn.GRU(3, 4, 2, dropout=0.5, bidirectional=True),
    "LSTM, both ways": lambda: nn.LSTM(3, 4, bidirectional=True),
    "LSTM, projected": lambda: nn.LSTM(3, 4, 2, proj_size=2),
}
DESCENDING = ([4, 2, 1], [4, 4, 4], [4, 4, 3], [2, 2, 2], [4, 1, 1])
"""Lengths of batches; of one, no sequence has all four steps."""
MIXED = ([2, 4, 1], [4, 4, 4], [3, 4, 4], [2, 1, 2], [1, 1, 4])


def breaks(run: Any) -> list[str]:
    return [event.text for event in state_of(run).history if event.kind == "break"]


def both(program: Callable[[Any], Callable[..., Any]], make: Callable[[], Any], calls: Any) -> Any:
    """The results of a program over a layer for each call, and the gradients, eager and jitted; the jitted function."""
    found, run = [], None
    for jitted in (False, True):
        gl.manual_seed(0)
        layer, x = make(), gl.randn(4, 3, 3).requires_grad_()
        run = gl.jit(program(layer)) if jitted else program(layer)
        results = [each.detach().numpy().copy() for lengths in calls for each in run(x, lengths)]
        found.append([*results, x.grad.numpy(), *(each.grad.numpy() for each in layer.parameters())])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-5)
        assert one.dtype == other.dtype
    return run


def stepped(**settings: Any) -> Callable[[Any], Callable[..., Any]]:
    """A training step that packs, runs the layer, pads again and goes backward."""
    first, sorts, total = (settings.get(each) for each in ("batch_first", "sorts", "total_length"))

    def program(layer: Any) -> Callable[..., Any]:
        def step(x: Any, lengths: Any) -> Any:
            x = x.transpose(0, 1) if first else x
            packed = rnn.pack_padded_sequence(x, lengths, batch_first=bool(first), enforce_sorted=not sorts)
            output, states = layer(packed)
            padded, found = rnn.pad_packed_sequence(output, bool(first), padding_value=0.5, total_length=total)
            loss = padded.square().sum()
            for each in states if isinstance(states, tuple) else (states,):
                loss = loss + each.sum()
            loss.backward()
            return loss, padded, found, output.data, output.batch_sizes

        return step

    return program


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.slow
def test_a_step_over_sequences_of_any_length_is_one_graph(layer: str) -> None:
    run = both(stepped(sorts=True), LAYERS[layer], [gl.tensor(each) for each in MIXED])
    assert not breaks(run) and sum(event.kind != "break" for event in state_of(run).history) <= 2


@pytest.mark.slow
def test_sequences_that_are_sorted_already_and_other_forms() -> None:
    assert not breaks(both(stepped(), LAYERS["RNN"], [gl.tensor(each) for each in DESCENDING]))
    assert not breaks(both(stepped(batch_first=True), LAYERS["RNN"], [*DESCENDING]))  # lengths in a list
    assert not breaks(both(stepped(total_length=6), LAYERS["RNN"], [gl.tensor(each) for each in DESCENDING]))


@pytest.mark.parametrize("known_by", ["order", "states", "sizes"])
@pytest.mark.slow
def test_a_batch_that_is_packed_before_the_call_is_part_of_the_graph(known_by: str) -> None:
    start = gl.ones(1, 3, 4) if known_by == "states" else None

    def program(layer: Any) -> Callable[..., Any]:
        def step(packed: Any) -> Any:
            output, state = layer(packed, start)
            padded, found = rnn.pad_packed_sequence(output)
            return padded.square().sum() + state.sum(), padded, found, output.data

        jitted = gl.jit(step) if runs else step
        runs.append(jitted)

        def outside(x: Any, lengths: Any) -> Any:
            packed = rnn.pack_padded_sequence(x, lengths, enforce_sorted=known_by != "order")
            results = jitted(packed)
            results[0].backward()
            return results

        return outside

    runs: list[Any] = []
    lengths = MIXED if known_by == "order" else DESCENDING
    found = []
    for _ in range(2):
        gl.manual_seed(0)
        layer, x = nn.GRU(3, 4), gl.randn(4, 3, 3).requires_grad_()
        run = program(layer)
        results = [each.detach().numpy().copy() for sizes in lengths for each in run(x, gl.tensor(sizes))]
        found.append([*results, x.grad.numpy(), *(each.grad.numpy() for each in layer.parameters())])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-5)
    assert not breaks(runs[1])


@pytest.mark.slow
def test_padding_that_is_not_finite_reaches_nothing() -> None:
    layer = nn.LSTM(3, 4)

    def step(x: Any, lengths: Any) -> Any:
        output, _ = layer(rnn.pack_padded_sequence(x, lengths))
        return output.data.sum()

    run = gl.jit(step)
    x = gl.randn(4, 2, 3)
    x[2:, 1] = float("nan")
    x.requires_grad_()
    for _ in range(2):
        run(x, gl.tensor([4, 2])).backward()
    assert not breaks(run) and x.grad.isfinite().all() and layer.weight_hh_l0.grad.isfinite().all()
    assert x.grad[2:, 1].abs().max() == 0


@pytest.mark.parametrize(
    "lengths, text",
    [([1, 4, 2], "sorted in decreasing order"), ([4, 2, 0], "greater than 0"), ([5, 2, 1], "go up to 5")],
)
def test_lengths_that_do_not_fit_raise_what_eager_mode_raises(lengths: list[int], text: str) -> None:
    run = gl.jit(lambda x, n: rnn.pack_padded_sequence(x, n).data.sum())
    x = gl.randn(4, 3, 2)
    for _ in range(2):
        assert run(x, gl.tensor([4, 2, 1])).item() == pytest.approx(
            rnn.pack_padded_sequence(x, [4, 2, 1]).data.sum().item(), rel=1e-5
        )
        with pytest.raises(RuntimeError, match=text):
            run(x, gl.tensor(lengths))
    with pytest.raises(RuntimeError, match="but got 2"):
        run(x, gl.tensor([4, 2]))


@pytest.mark.slow
def test_a_second_derivative_goes_through_a_packed_batch() -> None:
    layer = nn.GRU(3, 4)

    def program(x: Any, lengths: Any) -> Any:
        loss = layer(rnn.pack_padded_sequence(x, lengths))[0].data.square().sum()
        (first,) = gl.autograd.grad(loss, x, create_graph=True)
        return gl.autograd.grad(first.square().sum(), x)[0]

    x, lengths = gl.randn(4, 3, 3).requires_grad_(), gl.tensor([4, 2, 1])
    run = gl.jit(program)
    for _ in range(2):
        assert gl.allclose(run(x, lengths), program(x, lengths), rtol=1e-4, atol=1e-5)
    assert not breaks(run)


def test_sequences_of_known_lengths_are_packed_in_the_graph() -> None:
    def program(a: Any, b: Any) -> Any:
        packed = rnn.pack_sequence([a, b])
        return packed.data * 2, packed.batch_sizes

    run = gl.jit(program)
    a, b = gl.randn(3, 2), gl.randn(2, 2)
    for _ in range(2):
        for one, other in zip(run(a, b), program(a, b), strict=True):
            assert one.equal(other)
    assert not breaks(run)
