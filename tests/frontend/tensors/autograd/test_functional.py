"""`autograd.grad` and `autograd.backward` inside a jitted function give what they give outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, check, leaf, normal
from frontend.tensors.training import same_result

import guardlift as gl
from guardlift import autograd
from guardlift.frontend import state_of


def leaves() -> tuple[Any, Any]:
    rng = np.random.default_rng(2)
    return tuple(gl.tensor(rng.standard_normal((3, 4)).astype(np.float32), requires_grad=True) for _ in range(2))


def program_of(parameters: str, body: str) -> Any:
    """The function with these parameters and statements; `grad` is `autograd.grad`."""
    namespace: dict[str, Any] = {"grad": autograd.grad}
    exec(f"def program({parameters}):\n    " + body.replace("; ", "\n    "), namespace)
    return namespace["program"]


def of_leaves(w: Any, v: Any) -> Any:
    return autograd.grad((w * v).sum(), [w, v])


def of_an_intermediate_and_a_leaf(w: Any, v: Any) -> Any:
    h = w.tanh()
    return autograd.grad((h * v).exp().sum(), (h, w))


def weighted(w: Any, v: Any) -> Any:
    return autograd.grad(w * v, w, grad_outputs=v.detach() * 2)


def twice(w: Any, v: Any) -> Any:
    loss = (w * w * v).sum()
    return autograd.grad(loss, w, retain_graph=True) + autograd.grad(loss, v)


def unused(w: Any, v: Any) -> Any:
    return autograd.grad((w * w).sum(), (w, v), allow_unused=True)


def made_zero(w: Any, v: Any) -> Any:
    return autograd.grad((w * w).sum(), (w, v), materialize_grads=True)


@pytest.mark.parametrize("function", [of_leaves, of_an_intermediate_and_a_leaf, weighted, twice, unused, made_zero])
def test_grad_is_part_of_the_graph(function: Any) -> None:
    w, v = leaves()
    fast = gl.jit(function, fullgraph=True)
    for _ in range(2):
        same_result("gradients", list(function(w, v)), list(fast(w, v)), 1e-6)
    assert w.grad is None and v.grad is None
    assert len(state_of(fast).entries) == 1


SHARED = [
    # results that are the very tensor which the backward pass began with, or views of it or of each other
    "a, b = grad(w + v, [w, v], h); a.mul_(2); return a, b, a is b, a is h",
    "a, b = grad((w + v).sum(), [w, v]); return a * 2, b * 3, a is b, a.stride(), a.is_contiguous()",
    "a, b = grad(w.sum() + v.sum(), [w, v]); return a * 2, b",
    "a, = grad(w.t(), w, h.t()); a.add_(1); return h",
    "a, = grad(w.t(), w, h.t()); h.add_(1); return a * 1",
    "a, b = grad(w.t() + v.t(), [w, v], h.t() * 2); a.add_(1); return b",
    "a, = grad(w, w, w, retain_graph=True); return a * 1, a is w, a.requires_grad",
    "a, b = grad(w, [w, w], h); return a, b",
    "a, = grad(w.reshape(-1), w, (h * 2).reshape(-1)); a.add_(1); return a",
    "a, = grad((w.t() * h.t()).sum(), w); return a, a.stride()",
    "a, = grad((w[1:] * 2).sum(), w); a.add_(1); return a",
    "a, b = grad([w, v], [w, v], [h, h]); a.add_(1); return a is b, b",
    "u = w * 2; a, b = grad(u + v, [u, w], h); a.zero_(); return a is h, b",
]


@pytest.mark.parametrize("body", SHARED)
def test_results_share_the_memory_that_they_share_in_eager_mode(body: str) -> None:
    program = program_of("w, v, h", body)
    rows = body == SHARED[2]  # there Python calls grad(), and a compiled backward answers
    arguments = lambda: [leaf(3, 4), leaf(3, 4, seed=1), normal(3, 4, seed=2)]  # noqa: E731
    check(program, arguments=arguments, breaks=None, strides=not rows)


USED_UP = [
    # the backward pass to an intermediate tensor leaves its own history alone
    "y = w * v; y2 = y * y; a, = grad(y2.sum(), y); y.sum().backward(); return a",
    "y = w * v; y2 = y * y; a, = grad(y2.sum(), y); return a, y",
    "y = w * v; y2 = y * y; a, = grad(y2.sum(), y); y2.sum().backward(); return a",
    "y = w * v; u = y * y; a, = grad(u.sum(), w); return a, y",
    "y = w * v; u = y * y; a, b = grad(u.sum(), [y, v]); y.sum().backward(); return a, b",
    "y = w * w; u = y * v; a, = grad(u.sum(), v); u.sum().backward(); return a",
    "y = w * w; u = y * v; a, = grad(u.sum(), v); y.sum().backward(); return a",
]


@pytest.mark.parametrize("body", USED_UP)
def test_the_walk_uses_up_only_the_history_that_it_goes_through(body: str) -> None:
    program = program_of("w, v", body)
    check(program, arguments=lambda: [leaf(3, 4), leaf(3, 4, seed=1)], breaks=None, after=backward)


OUTSIDE = [
    # h = p * 2 comes from outside with its history: the way through it counts where it leads to what is wanted
    "return grad((p * h).sum(), p, retain_graph=True)",
    "return grad((p * h).sum(), [h, p], retain_graph=True)",
    "return grad((p * h).sum(), h)",
    "u = p * h; return grad(u.sum(), u)",
    "return grad((p * h).sum(), q, allow_unused=True, retain_graph=True)",
]


@pytest.mark.parametrize("body", OUTSIDE)
def test_a_history_from_outside_is_followed_where_it_leads_to_what_is_wanted(body: str) -> None:
    program = program_of("p, q, h", body)

    def arguments() -> list[Any]:
        p = leaf(3, 4)
        return [p, leaf(3, 4, seed=1), p * 2]

    check(program, arguments=arguments, breaks=None, calls=2, strides="u = " not in body)


def test_backward_of_a_tensor_sets_the_gradients() -> None:
    def function(w: Any, v: Any) -> None:
        autograd.backward((w * v).sum())

    (w, v), (w2, v2) = leaves(), leaves()
    function(w, v)
    gl.jit(function, fullgraph=True)(w2, v2)
    same_result("gradients", [w.grad, v.grad], [w2.grad, v2.grad], 1e-6)


def of_several(w: Any, v: Any) -> None:
    h = w * v
    autograd.backward([h.sum(), h.exp()], [None, v.detach()], retain_graph=True)
    autograd.backward((h.sin().sum(),))


def for_one_leaf(w: Any, v: Any) -> None:
    h = w * v
    h.exp().sum().backward(inputs=v, retain_graph=True)
    autograd.backward(h.sin().sum(), inputs=[w])


def for_a_leaf_that_is_not_reached(w: Any, v: Any) -> None:
    w.exp().sum().backward(inputs=[v])


def for_one_with_a_hook(w: Any, v: Any) -> None:
    with w.register_hook(lambda g: g * 2), v.register_hook(lambda g: g * 3):
        (w * v).exp().sum().backward(inputs=[v])


@pytest.mark.parametrize("function", [of_several, for_one_leaf, for_a_leaf_that_is_not_reached, for_one_with_a_hook])
def test_backward_from_several_and_to_some(function: Any) -> None:
    check(function, arguments=leaves, breaks="")


@pytest.mark.parametrize(
    "call",
    [
        lambda w, v: (w * v).sum().backward(inputs=[]),
        lambda w, v: (w * v).sum().backward(inputs=[w, v.detach()]),
        lambda w, v: autograd.backward([(w * v).sum(), v.detach().sum()]),
        lambda w, v: autograd.backward([(w * v).sum(), v.sum()], [None]),
        lambda w, v: autograd.backward([(w * v).sum(), w * v]),
    ],
)
def test_errors_of_backward_are_those_of_eager_mode(call: Any) -> None:
    check(call, arguments=leaves, breaks=None)


def test_an_input_that_is_not_used_raises_as_in_eager_mode() -> None:
    w, v = leaves()

    def function(w: Any, v: Any) -> Any:
        return autograd.grad(w.sum(), v)

    with pytest.raises(RuntimeError, match="appears to not have been used"):
        gl.jit(function)(w, v)
