"""Branches on the data of tensors: values, gradients, flags, objects and side effects are those of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from frontend.tensors import cond_programs as programs
from guardlift import autograd
from guardlift.frontend import state_of

Program = Callable[..., Any]


def conds_in(function: Any) -> int:
    """How many conds there are in the graphs of all entries, with those inside loops and other conds."""
    traced = [entry.details.get("traced") for entry in state_of(function).entries]
    return sum(
        str(node.attrs).count("'cond'") + (node.op.name == "cond") for graph in traced if graph for node in graph.nodes
    )


def arguments(seed: int, *, grad: bool, scale: float = 1.0) -> list[Any]:
    """What the programs take; the sum of the first is positive for even seeds, and negative for odd ones."""
    rng = np.random.default_rng(seed)
    x, w, b = (rng.standard_normal(shape) * 0.5 for shape in ((4, 4), (4, 4), (4,)))
    x = x + (-1) ** seed * 0.2 - x.mean()
    w = w + (-1) ** (seed // 2) * 0.2 - w.mean()
    return [gl.tensor(each * scale, requires_grad=grad) for each in (x, w, b)]


def leaves_of(result: Any) -> list[Any]:
    if isinstance(result, (tuple, list)):
        return [leaf for each in result for leaf in leaves_of(each)]
    return [result]


def observed(function: Program, given: list[Any], *, backward: bool) -> list[Any]:
    """All that a call does: results, how they share memory and objects, gradients, arguments, side effects."""
    programs.LOG.clear()
    programs.STATE["count"] = 0
    for each in given:
        each.grad = None
    found = leaves_of(function(*given))
    tensors = [each for each in found if isinstance(each, gl.Tensor)]
    seen: list[Any] = [each.detach().numpy().copy() if isinstance(each, gl.Tensor) else each for each in found]
    known = [*given, *tensors]
    seen.append([next(k for k, other in enumerate(known) if other is each) for each in tensors])
    seen.append(
        [
            next(k for k, other in enumerate(known) if np.shares_memory(other.detach().numpy(), each.detach().numpy()))
            for each in tensors
        ]
    )
    seen.append([(each.requires_grad, each.is_leaf, each.stride(), each._version) for each in tensors])
    if backward:
        differentiable = [each for each in tensors if each.requires_grad]
        loss: Any = 0.0
        for number, each in enumerate(differentiable):
            loss = loss + (each * each * (number + 1)).sum()
        if differentiable:
            loss.backward()
    seen += [None if each.grad is None else each.grad.numpy().copy() for each in given]
    seen += [each.detach().numpy().copy() for each in given]
    return [*seen, *programs.LOG, programs.STATE["count"]]


def assert_same(found: list[Any], wanted: list[Any]) -> None:
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        if isinstance(other, np.ndarray):
            np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
        else:
            assert type(one) is type(other) and one == other


OFTEN = (
    programs.two_arms,
    programs.rescaled,
    programs.three_returns,
    programs.the_argument_or_not,
    programs.other_gradients,
)
PROGRAMS = [
    pytest.param(each, id=each.__name__, marks=() if each in OFTEN else pytest.mark.slow)
    for each in (*programs.merged, *programs.parted)
]


@pytest.mark.parametrize("grad", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_branch_does_what_eager_mode_does(program: Program, grad: bool) -> None:
    jitted = gl.jit(program)
    for seed in (0, 1, 2, 3, 1, 4):
        wanted = observed(program, arguments(seed, grad=grad), backward=grad)
        assert_same(observed(jitted, arguments(seed, grad=grad), backward=grad), wanted)
    if grad:
        assert bool(conds_in(jitted)) == (program in programs.merged), [str(each) for each in gl.explain(jitted).breaks]
        assert bool(gl.explain(jitted).breaks) == (program in programs.parted)


def test_a_setting_makes_such_a_branch_a_graph_break() -> None:
    with gl.config.patch(tensor_conds=False):
        jitted = gl.jit(programs.two_arms)
        jitted(*arguments(0, grad=False))
        (stop,) = gl.explain(jitted).breaks
        assert not conds_in(jitted) and "B101" in str(stop)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (programs.the_argument_or_not, "a result that may be another tensor which exists outside the call"),
        (programs.an_intermediate_or_not, "a result that may be another result"),
        (programs.written_afterwards, "a write into a tensor that one arm has left as it was"),
        (programs.other_shapes, "the variable y, of another shape in one arm"),
        (programs.other_gradients, "gradients that go to other tensors in one arm than in the other"),
        (programs.write_before, "a write into memory from before"),
        (programs.one_or_two, "shares memory with another variable in one arm"),
    ],
)
def test_a_break_says_what_differed(program: Program, reason: str) -> None:
    with pytest.raises(gl.GuardliftError, match=f"because of .*{reason}"):
        gl.jit(program, fullgraph=True)(*arguments(0, grad=program is not programs.the_argument_or_not))


@pytest.mark.parametrize("program", programs.raising_programs, ids=lambda each: each.__name__)
def test_an_arm_that_raises_leaves_the_call_to_python(program: Program) -> None:
    jitted = gl.jit(program)
    for seed in (0, 1, 2, 3):
        seen = []
        for function in (program, jitted):
            given = arguments(seed, grad=False)
            try:
                seen.append(observed(function, given, backward=False))
            except (ValueError, AssertionError) as error:
                assert error.__traceback__ is not None
                seen.append([str(error), *(each.numpy() for each in given), *programs.LOG])
        assert_same(seen[1], seen[0])
    assert not gl.explain(jitted).breaks


def test_a_plan_goes_over_the_arm_that_is_not_taken() -> None:
    jitted = gl.jit(programs.two_returns)
    jitted(*arguments(0, grad=False))
    (entry,) = state_of(jitted).entries
    assert "steps unless" in entry.details["compiled"].plan.describe()
