"""Models over batches of several sizes: the weights of one model, and operands anew for each batch."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aot.declaring import SMALL, Tap, world
from aot.ways import TOLERANCE, same

import guardlift as gl
from guardlift.autograd import grad
from guardlift.frontend import state_of

Tensor = Any
SIZES = (4, 6, 5, 4, 7, 3, 8)


@dataclass(frozen=True)
class Batches:
    """A model, its operands for batch k, and its weights by name."""

    loss: Callable[..., Tensor]
    operands: Sequence[Sequence[Tensor]]
    weights: Mapping[str, Tensor]


def batches(model: Any, sizes: Sequence[int], dtype: str, tap: Tap) -> Batches:
    """Arguments that are equal at every call with the same ones. What has no axis `n` is that of the first batch."""
    worlds = [world(model, {**SMALL, "n": size}, dtype, tap, seed=size) for size in sizes]
    first = worlds[0]
    names = [declaration.partition(":")[0] for declaration in model.operands]
    sized = [re.search(r"\bn\b", declaration.partition(":")[2]) is not None for declaration in model.operands]
    operands = [
        [_plain(each) if varies else weight for each, weight, varies in zip(one.operands, first.operands, sized)]
        for one in worlds
    ]
    gone = {name for name, varies in zip(names, sized) if varies}
    return Batches(first.loss, operands, {name: each for name, each in first.leaves.items() if name not in gone})


def _plain(operand: Tensor) -> Tensor:
    """The operand as a tensor that is no parameter."""
    return operand.detach().clone().requires_grad_() if operand.requires_grad else operand


Step = Callable[..., Any]
Way = Callable[[Batches, Callable[[Any], Any]], Step]


def _leaves(made: Batches, operands: Sequence[Tensor]) -> list[Tensor]:
    return [*made.weights.values(), *(each for each in operands if each.requires_grad and not _is_weight(made, each))]


def _is_weight(made: Batches, tensor: Tensor) -> bool:
    return any(tensor is each for each in made.weights.values())


def inference(made: Batches, jit: Callable[[Any], Any]) -> Step:
    """The loss without a history."""
    fast = jit(made.loss)

    def step(*operands: Any) -> Any:
        with gl.no_grad():
            return fast(*operands)

    return step


def whole_step(made: Batches, jit: Callable[[Any], Any]) -> Step:
    """Forward, backward and optimizer are jitted together."""
    optimizer = gl.optim.SGD(list(made.weights.values()), lr=0.05) if made.weights else None

    def step(*operands: Any) -> Any:
        loss = made.loss(*operands)
        loss.backward()
        if optimizer is not None:
            optimizer.step()
        return loss.detach()

    return jit(step)  # type: ignore[no-any-return]


def gradients_inside(made: Batches, jit: Callable[[Any], Any]) -> Step:
    """`autograd.grad` is in the jitted function."""

    def gradients(wanted: Any, *operands: Any) -> Any:
        loss = made.loss(*operands)
        return loss.detach(), grad(loss, wanted, allow_unused=True)

    fast = jit(gradients)
    return lambda *operands: fast(_leaves(made, operands), *operands)


def backward_outside(made: Batches, jit: Callable[[Any], Any]) -> Step:
    """The loss is jitted; `backward()` comes behind it."""
    loss = jit(made.loss)

    def step(*operands: Any) -> Any:
        result = loss(*operands)
        result.backward()
        return result.detach()

    return step


WAYS: Mapping[str, Way] = {
    "inference": inference,
    "whole step": whole_step,
    "gradients inside": gradients_inside,
    "backward outside": backward_outside,
}


@dataclass(frozen=True)
class Found:
    """The number of compiles of a model, and the texts of its breaks."""

    compiles: int
    breaks: Sequence[str]
    function: Any


def compare(model: Any, way: Way, dtype: str, tap: Tap, sizes: Sequence[int] = SIZES, **options: Any) -> Found:
    """The outcome for a model, after eager mode and compiled code did the same for each batch."""
    made = [batches(model, sizes, dtype, tap) for _ in range(2)]
    jitted: list[Any] = []

    def jit(function: Any) -> Any:
        jitted.append(gl.jit(**options)(function))
        return jitted[-1]

    steps = way(made[0], lambda function: function), way(made[1], jit)
    for number, size in enumerate(sizes):
        results = []
        for one, step in zip(made, steps, strict=True):
            for leaf in _leaves(one, one.operands[number]):
                leaf.grad = None
            results.append(step(*one.operands[number]))
        label = f"call {number}, n={size}"
        same(label, *results, TOLERANCE[dtype])
        leaves = [_leaves(one, one.operands[number]) for one in made]
        for place, (one, other) in enumerate(zip(*leaves, strict=True)):
            same(f"{label}: leaf {place}", one.detach(), other.detach(), TOLERANCE[dtype])
            same(f"{label}: leaf {place}.grad", one.grad, other.grad, TOLERANCE[dtype])
    history = state_of(jitted[0]).history  # type: ignore[union-attr]
    compiles = sum(event.kind in ("compile", "recompile") for event in history)
    return Found(compiles, [event.text for event in history if event.kind == "break"], jitted[0])
