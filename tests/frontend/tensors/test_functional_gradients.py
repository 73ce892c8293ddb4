"""`autograd.grad` and `autograd.backward` inside a jitted function give what they give outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.tensors.training import same_result

import guardlift as gl
from guardlift import autograd
from guardlift.frontend import state_of


def leaves() -> tuple[Any, Any]:
    rng = np.random.default_rng(2)
    return tuple(gl.tensor(rng.standard_normal((3, 4)).astype(np.float32), requires_grad=True) for _ in range(2))


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
    return autograd.grad(w.sum(), (w, v), allow_unused=True)


def made_zero(w: Any, v: Any) -> Any:
    return autograd.grad(w.sum(), (w, v), materialize_grads=True)


@pytest.mark.parametrize("function", [of_leaves, of_an_intermediate_and_a_leaf, weighted, twice, unused, made_zero])
def test_grad_is_part_of_the_graph(function: Any) -> None:
    w, v = leaves()
    fast = gl.jit(function, fullgraph=True)
    for _ in range(2):
        # The engine hands out a sum's gradient as an expanded view; compiled code fills memory.
        expected = [each if each is None else each.contiguous() for each in function(w, v)]
        same_result("gradients", expected, list(fast(w, v)), 1e-6)
    assert w.grad is None and v.grad is None
    assert len(state_of(fast).entries) == 1


def test_backward_of_a_tensor_sets_the_gradients() -> None:
    def function(w: Any, v: Any) -> None:
        autograd.backward((w * v).sum())

    (w, v), (w2, v2) = leaves(), leaves()
    function(w, v)
    gl.jit(function, fullgraph=True)(w2, v2)
    same_result("gradients", [w.grad, v.grad], [w2.grad, v2.grad], 1e-6)


def test_an_input_that_is_not_used_raises_as_in_eager_mode() -> None:
    w, v = leaves()

    def function(w: Any, v: Any) -> Any:
        return autograd.grad(w.sum(), v)

    with pytest.raises(RuntimeError, match="appears to not have been used"):
        gl.jit(function)(w, v)
