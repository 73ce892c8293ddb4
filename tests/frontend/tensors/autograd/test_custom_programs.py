"""Random programs of custom functions, operations, views and writes: jitted they do what they do in eager mode."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from autograd.test_function_programs import AddInPlace, ExpAndSum, Mul, Rest, Same
from frontend.tensors.scenario import interpreted

import guardlift as gl
from guardlift.autograd import Function
from guardlift.frontend import state_of


class Tally(Function):
    """Writes a buffer in backward, and reads it."""

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        ctx.b = b
        return x * 1.5

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.b.mul_(1.25)
        return g * 1.5 + ctx.b.sum() * 1e-3, None


class Saved(Function):
    """Has saved the buffer that others write."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any, b: Any) -> Any:
        ctx.save_for_backward(b)
        return x * b.sum() + y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0].sum(), g, None


class Half(Function):
    """No gradient for one of two."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        return x - y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return None, -g


LINES = {
    "{n} = {x} * {y}": None,
    "{n} = {x}.sin()": None,
    "{n} = Mul.apply({x}, {y})": None,
    "{n}, _, {m} = ExpAndSum.apply({x}, {y})": None,
    "{n} = {x}[1:]": 1,
    "{n} = Rest.apply({x})": 1,
    "{n} = Same.apply({x})": None,
    "AddInPlace.apply(0, {x}, {y}.clone())": None,
    "{n} = Tally.apply({x}, b)": None,
    "{n} = Saved.apply({x}, {y}, b)": None,
    "{n} = Half.apply({x}, {y})": None,
}
"""By line of a program: how many rows are taken away."""
TEMPLATE = """
def loss(p, q, b):
    {body}
    return loss

def loss_and_more(p, q, b):
    {body}
    return loss, {more} * 1.0

def step(p, q, b):
    {body}
    loss.backward()
    return loss.detach()

def gradient(p, q, b):
    {body}
    return gl.autograd.grad(loss, [p, q], allow_unused=True)

def recorded(p, q, b):
    {body}
    (first,) = gl.autograd.grad(loss, [q], create_graph=True, allow_unused=True)
    return loss if first is None else loss + (first * first).sum()
"""


def programs(seed: int) -> dict[str, Any]:
    """The functions of one seed."""
    dice = random.Random(seed)
    rows = {"v1": 3, "v2": 3, "v3": 3}
    body = ["v1 = p * 1.0", "v2 = p * 2.0", "v3 = q * 1.5"]
    for number in range(dice.randint(4, 9)):
        line = dice.choice([*LINES])
        x = dice.choice([*rows])
        y = dice.choice([each for each in rows if rows[each] == rows[x]])
        left = rows[x] - (LINES[line] or 0)
        if left:
            names = {"n": f"n{number}", "m": f"m{number}"}
            body.append(line.format(x=x, y=y, **names))
            rows.update((names[each], left) for each in names if f"{{{each}}}" in line)
    used = [each for each in rows if dice.random() < 0.7] or [*rows][-1:]
    body.append("loss = " + " + ".join(f"({each} * {each}).sum()" for each in used))
    scope = {each.__name__: each for each in (Mul, ExpAndSum, Rest, Same, AddInPlace, Tally, Saved, Half)}
    found: dict[str, Any] = {"gl": gl, **scope}
    exec(TEMPLATE.format(body="\n    ".join(body), more=dice.choice([*rows])), found)
    return found


def world(seed: int) -> tuple[Any, Any, Any]:
    generator = np.random.default_rng(seed)
    leaves = [gl.tensor(generator.uniform(0.5, 1.5, (3, 2)), requires_grad=True) for _ in range(2)]
    return leaves[0], leaves[1], gl.tensor(generator.uniform(0.5, 1.5, (4,)))


def run(function: Any, seed: int, after: Callable[..., Any]) -> tuple[Any, list[Any]]:
    """The kind of error, if any, and all that is there in the end."""
    p, q, b = world(seed)
    found: list[Any] = []
    error = None
    try:
        result = function(p, q, b)
        found += result if isinstance(result, tuple) else [result]
        found += after(result, p, q) or ()
        found += [p.grad, q.grad]
    except RuntimeError as raised:
        error, found = str(raised)[:60], []
    return error, [None if each is None else each.detach().numpy() for each in (*found, b)] + [np.array(b._version)]


def each_in_turn(result: Any, *leaves: Any) -> None:
    result[0].backward(retain_graph=True)
    if result[1].requires_grad:
        result[1].sum().backward()


def under_create_graph(result: Any, *leaves: Any) -> list[Any]:
    found = gl.autograd.grad(result, leaves, create_graph=True, allow_unused=True)
    return [each.detach() for each in found if each is not None]


SETTINGS: list[tuple[str, Callable[..., Any]]] = [
    ("loss", lambda r, p, q: r.backward()),
    ("loss", lambda r, p, q: gl.autograd.grad(r, [q, p], allow_unused=True)),
    ("loss", lambda r, p, q: gl.autograd.grad(r, [p], allow_unused=True)),
    ("loss_and_more", each_in_turn),
    ("loss_and_more", lambda r, p, q: (r[0] + (r[1] * r[1]).sum()).backward()),
    ("step", lambda r, p, q: None),
    ("gradient", lambda r, p, q: None),
    ("loss", under_create_graph),
    ("recorded", lambda r, p, q: gl.autograd.grad(r, [q, p], allow_unused=True)),
]
PARTIAL = "a gradient for some tensors only"
"""Begins the refusal of what compiled code cannot leave out."""


def compare(seed: int, name: str, after: Callable[..., Any]) -> bool:
    """Whether the program was compiled as a whole, after it did twice what the plain one does."""
    plain = programs(seed)[name]
    fast = gl.jit(plain)
    expected = run(plain, seed, after)
    for _ in range(2):
        with interpreted():
            error, found = run(fast, seed, after)
        if error is not None and error.startswith(PARTIAL):
            assert name in ("loss", "recorded") and expected[0] is None
            continue
        assert (error is None) == (expected[0] is None), (seed, name, error, expected[0])
        assert len(found) == len(expected[1])
        for one, other in zip(expected[1], found, strict=True):
            assert (one is None) == (other is None), (seed, name)
            if one is not None:
                np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12, err_msg=f"{seed} {name}")
    return not [event for event in state_of(fast).history if event.kind == "break"]


@pytest.mark.parametrize("block", range(2))
@pytest.mark.slow
def test_random_programs_do_what_they_do_in_eager_mode(block: int) -> None:
    whole = sum(compare(seed, name, after) for seed in range(5 * block, 5 * block + 5) for name, after in SETTINGS)
    assert whole >= 10
