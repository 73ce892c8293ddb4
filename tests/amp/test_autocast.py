"""Autocast as a context and as a decorator: nested, in threads, with checkpoints, in custom functions."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from tensor.whole_surface import whole_surface

import guardlift as gl
from guardlift import nn
from guardlift.autograd import Function, checkpoint
from guardlift.tensor.autocast import LISTED
from guardlift.tensor.surface import SURFACE

F = nn.functional
X = gl.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])


def product(x: Any = X) -> Any:
    return x @ x.T


def test_it_is_off_outside_and_on_inside() -> None:
    assert product().dtype is gl.float32
    assert not gl.is_autocast_enabled("cpu")
    with gl.autocast("cpu") as context:
        assert isinstance(context, gl.autocast)
        assert gl.is_autocast_enabled("cpu") and not gl.is_autocast_enabled("cuda") and not gl.is_autocast_enabled()
        assert product().dtype is gl.bfloat16
        assert (X + X).dtype is gl.float32
    assert product().dtype is gl.float32


def test_the_default_dtypes_are_those_of_pytorch_until_a_context_says_another() -> None:
    assert (gl.get_autocast_dtype("cpu"), gl.get_autocast_dtype("cuda")) == (gl.bfloat16, gl.float16)
    with gl.autocast(device_type="cpu", dtype=gl.float16, enabled=False):
        assert gl.get_autocast_dtype("cpu") is gl.float16
        with gl.autocast("cpu"):
            assert product().dtype is gl.float16
    assert gl.get_autocast_dtype("cpu") is gl.bfloat16


def test_contexts_nest_and_are_left_when_something_is_raised() -> None:
    with pytest.raises(KeyError), gl.autocast("cpu"):
        with gl.autocast("cpu", enabled=False):
            assert product().dtype is gl.float32
            with gl.autocast("cpu", dtype=gl.float16):
                assert product().dtype is gl.float16
        assert product().dtype is gl.bfloat16
        raise KeyError
    assert not gl.is_autocast_enabled("cpu")


def test_one_object_may_be_entered_again_and_inside_of_itself() -> None:
    context = gl.autocast("cpu")
    for _ in range(2):
        with context, context:
            assert product().dtype is gl.bfloat16
        assert product().dtype is gl.float32


def test_autocast_of_another_device_leaves_the_cpu_alone() -> None:
    with gl.autocast("cuda"):
        assert product().dtype is gl.float32
        assert gl.is_autocast_enabled("cuda")


def test_a_decorated_function_runs_under_it() -> None:
    @gl.autocast("cpu", dtype=gl.float16)
    def decorated() -> Any:
        """Says what it is."""
        return product().dtype

    assert decorated() is gl.float16 and decorated.__doc__ == "Says what it is."
    assert not gl.is_autocast_enabled("cpu")


def test_each_thread_has_its_own() -> None:
    found = []
    with gl.autocast("cpu"):
        thread = threading.Thread(target=lambda: found.append((gl.is_autocast_enabled("cpu"), product().dtype)))
        thread.start()
        thread.join()
    assert found == [(False, gl.float32)]


def test_in_place_and_out_forms_compute_in_the_dtype_of_what_they_write() -> None:
    x = gl.tensor([[1.001, 2.003], [3.007, 4.013]])
    plain = x.clone().addmm_(x, x)
    with gl.autocast("cpu"):
        mine, out = x.clone().addmm_(x, x), gl.empty(2, 2)
        gl.mm(x, x, out=out)
    assert mine.tolist() == plain.tolist() and out.tolist() == (x @ x).tolist()


def test_integers_and_float64_are_left_as_they_are() -> None:
    with gl.autocast("cpu"):
        assert product(X.double()).dtype is gl.float64
        assert product(X.long()).dtype is gl.int64


def test_a_parameter_that_is_used_twice_is_cast_once() -> None:
    weight = nn.Parameter(gl.ones(2, 3))
    with gl.autocast("cpu"):
        first, second = F.linear(X, weight), F.linear(X, weight)
        nodes = [each.grad_fn.next_functions for each in (first, second)]
    assert len({id(node) for part in nodes for node, _ in part if node is not None}) == 1
    (first.sum() + second.sum()).backward()
    assert weight.grad is not None and weight.grad.dtype is gl.float32
    with gl.autocast("cpu", cache_enabled=False):
        nodes = [F.linear(X, weight).grad_fn.next_functions for _ in range(2)]
    assert len({id(node) for part in nodes for node, _ in part if node is not None}) == 2


def test_backward_may_be_called_again_and_again_inside() -> None:
    weight = nn.Parameter(gl.ones(2, 3))
    with gl.autocast("cpu"):
        for _ in range(2):
            F.linear(X, weight).sum().backward()
    assert weight.grad is not None
    assert weight.grad.tolist() == [[4.0, -1.5, 2.5]] * 2


def test_a_parameter_that_was_written_is_cast_anew() -> None:
    weight = nn.Parameter(gl.ones(2, 3))
    with gl.autocast("cpu"):
        before = F.linear(X, weight).detach()
        with gl.no_grad():
            weight.mul_(2.0)
        after = F.linear(X, weight).detach()
        weight.data = gl.zeros(2, 3)
        assert F.linear(X, weight).abs().sum().item() == 0.0
    assert after.tolist() == (before * 2).tolist()


def test_a_cast_without_history_is_not_kept_for_those_that_need_one() -> None:
    weight = nn.Parameter(gl.ones(2, 3))
    with gl.autocast("cpu"):
        with gl.no_grad():
            F.linear(X, weight)
        F.linear(X, weight).sum().backward()
    assert weight.grad is not None


@pytest.mark.parametrize("wrap", [lambda step: step, gl.jit], ids=["eager", "jitted"])
def test_a_checkpoint_is_run_again_under_the_autocast_of_its_first_run(wrap: Any) -> None:
    def step(weight: Any, x: Any) -> Any:
        with gl.autocast("cpu"):
            loss = checkpoint(lambda x: F.linear(x, weight).tanh().sum(), x)
        loss.backward()
        return loss.detach()

    plain, weight = (nn.Parameter(gl.ones(2, 3) * 0.3) for _ in range(2))
    with gl.autocast("cpu"):
        expected = F.linear(X, plain).tanh().sum()
    expected.backward()
    loss = wrap(step)(weight, X)
    assert loss.dtype is gl.bfloat16 and loss.item() == expected.item()
    assert weight.grad is not None and plain.grad is not None
    assert weight.grad.tolist() == plain.grad.tolist()


class Recorded(Function):
    """A product that notes the dtypes it sees."""

    seen: list[Any] = []

    @staticmethod
    @gl.amp.custom_fwd(device_type="cpu")
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    @gl.amp.custom_bwd(device_type="cpu")
    def backward(ctx: Any, g: Any) -> Any:
        a, b = ctx.saved_tensors
        Recorded.seen.append((gl.is_autocast_enabled("cpu"), (g.float() @ b.T).dtype))
        return (g.float() @ b.T).float(), (a.T @ g.float()).float()


class InFloat32(Function):
    """A product that wants its operands in float32."""

    seen: list[Any] = []

    @staticmethod
    @gl.amp.custom_fwd(cast_inputs=gl.float32, device_type="cpu")
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        InFloat32.seen.append((a.dtype, gl.is_autocast_enabled("cpu")))
        return a @ b

    @staticmethod
    @gl.amp.custom_bwd(device_type="cpu")
    def backward(ctx: Any, g: Any) -> Any:
        InFloat32.seen.append((g.dtype, gl.is_autocast_enabled("cpu")))
        return g, g


def test_the_backward_of_a_custom_function_runs_under_the_autocast_of_its_forward() -> None:
    a, b = (gl.ones(2, 2, requires_grad=True) for _ in range(2))
    Recorded.seen.clear()
    with gl.autocast("cpu"):
        result = Recorded.apply(a, b)
    assert result.dtype is gl.bfloat16
    result.sum().backward()
    Recorded.apply(a, b).sum().backward()
    assert Recorded.seen == [(True, gl.bfloat16), (False, gl.float32)]


def test_a_custom_function_may_ask_for_operands_in_float32() -> None:
    InFloat32.seen.clear()
    a = gl.ones(2, 2, requires_grad=True)
    with gl.autocast("cpu"):
        result = InFloat32.apply(a.bfloat16(), a)
    result.sum().backward()
    assert result.dtype is gl.float32
    assert InFloat32.seen == [(gl.float32, False), (gl.float32, False)]


def test_what_it_cannot_work_with_is_refused() -> None:
    with pytest.raises(RuntimeError, match="no autocast for device_type 'tpu'; it is 'cpu' or 'cuda'"):
        gl.autocast("tpu")
    with pytest.raises(ValueError, match="device_type is a str, 'cpu' or 'cuda', got DType"):
        gl.autocast(gl.bfloat16)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes something to call, got Tensor"):
        gl.autocast("cpu")(X)  # type: ignore[type-var]
    with pytest.warns(UserWarning, match="In CPU autocast, but the target dtype float32 is not supported"):
        context = gl.autocast("cpu", dtype=gl.float32)
    with context:
        assert product().dtype is gl.float32
    with pytest.raises(RuntimeError, match="no autocast for device_type 'tpu'"):
        gl.amp.custom_fwd(device_type="tpu")
    assert gl.amp.is_autocast_available("cpu") and not gl.amp.is_autocast_available("tpu")


def test_a_layer_norm_of_a_narrow_input_with_float32_weights_gives_the_input_s_dtype() -> None:
    norm = nn.LayerNorm(3)
    narrow = X.bfloat16()
    with gl.autocast("cpu"):
        result = norm(narrow)
    result.float().square().sum().backward()
    assert result.dtype is gl.bfloat16
    assert norm.weight.grad is not None and norm.weight.grad.dtype is gl.float32
    assert result.tolist() == norm(narrow.float()).bfloat16().tolist()


NOT_YET = frozenset(
    "adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d batch_norm bilinear binary_cross_entropy cholesky "
    "cholesky_inverse cholesky_solve cond conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
    "cosine_embedding_loss cosine_similarity ctc_loss eig eigh eigvals eigvalsh erfinv grid_sample group_norm gru "
    "gru_cell hinge_embedding_loss huber_loss instance_norm interpolate inv inverse lstm_cell lstsq "
    "margin_ranking_loss matrix_norm matrix_rank max_pool3d max_unpool2d max_unpool3d multi_dot multi_margin_loss "
    "multilabel_margin_loss pairwise_distance poisson_nll_loss prelu qr renorm rnn_relu_cell rnn_tanh_cell "
    "soft_margin_loss solve svd svdvals tensorinv tensorsolve triplet_margin_loss vecdot vector_norm".split()
)
"""Names in the lists of functions that PyTorch has and that may be missing here."""


def test_every_name_in_the_lists_is_that_of_a_function() -> None:
    whole_surface()
    missing = LISTED - {*SURFACE.values()} - NOT_YET
    assert sorted(missing) == []
    wrapped = {name for function, name in SURFACE.items() if hasattr(function, "__guardlift_autocast__")}
    assert wrapped >= LISTED & {*SURFACE.values()}
