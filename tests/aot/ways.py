"""Three ways to jit a training step, and what eager mode and compiled code are compared in."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from aot.declaring import Sizes, Tap, World, world

import guardlift as gl
from guardlift.autograd import grad
from guardlift.frontend import state_of

Tensor = Any
Call = Callable[[], Any]
Way = Callable[[World, Callable[[Any], Any]], Call]
Around = Callable[[], AbstractContextManager[Any]]
TOLERANCE = {"float64": 1e-10, "float32": 1e-5}
"""The tolerance by dtype, as a part of the largest magnitude in an array."""
LEAST = 1e-2
"""A bound: what is smaller counts as a difference of numbers of about that size, whose rounding it bears."""


def backward_outside(world: World, jit: Callable[[Any], Any]) -> Call:
    """The loss is jitted; `backward()` comes behind it, and adds to `.grad` at each call."""
    loss = jit(world.loss)

    def step() -> Any:
        result = loss(*world.operands)
        result.backward()
        return result.detach()

    return step


def whole_step(world: World, jit: Callable[[Any], Any]) -> Call:
    """Forward, backward and optimizer are jitted together; gradients of earlier calls are added to."""
    optimizer = gl.optim.SGD(list(world.leaves.values()), lr=0.05)

    def step(*operands: Any) -> Any:
        loss = world.loss(*operands)
        loss.backward()
        optimizer.step()
        return loss.detach()

    fast = jit(step)
    return lambda: fast(*world.operands)


def gradients_inside(world: World, jit: Callable[[Any], Any]) -> Call:
    """`autograd.grad` is in the jitted function; no `.grad` is touched."""
    leaves = list(world.leaves.values())

    def gradients(*operands: Any) -> Any:
        loss = world.loss(*operands)
        return loss.detach(), grad(loss, leaves, allow_unused=True)

    fast = jit(gradients)
    return lambda: fast(*world.operands)


WAYS: Mapping[str, Way] = {
    "backward outside": backward_outside,
    "whole step": whole_step,
    "gradients inside": gradients_inside,
}


def compare(
    model: Any,
    way: Way,
    dtype: str,
    sizes: Sizes,
    tap: Tap,
    *,
    calls: int = 2,
    prepare: Callable[[World], None] = lambda world: None,
    around: Around = nullcontext,
) -> list[str]:
    """The graph breaks, as codes with their texts, after eager mode and compiled code did the same.

    prepare: what is done to both worlds first (hooks, say).   around: a context that every call runs in.
    """
    worlds = [world(model, sizes, dtype, tap) for _ in range(2)]
    for each in worlds:
        prepare(each)
    jitted: list[Any] = []

    def jit(function: Any) -> Any:
        jitted.append(gl.jit(function))
        return jitted[-1]

    steps = way(worlds[0], lambda function: function), way(worlds[1], jit)
    for number in range(calls):
        results = [_outcome(step, around) for step in steps]
        same(f"call {number}", results[0], results[1], TOLERANCE[dtype])
        grads = [{f"{name}.grad": leaf.grad for name, leaf in each.leaves.items()} for each in worlds]
        same(f"behind call {number}", grads[0], grads[1], TOLERANCE[dtype])
        values = [{name: leaf.detach() for name, leaf in each.leaves.items()} for each in worlds]
        same(f"behind call {number}", values[0], values[1], TOLERANCE[dtype])
        if isinstance(results[0], type):
            break  # a graph may be half used up, and who raises has raised
    return [event.text for fast in jitted for event in state_of(fast).history if event.kind == "break"]


def _outcome(step: Call, around: Around) -> Any:
    """The result of a call, or the type of what it raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with around():
                return step()
        except Exception as error:
            return type(error)


def same(name: str, eager: Any, compiled: Any, tolerance: float) -> None:
    """Asserts that two structures of tensors agree."""
    assert type(eager) is type(compiled), (name, eager, compiled)
    if isinstance(eager, dict):
        for key in eager:
            same(f"{name}: {key}", eager[key], compiled[key], tolerance)
    elif isinstance(eager, tuple):
        for place, (one, other) in enumerate(zip(eager, compiled, strict=True)):
            same(f"{name}[{place}]", one, other, tolerance)
    elif isinstance(eager, gl.Tensor):
        for attribute in ("shape", "dtype", "requires_grad", "is_leaf", "is_sparse"):
            assert getattr(eager, attribute) == getattr(compiled, attribute), (name, attribute)
        if eager.is_sparse:
            eager, compiled = eager.to_dense(), compiled.to_dense()
        if name.endswith(".grad"):
            assert _steps(eager) == _steps(compiled), (name, eager.stride(), compiled.stride())
        expected = eager.detach().numpy()
        size = float(np.abs(expected[np.isfinite(expected)]).max(initial=0.0))
        np.testing.assert_allclose(
            compiled.detach().numpy(), expected, rtol=0, atol=tolerance * max(size, LEAST), err_msg=name
        )
    else:
        assert eager == compiled, (name, eager, compiled)


def _steps(t: Tensor) -> list[int]:
    """The strides that say where an element lies."""
    return [step for step, size in zip(t.stride(), t.shape, strict=True) if size > 1] if t.numel() else []
