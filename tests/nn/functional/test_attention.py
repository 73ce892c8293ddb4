"""Attention without stored scores, in both forms; heads and masks that do not fit; transformers in jitted steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.backend.eager.host import HostCalls
from guardlift.frontend import state_of
from guardlift.nn import functional as f
from guardlift.nn.functional import attention

SMALL = {"LONG": 1, "BLOCK": 16, "MOST_SCORES": 1, "MOST_TRACED_SCORES": 1}


def operands(lead: tuple[int, ...], queries: int, keys: int) -> list[Any]:
    """Query, key and value, made up and the same each time."""
    gl.manual_seed(0)
    shapes = ((*lead, queries, 4), (*lead, keys, 4), (*lead, keys, 3))
    return [gl.randn(*shape, dtype=gl.float64, requires_grad=True) for shape in shapes]


def attend(given: list[Any], jitted: bool, **settings: Any) -> tuple[list[Any], Any]:
    """The result and the gradients, and the function that was run."""

    def run(q: Any, k: Any, v: Any) -> Any:
        result = f.scaled_dot_product_attention(q, k, v, **settings)
        (result * result.detach().cos()).sum().backward()
        return result.detach()

    function = gl.jit(run) if jitted else run
    return [function(*given), *(each.grad for each in given)], function


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("settings", [{}, {"is_causal": True}, {"scale": 0.3}], ids=str)
@pytest.mark.parametrize(("queries", "keys"), [(8, 8), (9, 5), (5, 9), (2, 16), (3, 40)])
@pytest.mark.parametrize("lead", [(2, 2), (3,), ()])
def test_blocks_give_what_the_whole_gives(
    monkeypatch: pytest.MonkeyPatch, lead: Any, queries: int, keys: int, settings: Any, jitted: bool
) -> None:
    whole, _ = attend(operands(lead, queries, keys), False, **settings)
    for name, value in SMALL.items():
        monkeypatch.setattr(attention, name, value)
    blocks, function = attend(operands(lead, queries, keys), jitted, **settings)
    for one, other in zip(blocks, whole, strict=True):
        assert gl.allclose(one, other, rtol=1e-10, atol=1e-12)
    if jitted:
        report = gl.explain(function)
        assert (report.compiles, report.breaks) == (1, ())


@pytest.mark.slow
def test_blocks_have_second_derivatives(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL.items():
        monkeypatch.setattr(attention, name, value)
    given = operands((2,), 5, 6)
    monkeypatch.setattr(attention, "matmul", lambda *_: pytest.fail("not the whole"))
    assert gl.autograd.gradcheck(f.scaled_dot_product_attention, given)
    assert gl.autograd.gradgradcheck(f.scaled_dot_product_attention, given)


def test_scores_of_long_rows_are_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "MOST_TRACED_SCORES", 2**20)
    monkeypatch.setattr(attention, "BLOCK", 2**14)

    def step(q: Any, k: Any, v: Any) -> Any:
        loss = f.scaled_dot_product_attention(q, k, v).square().sum()
        loss.backward()
        return loss

    run = gl.jit(step)
    gl.manual_seed(0)
    given = [gl.randn(4, 512, 8, requires_grad=True) for _ in range(3)]
    run(*given)
    state = state_of(run)
    assert state is not None
    arena = state.entries[0].details["compiled"].plan.describe().rsplit("(arena ")[1].split(" ")[0]
    assert int(arena) < 1024 * 1024  # of the 4 MiB that the scores alone would be


MASKS: dict[str, Any] = {
    "none": lambda: None,
    "bools for all": lambda: gl.randn(9, 6) > 0.7,  # rows in which nothing takes part among them
    "floats for each": lambda: gl.randn(2, 3, 9, 6, dtype=gl.float64),
    "floats for each head": lambda: gl.randn(3, 9, 6, dtype=gl.float64),
    "bools of keys": lambda: gl.randn(2, 1, 1, 6) > -0.3,
}


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("settings", [{}, {"dropout_p": 0.3}, {"dropout_p": 0.3, "is_causal": True}], ids=str)
@pytest.mark.parametrize("name", MASKS)
@pytest.mark.slow
def test_masks_and_dropout_in_blocks_give_what_the_whole_gives(
    monkeypatch: pytest.MonkeyPatch, name: str, settings: Any, jitted: bool
) -> None:
    def run(q: Any, k: Any, v: Any, mask: Any) -> Any:
        result = f.scaled_dot_product_attention(q, k, v, mask, **settings)
        first = gl.autograd.grad((result * result.detach().cos()).sum(), (q, k, v), create_graph=True)
        second = gl.autograd.grad(sum(each.square().sum() for each in first), (q, k, v))
        return [result.detach(), *(each.detach() for each in first), *second, gl.rand(3)]

    def found(function: Any) -> Any:
        given = operands((2, 3), 9, 6)
        mask = MASKS[name]()
        gl.manual_seed(5)
        return function(*given, mask)

    whole = found(run)
    for setting, value in SMALL.items():
        monkeypatch.setattr(attention, setting, value)
    function = gl.jit(run) if jitted else run
    with monkeypatch.context() as inside:
        inside.setattr(attention, "matmul", lambda *_: pytest.fail("not the whole"))
        blocks = found(function)
    for one, other in zip(blocks, whole, strict=True):  # the same draws too, and as many
        assert gl.allclose(one, other, rtol=1e-9, atol=1e-10)
    if jitted:
        assert gl.explain(function).breaks == ()


@pytest.mark.parametrize("kernels", [False, True], ids=["NumPy", "kernels"])
def test_scores_made_at_once_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch, kernels: bool) -> None:
    """With a mask and a dropout, in two threads and in one, and with second derivatives."""

    def refused(_: Any, key: Any, reason: str) -> None:
        assert "attention" not in str(key[0]), reason

    monkeypatch.setattr(HostCalls, "refused", refused)

    def found(threads: int) -> list[Any]:
        gl.manual_seed(0)
        given = [gl.randn(4, 2, 72, 16, requires_grad=True) for _ in range(3)]
        mask = gl.randn(4, 1, 1, 72) > -1.0
        with gl.config.patch(num_threads=threads, eager_kernels=kernels):
            result = f.scaled_dot_product_attention(*given, mask, 0.2, is_causal=True)
            first = gl.autograd.grad(result.square().sum(), given, retain_graph=True)
            again = gl.autograd.grad(result.square().sum(), given, create_graph=True)
            second = gl.autograd.grad(sum(each.square().sum() for each in again), given)
        return [each.detach().numpy() for each in (result, *first, *second, gl.rand(3))]

    alone, together = found(1), found(2)
    assert [each.tobytes() for each in alone] == [each.tobytes() for each in together]
    monkeypatch.setattr(attention, "MOST_SCORES", 2**30)
    for one, other in zip(alone, found(1), strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-4)
    assert not np.isnan(alone[0]).any()


def test_what_has_no_blocks_takes_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL.items():
        monkeypatch.setattr(attention, name, value)
    monkeypatch.setattr(attention, "_by_blocks", lambda *_: pytest.fail("not for blocks"))
    q, k, v = operands((2,), 5, 5)
    f.scaled_dot_product_attention(q, k, v, gl.zeros(5, 5, dtype=gl.float64, requires_grad=True)).sum().backward()
    f.scaled_dot_product_attention(q, k, v, gl.zeros(5, 5))  # added in another dtype
    f.scaled_dot_product_attention(q, k, v, dropout_p=1.0)
    f.scaled_dot_product_attention(q, k[0], v[0])
    f.scaled_dot_product_attention(q.half(), k.half(), v.half())
    f.scaled_dot_product_attention(q[:, :0], k, v)
    with pytest.raises(RuntimeError):
        f.scaled_dot_product_attention(q, k[..., :3], v)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: f.scaled_dot_product_attention(
                gl.zeros(1, 3, 2, 4), gl.zeros(1, 2, 2, 4), gl.zeros(1, 2, 2, 4), enable_gqa=True
            ),
            RuntimeError,
            "must divide those of query",
        ),
        (lambda: nn.MultiheadAttention(4, 3), AssertionError, "divisible by num_heads"),
        (lambda: nn.MultiheadAttention(0, 1), ValueError, "greater than 0, got embed_dim=0"),
        (lambda: heads(gl.zeros(3, 2, 5)), AssertionError, "embedding dimension of 4, but got 5"),
        (lambda: heads(gl.zeros(4)), AssertionError, "received 1-D query"),
        (lambda: heads(key=gl.zeros(3, 4)), AssertionError, "key and value to be 3-D but found 2-D"),
        (lambda: heads(key=gl.zeros(5, 2, 4)), AssertionError, "does not match value shape"),
        (lambda: heads(attn_mask=gl.zeros(2, 3)), RuntimeError, r"\(2, 3\), but should be \(3, 3\)"),
        (lambda: heads(attn_mask=gl.zeros(3)), AssertionError, "2-D or 3-D but found 1-D"),
        (lambda: heads(attn_mask=gl.zeros(3, 3).long()), RuntimeError, "bool and floating types .* got int64"),
        (lambda: heads(key_padding_mask=gl.zeros(3, 3)), AssertionError, r"shape of \(2, 3\), but got \(3, 3\)"),
        (lambda: heads(key_padding_mask=gl.zeros(3)), AssertionError, "None or 2-D but found 1-D"),
        (lambda: heads(is_causal=True), RuntimeError, "Need attn_mask if specifying the is_causal hint"),
        (lambda: nn.TransformerEncoderLayer(4, 2, activation="elu"), RuntimeError, "relu/gelu, not elu"),
        (lambda: nn.Transformer(4, 2, 1, 1, 4)(gl.zeros(3, 2, 4), gl.zeros(3, 1, 4)), RuntimeError, "got 2 and 1"),
        (lambda: nn.Transformer(4, 2, 1, 1, 4)(gl.zeros(3, 2, 4), gl.zeros(3, 2, 5)), RuntimeError, "got 4 and 5"),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def heads(query: Any = None, key: Any = None, **settings: Any) -> Any:
    """Attention of two heads over sequences of three, with something that does not fit."""
    x = gl.zeros(3, 2, 4)
    return nn.MultiheadAttention(4, 2)(x if query is None else query, x if key is None else key, x, **settings)


def masked(layer: Any) -> Any:
    """A function of one input: a decoder over it beside itself, with a mask."""
    return lambda x: layer(x, x, nn.Transformer.generate_square_subsequent_mask(x.shape[0]))


STEPS: dict[str, Any] = {
    "attention": lambda: (layer := nn.MultiheadAttention(8, 2, 0.1), lambda x: layer(x, x, x)[0]),
    "encoder": lambda: (
        layer := nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.1), 2),
        lambda x: layer(x, x.new_zeros(6, 6)),
    ),
    "decoder": lambda: (layer := nn.TransformerDecoderLayer(8, 2, 16, 0.1, norm_first=True), masked(layer)),
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.slow
def test_a_jitted_step_is_one_graph_and_does_what_an_eager_one_does(name: str) -> None:
    found = []
    for jitted in (False, True):
        gl.manual_seed(0)
        layer, call = STEPS[name]()
        x, y = gl.randn(6, 3, 8), gl.randn(6, 3, 8)
        optimizer = gl.optim.AdamW(layer.parameters(), lr=0.01)

        def step(x: Any, y: Any, call: Any = call, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            loss = f.mse_loss(call(x), y)
            loss.backward()
            optimizer.step()
            return loss

        run = gl.jit(step) if jitted else step
        found.append([run(x, y).item() for _ in range(3)])
    assert found[0] == pytest.approx(found[1], rel=1e-5)
    report = gl.explain(run)
    assert (report.compiles, report.breaks) == (1, ())


def test_parameters_bear_pytorch_names() -> None:
    names = ["in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"]
    assert sorted(nn.MultiheadAttention(4, 2).state_dict()) == sorted(names)
    parts = {"q_proj_weight", "k_proj_weight", "v_proj_weight"}
    assert parts < set(nn.MultiheadAttention(4, 2, kdim=3, add_bias_kv=True).state_dict())
    layer = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 2)
    assert "layers.1.self_attn.in_proj_weight" in layer.state_dict()
    assert layer.layers[0].linear1.weight is not layer.layers[1].linear1.weight
    assert (nn.MultiheadAttention(4, 2).in_proj_bias == 0).all()


def test_without_features_all_values_count_alike() -> None:
    q, k, v = gl.ones(1, 2, 0), gl.ones(1, 3, 0), gl.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]])
    attention = lambda q, k, v, causal: f.scaled_dot_product_attention(q, k, v, is_causal=causal)  # noqa: E731
    for run in (attention, gl.jit(attention)):
        assert run(q, k, v, False).tolist() == [[[3.0, 4.0], [3.0, 4.0]]]  # as PyTorch 2.13 has it
        assert run(q, k, v, True).tolist() == [[[1.0, 2.0], [2.0, 3.0]]]
