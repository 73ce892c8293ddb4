"""Random numbers drawn inside jitted functions: eager's numbers, and a generator that is left where eager leaves it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import backward, broken, check, drawing_alike, leaf, normal, same
from hypothesis import given, settings
from hypothesis import strategies as st

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of

DRAWS: dict[str, Callable[..., Any]] = {
    "rand": lambda x, g: x + gl.rand(3, 4),
    "rand of a generator": lambda x, g: x + gl.rand(3, 4, generator=g),
    "rand float64": lambda x, g: gl.rand(5, dtype=gl.float64),
    "rand bfloat16": lambda x, g: gl.rand(5, dtype=gl.bfloat16).float(),
    "randn": lambda x, g: gl.randn(3, 4) * x,
    "randn_like": lambda x, g: gl.randn_like(x, generator=g) + x,
    "rand_like": lambda x, g: (gl.rand_like(x) < 0.5).float() * x,
    "randint": lambda x, g: gl.randint(-3, 9, (4,), generator=g),
    "randint_like": lambda x, g: gl.randint_like(x, 7),
    "randperm": lambda x, g: x[gl.randperm(3, generator=g)],
    "randperm int32": lambda x, g: gl.randperm(9, dtype=gl.int32),
    "bernoulli": lambda x, g: gl.bernoulli(x.sigmoid(), generator=g),
    "bernoulli of a number": lambda x, g: x.bernoulli(0.25),
    "normal": lambda x, g: gl.normal(x, 2.0, generator=g),
    "normal of numbers": lambda x, g: gl.normal(1.0, 2.0, (3, 2)),
    "uniform_": lambda x, g: x.clone().uniform_(-1, 2, generator=g),
    "normal_": lambda x, g: x.clone().normal_(1.0, 0.5),
    "bernoulli_": lambda x, g: x.clone().bernoulli_(0.3, generator=g),
    "bernoulli_ of a tensor": lambda x, g: x.clone().bernoulli_(x.sigmoid()),
    "exponential_": lambda x, g: x.clone().exponential_(2.0),
    "log_normal_": lambda x, g: x.clone().log_normal_(),
    "geometric_": lambda x, g: x.clone().geometric_(0.3),
    "random_": lambda x, g: x.clone().random_(5),
    "multinomial": lambda x, g: gl.multinomial(x.sigmoid(), 2),
    "multinomial with replacement": lambda x, g: gl.multinomial(x.sigmoid(), 6, True, generator=g),
    "dropout": lambda x, g: nn.functional.dropout(x, 0.3),
    "dropout2d": lambda x, g: nn.functional.dropout2d(x[None, :, :, None], 0.5),
    "a part that is filled": lambda x, g: [y := x.clone(), y[1:].normal_()][0],
    "nothing": lambda x, g: gl.rand(0, 3),
    "unused": lambda x, g: [gl.rand(7), x + 1][1],
}


USING_EXP = {"bernoulli", "bernoulli_ of a tensor", "a part that is filled", "multinomial"}
"""Draws whose chances, or whose numbers, are made with functions that kernels and NumPy may round differently."""


@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_in_a_jitted_function_gives_what_eager_mode_draws_and_moves_its_generator_as_far(name: str) -> None:
    def program(x: Any, g: Any) -> Any:
        return DRAWS[name](x, g), gl.rand(2)

    inexact = name.startswith(("randn", "normal", "exponential_", "log_normal_")) or name in USING_EXP
    check(
        program,
        lambda number: [normal(3, 4, seed=number), gl.Generator(number)],
        compiles=1,
        relative=1e-6 if inexact else 0,
    )


@pytest.mark.slow
def test_draws_are_compiled_to_kernels_that_draw_the_same() -> None:
    def program(x: Any) -> Any:
        return gl.rand(7, 3) * 2, gl.randn_like(x), gl.randint(0, 1000, (9,)), nn.functional.dropout(x, 0.2)

    check(program, lambda number: [normal(33, 65, seed=number)], kernels=True, compiles=1, relative=1e-7)


def model_and_step(drop: Callable[[Any], Any]) -> Callable[[], Any]:
    def make() -> Any:
        model = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 2))
        for place, each in enumerate(model.parameters()):
            each.data.copy_(normal(*each.shape, seed=place))
        return model, optim.Adam(model.parameters(), lr=0.1)

    return make


STEPS: dict[str, Callable[..., Any]] = {
    "dropout": lambda model, x: nn.functional.dropout(model[0](x), 0.5).sum(),
    "noise": lambda model, x: model(x + 0.1 * gl.randn_like(x)).square().mean(),
    "a sample with a gradient": lambda model, x: (lambda h: h[:, :1] + h[:, 1:].exp() * gl.randn(6, 1))(
        model(x)
    ).mean(),
    "a mask": lambda model, x: (model(x) * (gl.rand(6, 2) >= 0.5) / 0.5).square().mean(),
    "a batch in random order": lambda model, x: model(x[gl.randperm(6)][:3]).mean(),
    "time steps": lambda model, x: (model(x) * gl.randint(0, 10, (6, 1))).mean(),
    "two of them": lambda model, x: nn.functional.dropout(model[2](nn.functional.dropout(model[0](x)).relu())).sum(),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_training_step_that_draws_is_one_graph_and_trains_as_eager_mode_does(name: str) -> None:
    def step(model: Any, optimizer: Any, x: Any) -> Any:
        optimizer.zero_grad()
        loss = STEPS[name](model, x)
        loss.backward()
        optimizer.step()
        return loss.detach()

    make = model_and_step(lambda h: h)
    check(step, arguments=lambda: [*make(), normal(6, 4)], calls=4, compiles=None, relative=1e-4)


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("budget", [1.0, 0.0])
def test_what_a_later_backward_computes_again_it_computes_with_the_same_draws(name: str, budget: float) -> None:
    model, _ = model_and_step(lambda h: h)()
    with gl.config.patch(activation_memory_budget=budget, partition_from=0):
        check(
            lambda x: STEPS[name](model, x),
            lambda number: [normal(6, 4, seed=number).requires_grad_()],
            after=backward,
            relative=1e-4,
        )


def test_a_seed_set_between_calls_is_honoured() -> None:
    fast = gl.jit(lambda: gl.rand(4))
    first = [gl.manual_seed(3) and fast().tolist() for _ in range(3)]
    assert first[0] == first[1] == first[2] and fast().tolist() != first[0]
    gl.manual_seed(2**64 - 1)
    expected = gl.rand(4).tolist()
    gl.manual_seed(-1)
    assert fast().tolist() == expected and len(state_of(fast).history) == 1


def test_two_names_of_one_generator_draw_in_the_order_of_the_program() -> None:
    def program(a: Any, b: Any) -> Any:
        return gl.rand(3, generator=a), gl.rand(5, generator=b), gl.rand(2, generator=a), gl.rand(2)

    fast = gl.jit(program)
    for pair in (lambda: [gl.Generator(1)] * 2, lambda: [gl.Generator(1), gl.Generator(2)]):
        one, other = pair(), pair()
        same(*drawing_alike(1, lambda: program(*one), lambda: fast(*other)))  # noqa: B023
        assert [each.get_state().tolist() for each in one] == [each.get_state().tolist() for each in other]
    assert len(state_of(fast).history) == 1
    assert drawing_alike(
        1, lambda: fast(gl.default_generator, gl.Generator(2))
    )  # and the default one has a second name


def test_a_call_that_raises_has_drawn_what_eager_mode_has_drawn() -> None:
    def program(x: Any, i: Any) -> Any:
        y = x + gl.rand(3)
        z = y[i]
        return z + gl.rand(1)

    check(program, lambda number: [normal(3), gl.tensor([number, 1])], calls=5)


def test_chances_out_of_range_raise_before_anything_is_drawn() -> None:
    def program(x: Any) -> Any:
        return gl.rand(2), gl.bernoulli(x)

    for value in (0.5, 1.5, float("nan"), -0.1):
        check(program, lambda number, value=value: [gl.full((3,), 0.5 if not number else value)], calls=2)
    check(lambda x: gl.multinomial(x, 2), lambda number: [gl.tensor([0.5, 0.5 - number, 1.0])])


def test_a_break_between_two_draws_leaves_the_generator_where_the_second_one_begins() -> None:
    said: list[Any] = []

    def program(x: Any) -> Any:
        y = x * gl.rand(3)
        said.append(gl.get_rng_state().tolist())
        print(end="")
        return y + gl.rand(3)

    check(program, lambda number: [normal(3)], breaks=None)
    assert said[::2] == said[1::2]


def test_a_seed_set_in_the_middle_of_a_call_is_honoured() -> None:
    def program(x: Any, seed: int) -> Any:
        y = x + gl.rand(3)
        gl.manual_seed(seed)
        return y, gl.rand(3)

    check(program, lambda number: [normal(3), number], breaks=None, relative=0)


def test_loops_that_draw_draw_in_each_round() -> None:
    def few(x: Any) -> Any:
        for _ in range(3):
            x = x + gl.rand(3)
        return x

    def many(x: Any) -> Any:
        for _ in range(40):
            x = gl.tanh(x @ x) + 0.1 * gl.randn(3, 3)
        return x

    check(few, lambda number: [normal(3)], relative=0)
    check(many, lambda number: [normal(3, 3)])


def test_an_arm_that_draws_moves_the_generator_only_where_it_is_taken() -> None:
    def program(x: Any) -> Any:
        if x.sum() > 0:
            x = x + gl.rand(3)
        return x * gl.rand(3)

    check(program, lambda number: [normal(3) + (9 if number % 2 else -9)], calls=4, breaks=None)


def test_how_much_is_drawn_may_differ_between_calls_of_one_entry() -> None:
    def program(x: Any) -> Any:
        return nn.functional.dropout(x) + gl.rand_like(x), gl.rand(x.shape[0], dtype=gl.float64)

    fast = check(program, lambda number: [normal(number + 3, 5)], calls=6, relative=0)
    assert len(state_of(fast).history) == 2


def test_hooks_and_retained_graphs_see_the_draws_of_their_call() -> None:
    model = nn.Linear(4, 4)

    def program(x: Any) -> Any:
        h = nn.functional.dropout(model(x), 0.5)
        return nn.functional.dropout(h.tanh(), 0.5).sum()

    def twice(result: Any, x: Any) -> Any:
        result.backward(retain_graph=True)
        result.backward()

    check(program, lambda number: [normal(3, 4).requires_grad_()], after=twice)


def test_a_checkpoint_runs_a_jitted_function_again_with_the_same_draws() -> None:
    model = nn.Linear(4, 4)
    body = gl.jit(lambda x: nn.functional.dropout(model(x), 0.5).tanh())

    def run(inner: Any) -> Any:
        x = normal(3, 4).requires_grad_()
        gl.autograd.checkpoint(inner, x).sum().backward()
        return x.grad

    plain, jitted = drawing_alike(1, lambda: run(body.__wrapped__), lambda: run(body))
    same(plain, jitted)


def test_an_eval_model_draws_nothing() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))

    def program(x: Any) -> Any:
        return model(x)

    def change(number: int, x: Any) -> None:
        model.train(number % 2 == 0)

    check(program, arguments=lambda: [normal(3, 4)], change=change, calls=4)


def test_threads_never_draw_the_same_numbers() -> None:
    fast = gl.jit(lambda x: x + gl.rand(16))
    x = gl.zeros(16)
    fast(x)
    found: list[tuple[float, ...]] = []

    def run() -> None:
        found.extend(tuple(fast(x).tolist()) for _ in range(50))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(set(found)) == 200


def test_another_backend_draws_the_same() -> None:
    def program(x: Any) -> Any:
        return x * gl.rand(3) + gl.randn(3)

    fast = gl.jit(program, backend="reference")
    plain, jitted = drawing_alike(1, lambda: program(leaf(3)), lambda: fast(leaf(3)))
    same(plain, jitted)
    assert not broken(fast)


ONE = [
    "rand({s})",
    "randn({s})",
    "randint(0, 9, ({s},))",
    "rand({s}, generator=g)",
    "randperm(4)",
    "rand({s}, dtype=gl.float64)",
]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(ONE), st.integers(0, 9)), min_size=1, max_size=6))
def test_any_draws_in_any_order_are_those_of_eager_mode(drawn: list[tuple[str, int]]) -> None:
    lines = ", ".join(f"gl.{text.format(s=size)}" for text, size in drawn)
    program = eval(f"lambda g: [{lines}]", {"gl": gl})
    check(program, lambda number: [gl.Generator(number)], calls=2, relative=1e-6)
