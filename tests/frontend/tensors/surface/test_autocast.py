"""Autocast inside jitted functions and around them: guarded, without a break, with eager mode's dtypes and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn
from guardlift.autograd import Function
from guardlift.frontend import state_of

F = nn.functional
LAYER = nn.Linear(4, 4)
OUTSIDE = gl.autocast("cpu", dtype=gl.float16)


def x_of(scale: float = 1.0) -> Any:
    return (gl.arange(8).float().reshape(2, 4) - 3.5) * scale


def in_a_context(x: Any) -> Any:
    with gl.autocast("cpu"):
        y = LAYER(x)
        z = LAYER(x * 2)
    return y, z, LAYER(x), y + x


def nested(x: Any) -> Any:
    with gl.autocast("cpu", dtype=gl.float16):
        y = LAYER(x)
        with gl.autocast("cpu", enabled=False):
            z = LAYER(y.float())
        with gl.autocast(device_type=x.device.type, dtype=gl.bfloat16) as context:
            w = LAYER(x)
        return y, z, w, LAYER(x), context.fast_dtype


def asked(x: Any) -> Any:
    before = gl.is_autocast_enabled("cpu"), gl.get_autocast_dtype("cpu")
    with gl.autocast("cpu", dtype=gl.float16):
        inside = gl.is_autocast_enabled("cpu"), gl.get_autocast_dtype("cpu"), gl.is_autocast_enabled("cuda")
    return before, inside, gl.is_autocast_enabled("cpu")


def from_outside(x: Any) -> Any:
    with OUTSIDE:
        y = x @ x.T
    return y, x @ x.T


@gl.autocast("cpu")
def decorated(x: Any) -> Any:
    return LAYER(x).relu()


def a_decorated_call(x: Any) -> Any:
    return decorated(x), LAYER(x)


def decorated_inside(x: Any) -> Any:
    @gl.autocast("cpu", dtype=gl.float16)
    def inner(x: Any) -> Any:
        return LAYER(x)

    return inner(x), LAYER(x)


def losses(x: Any) -> Any:
    with gl.autocast("cpu"):
        y = LAYER(x)
        classes = gl.arange(2)
        return F.cross_entropy(y, classes), F.mse_loss(y, y * 2), gl.cat([y, x]), F.layer_norm(y, (4,), LAYER.bias)


def a_branch(x: Any) -> Any:
    with gl.autocast("cpu"):
        y = LAYER(x)
        if y.float().sum() > 0:
            z = LAYER(x).float() * 2
        else:
            z = LAYER(x).float() - 1
        return z + LAYER(x)


def a_loop(x: Any) -> Any:
    with gl.autocast("cpu"):
        for _ in range(3):
            x = LAYER(x).tanh().float()
    return x


PROGRAMS = [in_a_context, nested, asked, from_outside, a_decorated_call, decorated_inside, losses, a_branch, a_loop]


def flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for each in value for leaf in flat(each)]
    return [value]


def agree(got: Any, expected: Any) -> None:
    for mine, theirs in zip(flat(got), flat(expected), strict=True):
        if isinstance(theirs, gl.Tensor):
            assert mine.dtype is theirs.dtype and mine.requires_grad is theirs.requires_grad
            assert gl.allclose(mine.detach().float(), theirs.detach().float(), rtol=1e-2, atol=1e-2)
        else:
            assert mine == theirs


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_autocast_in_a_jitted_function_is_one_graph(program: Callable[[Any], Any]) -> None:
    jitted = gl.jit(program)
    for scale in (1.0, -0.5, 2.0):
        agree(jitted(x_of(scale)), program(x_of(scale)))
        assert not gl.is_autocast_enabled("cpu")
    assert [each.code for each in gl.explain(jitted).breaks] == []
    assert len(state_of(jitted).entries) == 1


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients_are_those_of_eager_mode(program: Callable[[Any], Any]) -> None:
    def gradients(function: Callable[[Any], Any]) -> list[Any]:
        LAYER.zero_grad()
        results = [each for each in flat(function(x_of(0.25))) if isinstance(each, gl.Tensor) and each.requires_grad]
        if results:
            gl.stack([each.float().square().sum() for each in results]).sum().backward()
        return [each.grad for each in LAYER.parameters()] if results else []

    for mine, theirs in zip(gradients(gl.jit(program)), gradients(program), strict=True):
        assert (mine is None) is (theirs is None)
        assert mine is None or gl.allclose(mine, theirs, rtol=2e-2, atol=2e-2)


def test_autocast_around_a_call_is_guarded() -> None:
    jitted = gl.jit(lambda x: LAYER(x) + 1.0)
    x = x_of()
    for _ in range(2):
        assert jitted(x).dtype is gl.float32
        for dtype in (gl.bfloat16, gl.float16):
            with gl.autocast("cpu", dtype=dtype):
                assert jitted(x).dtype is dtype
                with gl.autocast("cpu", enabled=False):
                    assert jitted(x).dtype is gl.float32
    assert not gl.explain(jitted).breaks


class Plain(Function):
    """A product whose backward computes in whatever autocast is in force then."""

    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return (a @ b).float()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        a, b = ctx.saved_tensors
        return (g @ b.T).float(), (a.T @ g).float()


class Decorated(Plain):
    """A product whose backward computes in the autocast of its forward."""

    forward = staticmethod(gl.amp.custom_fwd(Plain.forward, device_type="cpu"))
    backward = staticmethod(gl.amp.custom_bwd(Plain.backward, device_type="cpu"))


@pytest.mark.parametrize("around", [False, True], ids=["forward outside", "forward inside"])
@pytest.mark.parametrize("kind", [Plain, Decorated])
def test_a_backward_outside_of_the_call_runs_in_the_autocast_of_eager_mode(kind: Any, around: bool) -> None:
    def program(a: Any, b: Any) -> Any:
        return kind.apply(a, b)

    def gradients(function: Callable[..., Any]) -> list[Any]:
        a, b = ((x_of(0.1)[:, :2] + k).requires_grad_() for k in (0.301, 0.703))
        with gl.autocast("cpu", enabled=around):
            result = function(a, b)
        result.sum().backward()
        return [a.grad, b.grad]

    jitted = gl.jit(program)
    for _ in range(2):
        for mine, theirs in zip(gradients(jitted), gradients(program), strict=True):
            assert mine.tolist() == theirs.tolist()
    assert bool(gl.explain(jitted).breaks) is (around and kind is Plain)


def test_functions_that_are_not_listed_do_not_depend_on_it() -> None:
    jitted = gl.jit(lambda x: (x * 2.0).tanh())
    jitted(x_of())
    with gl.autocast("cpu"):
        assert jitted(x_of()).dtype is gl.float32
    assert gl.explain(jitted).compiles == 1


def test_a_context_that_is_entered_for_good_stays() -> None:
    context = gl.autocast("cpu")

    def enter(x: Any) -> Any:
        context.__enter__()
        return x @ x.T

    jitted = gl.jit(enter)
    try:
        assert jitted(x_of()).dtype is gl.bfloat16
        assert gl.is_autocast_enabled("cpu")
    finally:
        context.__exit__(None, None, None)
    assert not gl.is_autocast_enabled("cpu")


def test_what_autocast_refuses_is_refused_as_in_eager_mode() -> None:
    def wrong(x: Any) -> Any:
        with gl.autocast("tpu"):
            return x @ x.T

    with pytest.raises(RuntimeError, match="no autocast for device_type 'tpu'"):
        gl.jit(wrong)(x_of())

    def warned(x: Any) -> Any:
        with gl.autocast("cpu", dtype=gl.float32):
            return x @ x.T

    with pytest.warns(UserWarning, match="target dtype float32 is not supported"):
        assert gl.jit(warned)(x_of()).dtype is gl.float32


def trained(dtype: Any, wrap: Callable[[Any], Any]) -> tuple[list[float], list[Any], Any]:
    model = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4)).to(dtype)
    with gl.no_grad():
        for each in model.parameters():
            each.copy_(gl.arange(each.numel()).reshape(each.shape) * 0.0625 - 0.25)
    optimizer = gl.optim.AdamW(model.parameters(), lr=0.01)

    def step(x: Any) -> Any:
        optimizer.zero_grad()
        loss = model(x.to(dtype)).float().square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    wrapped = wrap(step)
    return [wrapped(x_of()).item() for _ in range(4)], list(model.parameters()), wrapped


@pytest.mark.parametrize("dtype", [gl.bfloat16, gl.float16], ids=str)
def test_narrow_parameters_are_trained_in_one_graph(dtype: Any) -> None:
    (expected, theirs, _), (got, mine, step) = trained(dtype, lambda step: step), trained(dtype, gl.jit)
    assert got == pytest.approx(expected, rel=1e-2)
    for one, other in zip(mine, theirs, strict=True):
        assert one.dtype is dtype
        assert gl.allclose(one.float(), other.float(), rtol=1e-2, atol=1e-2)
    assert not gl.explain(step).breaks
