"""Random tensors drawn in loops that are one node: eager mode's numbers, and its generator as far afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.control_flow.tensors.draw_programs import ROUNDS, step
from frontend.control_flow.tensors.test_loops import loops_in
from frontend.tensors.scenario import backward, broken, check, drawing_alike, interpreted, leaf, normal, same
from hypothesis import given, settings
from hypothesis import strategies as st

import guardlift as gl
from frontend.control_flow.tensors import draw_programs as programs
from guardlift import nn, optim
from guardlift.frontend import state_of
from guardlift.nn import functional as F

Program = Callable[..., Any]


def generator() -> Any:
    return gl.Generator().manual_seed(9)


@pytest.mark.parametrize("grad", [False, True], ids=["plain", "with gradients"])
@pytest.mark.parametrize("program", programs.one_graph, ids=lambda each: each.__name__)
@pytest.mark.slow
def test_a_loop_that_draws_is_one_node_and_draws_as_eager_mode_does(program: Program, grad: bool) -> None:
    def make(number: int) -> list[Any]:
        return [leaf(3, 3) if grad else normal(3, 3), generator()]

    fast = check(program, make, after=backward, compiles=1)
    assert loops_in(fast)


def test_the_numbers_are_eagers_to_the_bit_where_nothing_rounds() -> None:
    def program(x: Any) -> Any:
        for _ in range(20):
            x = (x + gl.rand(3, 5)) * 0.5
            for _ in range(9):
                x = x * (gl.rand(3, 5) > 0.1)
        return x, gl.rand(2)

    assert loops_in(check(program, lambda number: [normal(3, 5)], relative=0, kernels=True)) == 1


# -- symbolic lengths --------------------------------------------------------------------------------------------------
def recurrent(xs: Any, h: Any, w: Any) -> Any:
    for t in range(xs.shape[1]):
        h = F.dropout(gl.tanh(xs[:, t] + h @ w * 0.3), 0.3) + gl.rand_like(h)
    return h, gl.rand(2)


def second_is_other(xs: Any, h: Any, w: Any) -> Any:
    total = 0.0
    for t in range(xs.shape[1]):
        total = total + (xs[:, t] * gl.rand_like(h)).sum()
    return total, gl.rand(2)


def nested_lengths(xs: Any, h: Any, w: Any) -> Any:
    for t in range(xs.shape[1]):
        h = gl.tanh(xs[:, t] + h @ w * 0.3) * gl.rand_like(h)
        for row in w.unbind(0):
            h = gl.tanh(h + row) * gl.rand_like(h)
        h = h + gl.rand(1)
    return h, gl.rand(2)


@pytest.mark.parametrize("kernels", [False, True], ids=["interpreted", "kernels"])
@pytest.mark.parametrize("grad", [False, True], ids=["plain", "with gradients"])
@pytest.mark.parametrize("program", [recurrent, second_is_other, nested_lengths], ids=lambda each: each.__name__)
@pytest.mark.slow
def test_one_entry_serves_all_lengths_and_batches(program: Program, grad: bool, kernels: bool) -> None:
    def make(number: int) -> list[Any]:
        size = (20, 31, 12, 45, 66, 80, 13, 14)[number]
        shapes = (number + 2, size, 12), (number + 2, 12), (12, 12)
        return [normal(*shape).requires_grad_(grad) for shape in shapes]

    fast = check(program, make, calls=8, after=backward, compiles=2, kernels=kernels, relative=3e-5)
    assert loops_in(fast) in (1, 2)  # the first round may be one for itself


# -- gradients ---------------------------------------------------------------------------------------------------------
class Cell(nn.Module):
    """A recurrent network over time with dropout in each step."""

    def __init__(self, rate: float = 0.3) -> None:
        super().__init__()
        self.of_input, self.of_state, self.out = nn.Linear(4, 5), nn.Linear(5, 5), nn.Linear(5, 1)
        self.dropout = nn.Dropout(rate)

    def forward(self, xs: Any) -> Any:
        state, outs = gl.zeros(xs.shape[1], 5), []
        for x in xs:
            state = self.dropout(gl.tanh(self.of_input(x) + self.of_state(state)))
            outs.append(state)
        return self.out(self.dropout(gl.stack(outs)))


@pytest.mark.parametrize("budget", [1.0, 0.0])
@pytest.mark.parametrize("inside", [True, False], ids=["whole step", "backward outside"])
@pytest.mark.slow
def test_a_recurrent_network_with_dropout_learns_as_in_eager_mode(inside: bool, budget: float) -> None:
    def make() -> list[Any]:
        gl.manual_seed(0)
        model = Cell()
        return [model, optim.Adam(model.parameters(), lr=0.01), normal(ROUNDS, 3, 4, seed=1)]

    def train(model: Any, optimizer: Any, xs: Any) -> Any:
        optimizer.zero_grad()
        loss = ((model(xs) - xs.sum(2, keepdim=True)) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss, gl.rand(2)

    def forward(model: Any, optimizer: Any, xs: Any) -> Any:
        return ((model(xs) - xs.sum(2, keepdim=True)) ** 2).mean()

    def rest(loss: Any, model: Any, optimizer: Any, xs: Any) -> None:
        if not inside:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    with gl.config.patch(activation_memory_budget=budget, partition_from=0):
        program = train if inside else forward
        fast = check(program, arguments=make, calls=5, after=rest, relative=1e-4, kernels=True)
    assert loops_in(fast) == (2 if inside else 1)


def test_an_eval_model_draws_nothing_and_a_trained_one_draws_again() -> None:
    model = Cell()

    def program(xs: Any) -> Any:
        return model(xs), gl.rand(2)

    fast = gl.jit(program)
    for training in (True, False, True):
        model.train(training)
        with interpreted():
            same(*drawing_alike(1, lambda: program(normal(20, 3, 4)), lambda: fast(normal(20, 3, 4))))
        assert loops_in(fast)
    assert not broken(fast)


def test_a_retained_graph_and_second_derivatives_see_the_same_masks() -> None:
    def program(xs: Any, h: Any, w: Any) -> Any:
        return recurrent(xs, h, w)[0].square().sum()

    def twice(result: Any, xs: Any, h: Any, w: Any) -> None:
        result.backward(retain_graph=True)
        result.backward()

    def penalty(result: Any, xs: Any, h: Any, w: Any) -> None:
        (found,) = gl.autograd.grad(result, [w], create_graph=True)
        found.square().sum().backward()

    for after in (twice, penalty):
        check(program, lambda number: [leaf(2, 30, 4), leaf(2, 4), leaf(4, 4)], after=after, relative=1e-4)


def test_gradients_taken_in_the_function_go_through_the_loop() -> None:
    def program(xs: Any, h: Any, w: Any) -> Any:
        loss = recurrent(xs, h, w)[0].square().sum()
        return gl.autograd.grad(loss, [w, xs]), gl.rand(2)

    fast = check(program, lambda number: [leaf(2, 30, 4), leaf(2, 4), leaf(4, 4)], relative=1e-4, kernels=True)
    assert loops_in(fast) == 2


# -- what stays a break, or many copies of the body --------------------------------------------------------------------
@pytest.mark.parametrize("grad", [False, True], ids=["plain", "with gradients"])
@pytest.mark.parametrize("program", programs.left, ids=lambda each: each.__name__)
@pytest.mark.slow
def test_other_loops_break_and_draw_as_eager_mode_does(program: Program, grad: bool) -> None:
    def make(number: int) -> list[Any]:
        return [leaf(3, 3) if grad else normal(3, 3) + number, generator()]

    fast = check(program, make, after=backward, breaks=None, relative=1e-4)
    assert any(programs.left[program] in text for text in broken(fast)), broken(fast)


def test_a_generator_under_two_names_is_drawn_from_in_the_order_of_the_program() -> None:
    def program(x: Any, a: Any, b: Any) -> Any:
        first = gl.rand(2, generator=b)
        for _ in range(ROUNDS):
            x = step(x) + gl.rand(3, generator=a)
        for _ in range(ROUNDS):
            x = step(x) * gl.rand(3, generator=b)
        return x, first, gl.rand(2, generator=a)

    def make(number: int) -> list[Any]:
        one, other = generator(), generator()
        return [normal(3, 3), one, one if number % 2 else other]

    check(program, make, calls=4)


def test_a_break_behind_the_loop_leaves_the_generator_where_the_rest_begins() -> None:
    def program(x: Any, stop: bool) -> Any:
        for _ in range(ROUNDS):
            x = step(x) + gl.rand(3)
        gl.graph_break()
        if stop:
            raise ValueError("stop")
        for _ in range(ROUNDS):
            x = step(x) + gl.rand(3)
        return x, gl.rand(2)

    check(program, lambda number: [normal(3, 3), number == 2], calls=4, breaks="graph_break")


def test_a_call_that_python_has_to_run_gives_back_what_the_loop_was_to_draw() -> None:
    def program(x: Any, index: Any) -> Any:
        for _ in range(ROUNDS):
            x = step(x) + gl.rand(3)
        return x[index], gl.rand(2)

    check(program, lambda number: [normal(3, 3), gl.tensor([0, number * 2])], calls=3)


# -- any program -------------------------------------------------------------------------------------------------------
DRAWS = st.sampled_from(
    ["gl.rand(3)", "gl.rand(1, dtype=gl.float64).float()", "gl.randint(0, 9, (3,))", "F.dropout(x)"]
)
BODIES = st.recursive(
    DRAWS,
    lambda inner: st.tuples(st.sampled_from([2, 9, 20, "n"]), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=6,
)


def lines_of(body: Any, depth: int = 1) -> list[str]:
    pad = "    " * depth
    if isinstance(body, str):
        return [f"{pad}x = (x * 0.5 + {body}).cos() @ w"]
    count, inner = body
    return [f"{pad}for _ in range({count}):", *(line for each in inner for line in lines_of(each, depth + 1))]


@given(st.lists(BODIES, min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
@pytest.mark.slow
def test_any_draws_in_any_loops_are_those_of_eager_mode(bodies: list[Any]) -> None:
    text = ["def program(x, w):", "    n = x.shape[0]", *(line for each in bodies for line in lines_of(each))]
    scope: dict[str, Any] = {"gl": gl, "F": F}
    exec("\n".join([*text, "    return x, gl.rand(2)"]), scope)
    weights = normal(3, 3) * 0.3
    fast = check(scope["program"], lambda number: [normal(9 + 2 * number, 3), weights], calls=3, relative=1e-4)
    assert state_of(fast).entries
