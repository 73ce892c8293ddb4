"""Compiling ahead of a call: the entry and its kernels are there, and the function has done nothing."""

from __future__ import annotations

import functools
import gc
import random
import weakref
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn, optim
from guardlift.backend.cpu.compiler.kernels import statistics
from guardlift.frontend import state_of


def compiles_nothing(call: Any, *functions: Any) -> Any:
    """The result of a call, which may not make a kernel, nor an entry of the jitted `functions` that it may run."""
    before = [list(state_of(each).history) for each in functions], statistics.compiled, statistics.loaded
    result = call()
    assert ([list(state_of(each).history) for each in functions], statistics.compiled, statistics.loaded) == before
    return result


def test_a_call_like_the_one_compiled_for_compiles_nothing() -> None:
    @gl.jit
    def scaled(x: np.ndarray, *more: float, factor: float = 2.0, **named: Any) -> np.ndarray:
        return np.tanh(x) * factor + sum(more) + len(named)

    x = np.ones((3, 5), np.float32)
    scaled.compile(x, 1.0, 2.0, other=1)
    assert [event.kind for event in state_of(scaled).history] == ["compile"]
    found = compiles_nothing(lambda: scaled(x + 1, 1.0, 2.0, other=1), scaled)
    np.testing.assert_allclose(found, np.tanh(x + 1) * 2 + 4, rtol=1e-6)
    scaled.compile(x, 1.0, 2.0, other=1)
    assert len(state_of(scaled).history) == 1, "there is an entry already"


def test_nothing_that_the_function_does_is_done() -> None:
    seen: list[Any] = []
    generator = np.random.default_rng(0)

    @gl.jit
    def all_sorts(x: np.ndarray, log: list[Any]) -> np.ndarray:
        x += generator.standard_normal(x.shape)
        log.append(random.random())
        seen.append(len(seen))
        return x * 2

    x, log, state = np.zeros(4), [], (random.getstate(), generator.bit_generator.state)
    all_sorts.compile(x, log)
    assert (x.tolist(), log, seen) == ([0.0] * 4, [], [])
    assert (random.getstate(), generator.bit_generator.state) == state
    found = compiles_nothing(lambda: all_sorts(x, log), all_sorts)
    assert found.tolist() == (np.random.default_rng(0).standard_normal(4) * 2).tolist()
    assert (len(log), seen) == (1, [0])


def training() -> tuple[nn.Module, optim.Optimizer, Any, Any, Any]:
    gl.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Tanh(), nn.Linear(8, 1))
    optimizer = optim.Adam(model.parameters())

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    return model, optimizer, step, gl.randn(6, 4), gl.randn(6, 1)


def test_a_training_step_is_compiled_with_its_backward_and_takes_the_first_step_when_called() -> None:
    model, _, plain, x, y = training()
    expected = [plain(x, y).item() for _ in range(3)], [each.tolist() for each in model.parameters()]
    model, _, plain, x, y = training()
    step = gl.jit(plain)
    before, drawn = [each.tolist() for each in model.parameters()], gl.get_rng_state().tolist()
    step.compile(x, y)
    assert [each.tolist() for each in model.parameters()] == before
    assert all(each.grad is None for each in model.parameters())
    assert gl.get_rng_state().tolist() == drawn
    losses = compiles_nothing(lambda: [step(x, y).item() for _ in range(3)], step)
    np.testing.assert_allclose(losses, expected[0], rtol=1e-6)
    for found, wanted in zip(model.parameters(), expected[1], strict=True):
        np.testing.assert_allclose(found.tolist(), wanted, rtol=1e-5, atol=1e-7)


def test_a_jitted_module_is_compiled_with_the_backward_of_its_forward() -> None:
    model, _, _, x, _ = training()
    compiled = gl.jit(model)
    compiled.compile(gl.ShapeDtypeStruct((6, 4), gl.float32))
    compiles_nothing(lambda: compiled(x).square().mean().item())
    forward = gl.jit(lambda x: model(x).square().mean())
    forward.compile(x)
    compiles_nothing(lambda: forward(x).backward(), forward)
    assert all(each.grad is not None for each in model.parameters())


def test_zeros_stand_for_described_arguments_in_containers_too() -> None:
    @gl.jit
    def total(parts: list[Any], named: dict[str, Any]) -> Any:
        return parts[0] + parts[1] + named["bias"]

    array = gl.ShapeDtypeStruct((2, 3), "float32")
    total.compile([array, array], {"bias": gl.ShapeDtypeStruct((), np.float64)})
    a, b = np.ones((2, 3), np.float32), np.full((2, 3), 2, np.float32)
    found = compiles_nothing(lambda: total([a, b], {"bias": np.array(1.0)}), total)
    assert found.tolist() == [[4.0] * 3] * 2


def test_containers_that_are_given_are_the_very_objects() -> None:
    known = [np.ones(3), np.ones(3)]

    @gl.jit
    def both(given: list[Any]) -> Any:
        given[0] += 1
        return known[0] + given[1]

    both.compile(known)
    found = compiles_nothing(lambda: both(known), both)
    assert found.tolist() == [3.0] * 3


def test_up_to_a_graph_break_is_compiled_and_the_warning_says_so() -> None:
    @gl.jit
    def prints(x: np.ndarray) -> np.ndarray:
        y = np.tanh(x) * 2
        print("in between")
        return np.exp(y)

    x = np.ones(3)
    with pytest.warns(gl.GraphBreakWarning, match=r"up to a graph break; .* a call of print") as caught:
        prints.compile(x)
    assert caught[0].filename == __file__
    assert [event.kind for event in state_of(prints).history] == ["break", "compile"]
    prints(x)
    assert [event.kind for event in state_of(prints).history] == ["break", "compile", "compile"]
    with pytest.raises(gl.Unsupported, match="a call of print"):
        gl.jit(prints.__wrapped__, fullgraph=True).compile(x)


def test_functions_that_are_not_compiled_say_why() -> None:
    @gl.jit
    def counts(n: int) -> int:
        return n + 1

    with pytest.warns(gl.GraphBreakWarning, match=r"counts was not compiled ahead. "):
        counts.compile(3)

    @gl.jit
    def generates(n: int) -> Any:
        yield n

    with pytest.warns(gl.GraphBreakWarning, match=r"generates was not compiled ahead: it is a generator"):
        generates.compile(3)
    with gl.config.patch(disable=True):
        gl.jit(lambda x: x + 1).compile(np.ones(3))


def test_arguments_that_the_function_does_not_take_are_refused() -> None:
    adds = gl.jit(lambda x, *, y=1: x + y)
    with pytest.raises(TypeError, match=r"<lambda>\(x, \*, y=1\) takes no such arguments: too many positional"):
        adds.compile(np.ones(3), 2)
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        adds.compile()


def test_no_more_than_the_limit_is_compiled_ahead() -> None:
    adds = gl.jit(lambda x: x + 1, dynamic=False)
    with gl.config.patch(recompile_limit=2):
        for size in (3, 4):
            adds.compile(np.ones(size))
        adds.compile(np.zeros(4))  # there is an entry for it
        with pytest.warns(gl.GraphBreakWarning, match="has 2 entries, the limit"):
            adds.compile(np.ones(5))
        with gl.config.patch(on_limit="error"), pytest.raises(gl.RecompileError):
            adds.compile(np.ones(5))


def test_a_jitted_function_dies_with_its_last_reference() -> None:
    jitted = gl.jit(lambda x: x + 1)
    jitted.compile(np.ones(3))
    gone = weakref.ref(jitted)
    del jitted
    gc.collect()
    assert gone() is None


def test_a_wrapper_of_a_jitted_function_compiles_that() -> None:
    inner = gl.jit(lambda x: x * 3)
    outer = functools.wraps(inner)(lambda x: inner(x))
    outer.compile(np.ones(3))
    compiles_nothing(lambda: inner(np.ones(3)), inner)
