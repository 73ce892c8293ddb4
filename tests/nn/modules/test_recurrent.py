"""Recurrent layers: one node in eager mode, one loop in a graph; packed sequences; arguments that do not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn
from guardlift.frontend import state_of
from guardlift.nn import functional as f
from guardlift.nn.recurrent.recurrence import by_steps
from guardlift.nn.utils import rnn

LAYERS: dict[str, Callable[[], Any]] = {
    "RNN": lambda: nn.RNN(3, 4, nonlinearity="relu"),
    "GRU": lambda: nn.GRU(3, 4, 2, batch_first=True),
    "LSTM": lambda: nn.LSTM(3, 4, 2, dropout=0.25),
    "both ways": lambda: nn.LSTM(3, 4, bidirectional=True),
    "projected": lambda: nn.LSTM(3, 4, proj_size=2),
}


def trained(make: Callable[[], Any], jitted: bool, steps: int = 12) -> tuple[list[float], Any]:
    """The losses of some steps of a layer, and the step."""
    gl.manual_seed(0)
    layer = make()
    x = gl.randn(steps, steps, 3)
    y = gl.randn(*layer(x)[0].shape)
    optimizer = gl.optim.Adam(layer.parameters(), lr=0.01)

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = f.mse_loss(layer(x)[0], y)
        loss.backward()
        optimizer.step()
        return loss

    run = gl.jit(step) if jitted else step
    gl.manual_seed(1)
    return [run(x, y).item() for _ in range(4)], run


@pytest.mark.parametrize("name", LAYERS)
def test_a_jitted_step_is_one_graph_with_a_loop_and_does_what_an_eager_one_does(name: str) -> None:
    eager, _ = trained(LAYERS[name], False)
    jitted, run = trained(LAYERS[name], True)
    assert eager == pytest.approx(jitted, rel=1e-5)
    report = gl.explain(run)
    assert (report.compiles, report.breaks) == (1, ())
    state = state_of(run)
    assert state is not None
    loops = [node for node in state.entries[0].details["traced"].nodes if node.op.name == "loop"]
    assert len(loops) >= 2  # one forward, one backward


def test_the_gradient_of_the_weight_of_a_loop_is_one_product_behind_it() -> None:
    _, run = trained(lambda: nn.RNN(3, 32), True)
    state = state_of(run)
    assert state is not None
    nodes = state.entries[0].details["traced"].nodes
    backward = [node for node in nodes if node.op.name == "loop" and node.attr("reverse")]
    assert len(backward) == 1 and backward[0].attr("carried") == 1  # nothing but the gradient of the state


@pytest.mark.parametrize("name", LAYERS)
def test_all_steps_are_one_node_of_the_tape(name: str) -> None:
    output, states = LAYERS[name]()(gl.randn(6, 5, 3))
    assert "Backward0" in repr(output.grad_fn)
    seen, waiting = set(), [output.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [each for each, _ in node.next_functions]
    assert len(seen) < 40
    assert (states[0] if isinstance(states, tuple) else states).requires_grad


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", LAYERS)
def test_both_forms_agree(name: str, reverse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for at_once in (True, False):
        gl.manual_seed(0)
        layer = LAYERS[name]().double()
        x = gl.randn(6, 5, 3, dtype=gl.float64, requires_grad=True)
        if not at_once:
            monkeypatch.setattr("guardlift.nn.recurrent.node.at_once", by_steps)
        output, states = layer(x.flip(0) if reverse else x)
        last = states if isinstance(states, tuple) else (states,)
        (output.square().sum() + sum(each.sin().sum() for each in last)).backward()
        found.append([output.detach(), x.grad, *(each.grad for each in layer.parameters())])
    for one, other in zip(*found, strict=True):
        assert gl.allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("dtype", [gl.float16, gl.bfloat16])
def test_halves_are_computed_step_by_step(dtype: Any) -> None:
    gl.manual_seed(0)
    layer, x = nn.LSTM(3, 4), gl.randn(4, 2, 3)
    expected, (last, _) = layer(x)
    output, (half, _) = layer.to(dtype)(x.to(dtype))
    assert output.dtype is dtype and gl.allclose(output.float(), expected, atol=0.03)
    assert gl.allclose(half.float(), last, atol=0.03)


def test_what_is_saved_is_checked_and_packed() -> None:
    layer = nn.GRU(3, 4)
    output, _ = layer(gl.randn(4, 2, 3))
    with gl.no_grad():
        output.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        output.sum().backward()
    packed: list[Any] = []
    with gl.autograd.graph.saved_tensors_hooks(lambda x: packed.append(x) or len(packed) - 1, lambda k: packed[k]):
        output, _ = layer(gl.randn(4, 2, 3))
    output.sum().backward()
    assert any(each.shape == (4, 2, 12) for each in packed)  # the gates of all steps
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        output.sum().backward()


def test_last_states_are_memory_of_their_own() -> None:
    output, (last, cell) = nn.LSTM(3, 4)(gl.randn(4, 2, 3))
    before = output.detach().clone()
    with gl.no_grad():
        last.zero_()
        cell.zero_()
    assert output.detach().equal(before)
    output.sum().backward()


def test_nothing_is_recorded_where_nothing_is_wanted() -> None:
    layer, x = nn.LSTM(3, 4), gl.randn(4, 2, 3)
    with gl.no_grad():
        assert not layer(x)[0].requires_grad
    layer.requires_grad_(False)
    assert not layer(x)[0].requires_grad
    layer.weight_hh_l0.requires_grad_(True)
    layer(x)[0].sum().backward()
    assert layer.weight_hh_l0.grad is not None and layer.weight_ih_l0.grad is None


def test_parameters_bear_pytorch_names_in_its_order() -> None:
    names = list(nn.LSTM(3, 4, 2, bidirectional=True, proj_size=2).state_dict())
    first = ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_hr_l0"]
    assert names[:5] == first and names[5:10] == [f"{each}_reverse" for each in first] and len(names) == 20
    assert list(nn.GRUCell(3, 4).state_dict()) == ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]
    assert [len(each) for each in nn.GRU(3, 4, 2, False).all_weights] == [2, 2]
    bound = 4**-0.5
    assert all(each.abs().max() <= bound for each in nn.RNN(3, 4).parameters())
    assert (
        repr(nn.LSTM(3, 4, 2, dropout=0.5, batch_first=True))
        == "LSTM(3, 4, num_layers=2, batch_first=True, dropout=0.5)"
    )
    assert repr(nn.RNNCell(3, 4, False, "relu")) == "RNNCell(3, 4, bias=False, nonlinearity=relu)"


X, ONE = gl.zeros(4, 2, 3), gl.zeros(4, 3)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: nn.LSTM(3, 4)(gl.zeros(4, 2, 5)), RuntimeError, "Expected 3, got 5"),
        (lambda: nn.LSTM(3, 4)(gl.zeros(3)), ValueError, "Expected input to be 2D or 3D, got 1D"),
        (lambda: nn.GRU(3, 4)(X, gl.zeros(1, 4)), RuntimeError, "batched 3-D input, hx .* also be 3-D but got 2-D"),
        (lambda: nn.GRU(3, 4)(ONE, gl.zeros(1, 1, 4)), RuntimeError, "unbatched 2-D input, hx .* 2-D but got 3-D"),
        (lambda: nn.GRU(3, 4)(X, gl.zeros(1, 3, 4)), RuntimeError, r"hidden size \(1, 2, 4\), got \[1, 3, 4\]"),
        (lambda: nn.LSTM(3, 4)(X, (gl.zeros(1, 2, 4), gl.zeros(1, 2, 5))), RuntimeError, r"got \[1, 2, 5\]"),
        (lambda: nn.LSTM(3, 4)(gl.zeros(0, 2, 3)), RuntimeError, "larger than 0"),
        (lambda: nn.LSTM(3, 4)(X.double()), RuntimeError, "float64 != float32"),
        (lambda: nn.RNN(3, 4, nonlinearity="elu"), ValueError, "Unknown nonlinearity 'elu'"),
        (lambda: nn.RNNCell(3, 4, nonlinearity="elu")(gl.zeros(2, 3)), ValueError, "Unknown nonlinearity: elu"),
        (lambda: nn.GRU(3, 4, proj_size=2), ValueError, "only supported for LSTM"),
        (lambda: nn.LSTM(3, 4, proj_size=4), ValueError, "smaller than hidden_size"),
        (lambda: nn.LSTM(3, 4, proj_size=-1), ValueError, "positive integer or zero"),
        (lambda: nn.LSTM(3, 0), ValueError, "hidden_size must be greater than zero"),
        (lambda: nn.LSTM(3, 4.0), TypeError, "should be of type int, got: float"),
        (lambda: nn.LSTM(3, 4, 0), ValueError, "num_layers must be greater than zero"),
        (lambda: nn.LSTM(3, 4, dropout=1.5), ValueError, r"range \[0, 1\]"),
        (lambda: nn.RNNBase("LSTN", 3, 4), ValueError, "Unrecognized RNN mode: LSTN"),
        (lambda: nn.LSTMCell(3, 4)(gl.zeros(2, 5)), RuntimeError, "input_size: got 5, expected 3"),
        (lambda: nn.LSTMCell(3, 4)(X), ValueError, "Expected input to be 1D or 2D, got 3D"),
        (lambda: nn.GRUCell(3, 4)(gl.zeros(2, 3), gl.zeros(3, 4)), RuntimeError, r"\[3, 4\], expected \[2, 4\]"),
        (lambda: rnn.pack_padded_sequence(X, [3, 4]), RuntimeError, "sorted in decreasing order"),
        (lambda: rnn.pack_padded_sequence(X, [3, 0]), RuntimeError, "greater than 0"),
        (lambda: rnn.pack_padded_sequence(X, [3]), RuntimeError, r"got 1 \(batch_size=2\)"),
        (lambda: rnn.pack_padded_sequence(X, [5, 1]), RuntimeError, "lengths go up to 5, and the input has 4 steps"),
        (lambda: rnn.pad_sequence([]), RuntimeError, "empty list"),
        (lambda: rnn.pad_sequence([ONE, gl.zeros(2, 4)]), RuntimeError, r"\[4, 3\] and \[2, 4\]"),
        (lambda: rnn.pad_sequence(3), RuntimeError, "Expected iterable"),
        (lambda: rnn.pad_sequence([ONE], padding_side="up"), RuntimeError, "left or right, but got up"),
        (
            lambda: rnn.pad_packed_sequence(rnn.pack_sequence([ONE]), total_length=3),
            ValueError,
            "total_length=3 and max sequence length being 4",
        ),
        (
            lambda: nn.LSTM(3, 4)(rnn.PackedSequence(ONE, gl.tensor([1, 2, 1]))),
            RuntimeError,
            "must descend and be positive",
        ),
        (lambda: nn.LSTM(3, 4)(rnn.PackedSequence(ONE, gl.tensor([2, 1]))), RuntimeError, "3 together.* 4 rows"),
        (lambda: nn.LSTM(2, 4)(rnn.pack_sequence([ONE])), RuntimeError, "Expected 2, got 3"),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_dropout_of_one_layer_warns() -> None:
    with pytest.warns(UserWarning, match="num_layers greater than 1, but got dropout=0.5"):
        nn.LSTM(3, 4, dropout=0.5)


def test_packed_sequences_are_records() -> None:
    packed = rnn.pack_padded_sequence(gl.arange(12.0).view(4, 3), gl.tensor([2, 4, 1]), enforce_sorted=False)
    assert packed.data.tolist() == [1.0, 0.0, 2.0, 4.0, 3.0, 7.0, 10.0] and packed.batch_sizes.tolist() == [3, 2, 1, 1]
    data, sizes, order, back = packed
    assert order.tolist() == back.tolist() == [1, 0, 2] and sizes.dtype is gl.int64
    assert packed.double().data.dtype is gl.float64 and packed.to(gl.float32) is packed and not packed.is_cuda
    assert repr(packed).startswith("PackedSequence(data=tensor([ 1.")
    padded, lengths = rnn.pad_packed_sequence(packed)
    assert lengths.tolist() == [2, 4, 1] and padded[:, 1].tolist() == [1.0, 4.0, 7.0, 10.0]


@pytest.mark.slow
def test_packed_sequences_in_a_jitted_step() -> None:
    found = []
    for jitted in (False, True):
        gl.manual_seed(0)
        layer, x = nn.LSTM(3, 4, bidirectional=True), gl.randn(4, 3, 3)

        def step(x: Any, lengths: Any, layer: Any = layer) -> Any:
            packed = rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
            output, _ = rnn.pad_packed_sequence(layer(packed)[0])
            loss = output.square().sum()
            loss.backward()
            return loss

        run = gl.jit(step) if jitted else step
        losses = [run(x, gl.tensor(lengths)).item() for lengths in ([2, 4, 1], [3, 3, 3])]
        found.append(losses + [each.grad.sum().item() for each in layer.parameters()])
    assert found[0] == pytest.approx(found[1], rel=1e-4, abs=1e-5)
