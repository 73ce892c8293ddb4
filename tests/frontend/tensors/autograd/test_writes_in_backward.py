"""Arguments that a custom backward writes: with a history or none, in both halves, and where that is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl


class Doubles(gl.autograd.Function):
    """Doubles its second argument when backward goes through it."""

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        ctx.b = b
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        with gl.no_grad():
            ctx.b.mul_(2)
        return g * 2, None


class Resizes(Doubles):
    """Gives it another shape then."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.b.resize_(2)
        return g * 2, None


def in_backward(x: Any, b: Any) -> Any:
    return Doubles.apply(x, b).sum()


def in_both(x: Any, b: Any) -> Any:
    with gl.no_grad():
        b.mul_(3)
    return Doubles.apply(x, b).sum()


def walked_inside(x: Any, b: Any) -> Any:
    with gl.no_grad():
        b.mul_(3)
    Doubles.apply(x, b).sum().backward()
    return b * 1


KINDS: dict[str, Callable[[], Any]] = {
    "a plain tensor": lambda: gl.ones(3),
    "a leaf": lambda: gl.ones(3, requires_grad=True),
    "a result": lambda: gl.ones(3, requires_grad=True) * 1,
    "a buffer of another dtype": lambda: gl.ones(3).double(),
}


def ran(function: Callable[..., Any], kind: str, create_graph: bool = False) -> Any:
    x, b = gl.ones(3, requires_grad=True), KINDS[kind]()
    y = function(x, b)
    between = b.tolist(), b._version
    if y.ndim == 0:
        y.backward(create_graph=create_graph)
    return between, b.tolist(), b._version, b.requires_grad, x.grad.tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("program", [in_backward, in_both, walked_inside])
def test_a_write_in_backward_is_made_there_and_not_before(program: Callable[..., Any], kind: str) -> None:
    jitted = gl.jit(program, fullgraph=True)
    for _ in range(2):
        assert ran(jitted, kind) == ran(program, kind)


@pytest.mark.parametrize("program", [in_backward, in_both])
def test_under_create_graph_it_is_refused_for_what_requires_grad_with_nothing_written(program: Any) -> None:
    jitted = gl.jit(program, fullgraph=True)
    assert ran(jitted, "a plain tensor", True) == ran(program, "a plain tensor", True)
    for kind in ("a leaf", "a result"):
        x, b = gl.ones(3, requires_grad=True), KINDS[kind]()
        y = jitted(x, b)
        before = b.tolist(), b._version
        with pytest.raises(RuntimeError, match="requires_grad in backward for create_graph=True"):
            y.backward(create_graph=True)
        assert (b.tolist(), b._version) == before and x.grad is None


def test_another_shape_is_refused_and_modes_are_as_they_were() -> None:
    def resized(x: Any, b: Any) -> Any:
        return Resizes.apply(x, b).sum()

    def under_no_grad(x: Any, b: Any) -> Any:
        with gl.no_grad():
            print(end="")
            b.mul_(3)
        return Resizes.apply(x, b).sum()

    for program in (resized, under_no_grad):
        jitted = gl.jit(program)
        for _ in range(2):
            try:
                jitted(gl.ones(3, requires_grad=True), gl.ones(3)).backward()
            except RuntimeError as error:
                assert "metadata mutated in the backward" in str(error)
            except AssertionError as error:
                assert "metadata mutated in the backward" in str(error)
            assert gl.is_grad_enabled()
