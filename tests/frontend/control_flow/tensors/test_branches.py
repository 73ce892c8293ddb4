"""Branches on the data of tensors: values, gradients, flags, objects and side effects are those of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from frontend.control_flow.tensors import cond_programs as programs
from guardlift import autograd, nn, optim
from guardlift.frontend import state_of

Program = Callable[..., Any]


def conds_in(function: Any) -> int:
    """The number of conds in the graphs of all entries, with those inside loops and other conds."""
    traced = [entry.details.get("traced") for entry in state_of(function).entries]
    return sum(
        str(node.attrs).count("'cond'") + (node.op.name == "cond") for graph in traced if graph for node in graph.nodes
    )


def arguments(seed: int, *, grad: bool, scale: float = 1.0) -> list[Any]:
    """The arguments of the programs; the sum of the first is positive for even seeds, and negative for odd ones."""
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
        (programs.other_shapes, "of another shape in one arm"),
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


class Clipped(nn.Module):
    """A perceptron whose hidden layer is scaled down where it is large."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(4, 8), nn.Linear(8, 1)

    def forward(self, x: Any) -> Any:
        h = self.inner(x)
        norm = h.norm()
        if norm > 4:
            h = h * (4 / norm)
        return self.outer(gl.tanh(h))


def test_a_whole_training_step_with_branches_learns_as_eager_mode_does() -> None:
    losses: list[list[float]] = []
    for jit in (lambda function: function, gl.jit):
        gl.manual_seed(0)
        model, rng = Clipped(), np.random.default_rng(0)
        optimizer = optim.Adam(model.parameters(), lr=0.05)

        def step(x: Any, y: Any, model: Any = model, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            loss = ((model(x) - y) ** 2).mean()
            if loss.item() > 2.0:
                loss = loss * 0.5
            loss.backward()
            optimizer.step()
            return loss

        run: Any = jit(step)
        batches = [(rng.standard_normal((6, 4)) * (1 + k % 3), rng.standard_normal((6, 1)) * 2) for k in range(6)]
        losses.append([run(*(gl.tensor(each.astype(np.float32)) for each in pair)).item() for pair in batches])
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    assert not gl.explain(run).breaks and len(state_of(run).entries) == 1
    assert conds_in(run) == 4  # two, and their derivatives


def penalty(function: Program, given: list[Any]) -> list[Any]:
    """The gradients of the squared gradient of what a function gives."""
    y = (function(*given) ** 2).sum()
    (g,) = gl.autograd.grad(y, [given[1]], create_graph=True)
    (g * g).sum().backward()
    return [each.grad.numpy() for each in given[:2]]


@pytest.mark.parametrize("seed", [0, 1])
def test_the_second_derivative_goes_through_a_branch(seed: int) -> None:
    results = [penalty(each, arguments(seed, grad=True)) for each in (programs.two_arms, gl.jit(programs.two_arms))]
    assert_same(results[1], results[0])

    def inside(x: Any, w: Any, b: Any) -> Any:
        y = (programs.two_arms(x, w, b) ** 2).sum()
        (g,) = gl.autograd.grad(y, [w], create_graph=True)
        return gl.autograd.grad((g * g).sum(), [x, w])

    jitted, given = gl.jit(inside), arguments(seed, grad=True)
    assert_same([each.numpy() for each in jitted(*given)], results[0])
    assert conds_in(jitted)


def sine_or_twice(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        return (x @ w).sin()
    return (x @ w) * 2


def test_a_second_derivative_through_unlike_arms_is_refused_or_left_to_python() -> None:
    with pytest.raises(gl.GuardliftError, match="whose arms have derivatives of other tensors"):
        penalty(gl.jit(sine_or_twice), arguments(0, grad=True))
    with gl.config.patch(tensor_conds=False):
        penalty(gl.jit(sine_or_twice), arguments(0, grad=True))

    def inside(x: Any, w: Any, b: Any) -> Any:
        y = (sine_or_twice(x, w, b) ** 2).sum()
        (g,) = gl.autograd.grad(y, [w], create_graph=True)
        return gl.autograd.grad((g * g).sum(), [x, w])

    jitted = gl.jit(inside)
    for seed in (0, 1):
        given = arguments(seed, grad=True)
        assert_same([each.numpy() for each in jitted(*given)], [each.numpy() for each in inside(*given)])
    assert not conds_in(jitted)


def test_branches_are_left_to_python_under_saved_tensor_hooks() -> None:
    jitted, counted = gl.jit(programs.two_arms), []
    jitted(*arguments(0, grad=True))
    for function in (programs.two_arms, jitted):
        packed: list[Any] = []
        with autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):  # noqa: B023
            function(*arguments(0, grad=True)).sum().backward()
        counted.append(len(packed))
    assert counted[0] == counted[1] > 0


def test_a_write_into_what_an_arm_saved_is_noticed_as_in_eager_mode() -> None:
    def spoiled(x: Any, w: Any, b: Any) -> Any:
        h = x * 1
        y = h * w if x.sum() > 0 else h.exp() * w
        h.add_(1)
        return y.sum()

    for function in (spoiled, gl.jit(spoiled)):
        with pytest.raises(RuntimeError, match="modified"):
            function(*arguments(0, grad=True)).backward()


def test_a_branch_serves_arrays_of_all_sizes() -> None:
    def clipped(x: Any, w: Any) -> Any:
        h = x @ w
        norm = h.norm()
        if norm > 1:
            h = h / norm
        return h.sum()

    jitted = gl.jit(clipped)
    for size in (4, 5, 6, 9, 1):
        for scale in (0.01, 1.0):
            rng = np.random.default_rng(size)
            arrays = rng.standard_normal((size, 3)) * scale, rng.standard_normal((3, size))
            results = []
            for function in (clipped, jitted):
                given = [gl.tensor(each, requires_grad=True) for each in arrays]
                found = function(*given)
                found.backward()
                results.append([found.item(), *(each.grad.numpy() for each in given)])
            for one, other in zip(*results, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    assert not gl.explain(jitted).breaks and len(state_of(jitted).entries) <= 3


@pytest.mark.parametrize("dtype", [gl.float32, gl.float16, gl.bfloat16, gl.int64])
def test_arms_compute_with_any_dtype(dtype: Any) -> None:
    def chosen(x: Any, limit: Any) -> Any:
        if limit > 0:
            return x * 2 + 1
        return x - 3

    jitted, x = gl.jit(chosen), gl.tensor([1.0, 2.0, -3.0]).to(dtype)
    for limit in (gl.tensor(1.0), gl.tensor(-1.0)):
        one, other = jitted(x, limit), chosen(x, limit)
        assert one.dtype is other.dtype
        np.testing.assert_array_equal(one.to(gl.float64).numpy(), other.to(gl.float64).numpy())
    assert conds_in(jitted)


def test_a_number_of_a_tensor_may_scale_another() -> None:
    def scaled(x: Any, w: Any) -> Any:
        return x * w.sum().item() + w.max().item()

    jitted, (x, w, _) = gl.jit(scaled, fullgraph=True), arguments(0, grad=False)
    assert_same([jitted(x, w).numpy()], [scaled(x, w).numpy()])
