"""Loops over tensors that are traced once: values, gradients, flags and objects are those of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from frontend.control_flow.tensors import loop_programs as programs
from guardlift import nn, optim
from guardlift.frontend import state_of

Program = Callable[..., Any]


def loops_in(function: Any) -> int:
    """The number of loops in the graph of the newest entry, not counting those inside others."""
    entry = state_of(function).entries[-1]
    return sum(node.op.name == "loop" for node in entry.details["traced"].nodes)


def kernels_of(function: Any) -> int:
    """The distinct kernels of the newest entry."""
    return len(state_of(function).entries[-1].details["compiled"].kernels)


def arguments(dtype: Any = gl.float64, steps: int = programs.STEPS, *, grad: bool = True) -> list[Any]:
    """The arguments of the programs."""
    rng = np.random.default_rng(3)
    shapes = (steps, 3, 4), (3, 4), (4, 4), (4,)
    return [gl.tensor(rng.standard_normal(shape) * 0.3, dtype=dtype, requires_grad=grad) for shape in shapes]


def flat(result: Any) -> list[Any]:
    if isinstance(result, (tuple, list)):
        return [leaf for each in result for leaf in flat(each)]
    return [result]


def shown(value: Any) -> Any:
    return value.detach().numpy().copy() if isinstance(value, gl.Tensor) else value


def with_gradients(function: Program, given: list[Any]) -> tuple[list[Any], list[Any]]:
    """The results with the gradients of a weighted sum of their squares; then what is known of each tensor."""
    for each in given:
        each.grad = None
    found = flat(function(*given))
    tensors = [each for each in found if isinstance(each, gl.Tensor)]
    loss: Any = 0.0
    for number, each in enumerate(tensors):
        loss = loss + (each * each * (number + 1)).sum()
    loss.backward()
    gradients = [None if each.grad is None else each.grad for each in given]
    facts = [(each.requires_grad, each.is_leaf, each.stride(), each._base is None) for each in tensors]
    return [shown(each) for each in (*found, *gradients)], facts


def assert_close(found: list[Any], wanted: list[Any], tolerance: float = 1e-10) -> None:
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        if isinstance(other, np.ndarray):
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * 1e-2)
        elif isinstance(other, float):
            assert one == other and type(one) is float
        else:
            assert one is other or one == other


PROGRAMS = [
    pytest.param(each, id=each.__name__, marks=() if each in programs.often else pytest.mark.slow)
    for each in (*programs.traced_once, *programs.unrolled)
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_loop_gives_what_eager_mode_gives_with_gradients_and_without(program: Program) -> None:
    given, jitted = arguments(), gl.jit(program)
    wanted, facts = with_gradients(program, given)
    for _ in range(2):
        found, found_facts = with_gradients(jitted, given)
        assert_close(found, wanted)
        assert found_facts == facts
    assert bool(loops_in(jitted)) == (program in programs.traced_once)
    with gl.no_grad():
        assert_close([shown(each) for each in flat(jitted(*given))], [shown(each) for each in flat(program(*given))])


def test_gradients_in_float32_are_eagers_up_to_rounding() -> None:
    given, jitted = arguments(gl.float32), gl.jit(programs.two_states)
    assert_close(with_gradients(jitted, given)[0], with_gradients(programs.two_states, given)[0], 1e-5)


def test_a_longer_loop_makes_no_more_kernels_and_steps() -> None:
    sizes = []
    for steps in (20, 200):
        jitted = gl.jit(programs.last_state)
        given = arguments(steps=steps)
        assert_close(with_gradients(jitted, given)[0], with_gradients(programs.last_state, given)[0])
        entry = state_of(jitted).entries[-1]
        sizes.append((kernels_of(jitted), len(entry.details["compiled"].calls), entry.details["instructions"]))
    assert sizes[0] == sizes[1]


def test_a_long_loop_is_no_graph_break_any_more() -> None:
    given = arguments(steps=gl.config.unroll_limit + 10)
    gl.jit(programs.last_state, fullgraph=True)(*given)
    with gl.config.patch(tensor_loops=False), pytest.raises(gl.GuardliftError, match="loop"):
        gl.jit(programs.last_state, fullgraph=True)(*given)


def test_settings_say_which_loops_are_unrolled() -> None:
    given = arguments()
    for change in ({"tensor_loops": False}, {"loop_from": programs.STEPS + 1}):
        with gl.config.patch(**change):
            jitted = gl.jit(programs.last_state)
            jitted(*given)
            assert loops_in(jitted) == 0


def test_the_second_derivative_goes_through_the_loop() -> None:
    def penalty(xs: Any, h: Any, w: Any, b: Any, function: Program) -> Any:
        y = (function(xs, h, w, b) ** 2).sum()
        (g,) = gl.autograd.grad(y, [w], create_graph=True)
        return (g * g).sum()

    results = []
    for function in (programs.last_state, gl.jit(programs.last_state)):
        given = arguments()
        penalty(*given, function).backward()
        results.append([shown(each.grad) for each in given])
    assert_close(results[1], results[0], 1e-9)


def test_a_gradient_taken_in_the_jitted_function_itself_goes_through_the_loop() -> None:
    def gradient(xs: Any, h: Any, w: Any, b: Any) -> Any:
        y = (programs.last_state(xs, h, w, b) ** 2).sum()
        return gl.autograd.grad(y, [w, xs])

    given, jitted = arguments(), gl.jit(gradient)
    assert_close([shown(each) for each in jitted(*given)], [shown(each) for each in gradient(*given)])
    assert loops_in(jitted) == 2


class Cell(nn.Module):
    """A recurrent network over time, whose parameters are known by identity."""

    def __init__(self) -> None:
        super().__init__()
        self.of_input, self.of_state, self.out = nn.Linear(4, 5), nn.Linear(5, 5), nn.Linear(5, 1)

    def forward(self, xs: Any) -> Any:
        state, outs = gl.zeros(xs.shape[1], 5), []
        for x in xs:
            state = gl.tanh(self.of_input(x) + self.of_state(state))
            outs.append(state)
        return self.out(gl.stack(outs))


def test_a_whole_training_step_with_a_loop_learns_as_eager_mode_does() -> None:
    rng = np.random.default_rng(0)
    xs = gl.tensor(rng.standard_normal((30, 3, 4)).astype(np.float32))
    losses = []
    for jit in (lambda function: function, gl.jit):
        gl.manual_seed(0)
        model = Cell()
        optimizer = optim.Adam(model.parameters(), lr=0.01)

        def step(model: Any = model, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            loss = ((model(xs) - xs.sum(2, keepdim=True)) ** 2).mean()
            loss.backward()
            optimizer.step()
            return loss

        run: Any = jit(step)
        losses.append([run().item() for _ in range(4)])
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    assert loops_in(run) == 2


def test_saved_tensor_hooks_see_each_round_so_loops_under_them_are_unrolled() -> None:
    given, jitted = arguments(), gl.jit(programs.last_state)
    jitted(*given)
    assert loops_in(jitted) == 1
    counted = []
    for function in (programs.last_state, jitted):
        packed: list[Any] = []
        with gl.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):  # noqa: B023
            found = function(*given)
        counted.append(sum(each.shape == (3, 4) for each in packed) > programs.STEPS)
        found.sum().backward()
    assert counted == [True, True]


def test_a_write_into_what_a_round_saved_is_noticed_as_in_eager_mode() -> None:
    def spoiled(xs: Any, h: Any, w: Any, b: Any) -> Any:
        outs = []
        for t in range(programs.STEPS):
            h = gl.tanh(xs[t] + h @ w)
            outs.append(h)
        outs[4].add_(1.0)
        return h.sum()

    given = arguments()
    for function in (spoiled, gl.jit(spoiled)):
        with pytest.raises(RuntimeError, match="modified"):
            function(*given).backward()


def test_a_loop_whose_index_leaves_the_tensor_raises_as_eager_mode_does() -> None:
    def too_far(xs: Any, h: Any, w: Any, b: Any) -> Any:
        for t in range(programs.STEPS + 1):
            h = gl.tanh(xs[t] + h @ w)
        return h

    for function in (too_far, gl.jit(too_far)):
        with pytest.raises(IndexError):
            function(*arguments())


def test_a_loop_behind_a_graph_break_and_one_before_it_are_traced_once() -> None:
    said: list[str] = []

    def broken(xs: Any, h: Any, w: Any, b: Any) -> Any:
        outs = []
        for t in range(programs.STEPS):
            h = gl.tanh(xs[t] + h @ w)
            outs.append(h)
        said.append(str(h.shape))
        print(end="")
        for _ in range(programs.STEPS):
            h = gl.tanh(outs[3] + h @ w)
        return h, outs[7]

    given = arguments()
    with gl.no_grad():
        found, wanted = gl.jit(broken)(*given), broken(*given)
    assert_close([shown(each) for each in found], [shown(each) for each in wanted])


def test_closures_may_be_made_in_a_loop() -> None:
    def program(x: Any) -> Any:
        for number in range(20):

            def scaled(y: Any) -> Any:
                return y * (number % 3)  # noqa: B023

            x = x + scaled(x).tanh()
        return x

    x, fast = gl.tensor([0.5, -1.0, 2.0]), gl.jit(program)
    assert_close([shown(fast(x))], [shown(program(x))])
    assert not gl.explain(fast).breaks
