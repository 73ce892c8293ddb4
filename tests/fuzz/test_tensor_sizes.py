"""Differential fuzzing of tensors whose sizes change: random programs, and eager mode as the oracle at every size.

GUARDLIFT_FUZZ says how many examples, as for the programs themselves.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from aot.ways import same
from frontend.tensors.scenario import interpreted, normal, outcome
from fuzz.test_programs import CHECKS
from fuzz.test_sizes import free_strides
from hypothesis import given, note, settings
from hypothesis import strategies as st

import guardlift as gl
from guardlift import nn

MANY = int(os.environ.get("GUARDLIFT_FUZZ", "2000" if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else "0"))
F = nn.functional

STEPS = """
    x * 2 + 1 | x.t() if x.ndim == 2 else x + 1 | x.reshape(-1) | x.reshape(x.size(0), -1) | x.unsqueeze(0)
    x.unsqueeze(-1) | x.sum(0) | x.mean(-1, keepdim=True) | x - x.mean(0) | x.softmax(-1) | F.softmax(x, 0)
    x.tanh() | F.relu(x) | x.exp() | x[1:] | x[:-1] | x[::2] | x[..., :2] | x[0] | x[-1]
    x[:, None] if x.ndim > 1 else x[None] | x.flip(0) | x.squeeze() | gl.cat([x, x]) | gl.cat([x, x * 2], -1)
    gl.stack([x, x]) | x.transpose(0, -1) | x.contiguous() | x.flatten()
    x @ x.transpose(-1, -2) if x.ndim > 1 else x * x | x * x.size(0) | x / x.numel() | x.var(0) | x.max(0)[0]
    x.amax(-1) | x + gl.arange(x.size(0)).view(-1, *[1] * (x.ndim - 1)) | x.expand(2, *x.shape) | x.cumsum(0)
    x.roll(1, 0) | x.clone() | x.view(x.shape) | x.permute(*range(x.ndim)[::-1]) | gl.where(x > 0, x, -x)
    x.sum() * x | x.square().sum(-1) | x.split(2)[0] | x.chunk(2, -1)[0] | x.repeat(2, *[1] * (x.ndim - 1))
    x.index_select(0, gl.arange(x.size(0))) | x.masked_fill(x > 1, 0.5) | x * (x.size(-1) / 2)
    x[: x.size(0) // 2 + 1] | x.diagonal() if x.ndim > 1 else x | x.add(y.sum()) | x * y.mean(0).sum()
    x + y if x.shape == y.shape else x - 1 | x * w.sum() | x + w[0, 0] | x.detach() + x | x.norm(dim=0) | x.std(-1)
    x.log_softmax(-1) | x.argmax(-1).double() * x.sum() | x.triu() if x.ndim > 1 else x
    F.layer_norm(x, x.shape[-1:]) | x.clamp(-1, 1) | x.gather(0, gl.zeros(1, *x.shape[1:]).long()) | x.prod(0)
    x.any() * x | x = x.clone(); x[1:] += 1 | x = x.clone(); x[0] = 2 | x = x * 1; x.mul_(2); x.add_(x.size(0))
    y[...] = 0.5 | x = x.clone(); x[:, :1] = 0 | x = gl.zeros(x.shape).double(); x[:1] = 1
    x[:p] | x[p:] | x[p : p + 2] | x[..., p : p + x.size(0)] | x[max(0, x.size(0) - p) :] | x[: min(len(x), abs(p))]
    x * gl.arange(p, p + x.size(-1)) | x[gl.arange(max(p, 0), x.size(0))] if 0 <= p < x.size(0) else x | x.roll(p, 0)
    x + gl.arange(p, p + x.size(-1), dtype=gl.float32) | x.tril(p) if x.ndim > 1 else x | gl.cat([x, x[:p]])
    x = x.clone(); x[p : p + 1] = 0 | x * int(x.size(0)) / float(x.numel() + 1) | x * (x.size(0) > p) | x * len(x[p:])
    n = x.size(0); x = x[: n - 1] if n % 2 else x | x = gl.eye(x.size(0)).double() * 2 | x = x * len(x) ** 0.5
"""
LISTED = [each.strip() for line in STEPS.strip().splitlines() for each in line.split("|")]
WAYS = ("inference", "outside", "inside")


@st.composite
def cases(draw: Callable[..., Any]) -> tuple[str, str, list[tuple[int, ...]], bool | None]:
    """The text of a program, what is done with it, sizes of its arguments call by call, and `dynamic`."""
    steps = draw(st.lists(st.sampled_from(LISTED), min_size=1, max_size=5))
    lines = ["def f(x, y, w, p):", *map(_line, steps), "    return x * 1.0"]
    size = st.sampled_from([2, 3, 4, 5, 6, 7, 8, 1, 0])
    rows = draw(st.lists(st.tuples(size, size, size), min_size=3, max_size=6))
    return "\n".join(lines), draw(st.sampled_from(WAYS)), rows, draw(st.sampled_from([None, None, True]))


def compared(
    text: str, way: str, rows: list[tuple[int, ...]], dynamic: bool | None, arguments: Callable[..., list[Any]]
) -> Any:
    """The jitted function, after each call did what eager mode does. Results lie as those of static code do."""
    namespace: dict[str, Any] = {"gl": gl, "F": F}
    exec(text, namespace)
    function = namespace["f"]
    plain = _inside(function) if way == "inside" else function
    calls = plain, gl.jit(dynamic=dynamic)(plain), gl.jit(dynamic=False)(plain)
    weights = [nn.Parameter(_numbers(3, 2)) for _ in calls]
    for number, (n, m, k) in enumerate(rows):
        results = []
        for call, w in zip(calls, weights, strict=True):
            x, y = [
                each.requires_grad_() if way != "inference" and each.is_leaf else each
                for each in arguments(n, m, k, number)
            ]
            w.grad = None
            found = outcome(lambda: _called(call, way, x, y, w, (k + number) % 7 - 2))  # noqa: B023
            results.append(found if isinstance(found, tuple) else [*found, x, y, x.grad, y.grad, w.grad])
        eager, sized, static = results
        if isinstance(eager, tuple):
            assert eager == sized, number
            continue
        for one, other, known in zip(eager, sized, static, strict=True):
            same(f"call {number}", one, other, 1e-9)
            assert one is None or _steps(other) == _steps(known), (number, known.stride(), other.stride())
    return calls[1]


def _numbers(*shape: int, seed: int = 0) -> Any:
    return normal(*shape, seed=seed).double()


def _line(step: str) -> str:
    """A statement; what is none becomes `x`."""
    return f"    {step}" if " = " in step or "+=" in step else f"    x = {step}"


def _steps(tensor: Any) -> list[int]:
    """The strides along axes that have any say."""
    return [step for step, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1 and tensor.numel()]


def _of_sizes(n: int, m: int, k: int, number: int) -> list[Any]:
    x = _numbers(n, m, seed=number) if number % 3 else gl.from_numpy(_numbers(m, n, seed=number).numpy().T)
    return [x, _numbers(n, k, seed=number + 50)]


def _of_strides(n: int, m: int, k: int, number: int) -> list[Any]:
    """Parts of larger tensors, which have other strides in each call."""
    step, more = (1, 2, 3, 1, 5, 2)[number % 6], number % 4
    x = _numbers(n * step, m + more, seed=number)[::step, :m]
    return [x, _numbers(n, k * step + 1, seed=number + 50)[:, : k * step : step]]


def _inside(function: Any) -> Any:
    def gradients(x: Any, y: Any, w: Any, p: int) -> Any:
        result = function(x, y, w, p)
        loss = (result * result).sum() + w.sum()
        loss.backward()
        return result.detach()

    return gradients


def _called(call: Any, way: str, *arguments: Any) -> Any:
    if way == "inference":
        with gl.no_grad():
            return [call(*arguments)]
    result = call(*arguments)
    if way == "outside" and result.requires_grad:
        (result * result).sum().backward()
    return [result]


@settings(max_examples=MANY or 40, deadline=None, suppress_health_check=CHECKS)
@given(cases())
def test_a_random_program_over_tensors_is_eager_mode_at_every_size(case: Any) -> None:
    text, way, rows, dynamic = case
    note(text)
    note((way, rows, dynamic))
    with interpreted(), gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        compared(text, way, rows, dynamic, _of_sizes)


@settings(max_examples=MANY or 40, deadline=None, suppress_health_check=CHECKS)
@given(cases(), st.booleans())
def test_it_is_so_at_every_stride(case: Any, same_sizes: bool) -> None:
    text, way, rows, dynamic = case
    rows = rows[:1] * len(rows) if same_sizes else rows
    note(text)
    note((way, rows, dynamic))
    with interpreted(), gl.config.patch(raise_internal_errors=True, verify_graphs=True), free_strides():
        compared(text, way, rows, dynamic, _of_strides)
