"""Functions that a program makes anew for each call share what was compiled for the first of them."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn, optim
from guardlift.core.events import COMPILE, RECOMPILE, listening
from guardlift.frontend import state_of
from guardlift.frontend.dispatch.jitted_callees import CallSite


def closure_over(value: Any, shift: float = 1.0) -> Callable[[Any], Any]:
    def scaled(x: Any) -> Any:
        return x * value + shift

    return scaled


def broken_over(value: Any, said: list[Any]) -> Callable[[Any], Any]:
    def told(x: Any) -> Any:
        y = x * value
        said.append(float(y.sum()))
        print(end="")  # breaks the graph
        return y + value

    return told


def counting() -> tuple[Callable[[Any], Any], Callable[[], int]]:
    calls = 0

    def counted(x: Any) -> Any:
        nonlocal calls
        calls += 1
        return x + calls

    return counted, lambda: calls


class Held:
    """An object that a closure may keep alive."""

    def __init__(self, factor: float) -> None:
        self.factor = factor


def compiles(run: Callable[[], Any]) -> int:
    events: list[Any] = []
    with listening(events.append):
        run()
    return sum(event.kind in (COMPILE, RECOMPILE) for event in events)


def test_a_function_that_is_made_anew_is_compiled_once() -> None:
    site, x = CallSite(), np.arange(3.0)
    first = site(closure_over(np.full(3, 2.0)))
    assert compiles(lambda: first(x)) == 1
    for factor in (3.0, 4.0, 5.0):
        again = site(closure_over(np.full(3, factor)))
        assert state_of(again) is state_of(first) and again is not first

        def call(again: Any = again, factor: float = factor) -> None:
            np.testing.assert_array_equal(again(x), x * factor + 1)

        assert compiles(call) == 0
    np.testing.assert_array_equal(first(x), x * 2 + 1)  # the first one keeps its own closure


def test_what_differs_in_the_closure_is_guarded_for_each_of_them() -> None:
    site, x = CallSite(), np.arange(4.0)
    values: list[Any] = [2, 3, 2.5, np.float32(1.5), np.arange(4), None]
    plain = [closure_over(value) for value in values]
    functions = [site(each) for each in plain]
    for _ in range(3):
        for function, expected in zip(functions[:-1], plain[:-1], strict=True):
            np.testing.assert_array_equal(function(x), expected(x))
        with pytest.raises(TypeError, match="NoneType"):
            functions[-1](x)


def test_other_defaults_and_other_code_share_nothing() -> None:
    site, x = CallSite(), np.ones(2)
    first, other = site(closure_over(2.0)), site(closure_over(2.0, shift=5.0))
    assert state_of(first) is state_of(other)  # `shift` is a variable of the closure

    def with_default(by: float) -> Callable[..., Any]:
        def scaled(x: Any, by: float = by) -> Any:
            return x * by

        return scaled

    twice, thrice = site(with_default(2.0)), site(with_default(3.0))
    assert state_of(twice) is not state_of(thrice)
    assert [float(each(x)[0]) for each in (first, other, twice, thrice)] == [3.0, 7.0, 2.0, 3.0]


def test_a_graph_break_inside_goes_on_with_the_closure_of_the_call() -> None:
    site, x, said = CallSite(), np.ones(3), []
    for factor in (2.0, 3.0, 4.0):
        function = site(broken_over(np.full(3, factor), said))
        for _ in range(2):
            np.testing.assert_array_equal(function(x), np.full(3, 2 * factor))
    assert said == [6.0, 6.0, 9.0, 9.0, 12.0, 12.0]


def test_writes_to_variables_of_the_closure_are_those_of_the_call() -> None:
    site, x = CallSite(), np.zeros(2)
    for _ in range(3):
        function, calls = counting()
        compiled = site(function)
        assert [float(compiled(x)[0]) for _ in range(3)] == [1.0, 2.0, 3.0]
        assert calls() == 3


def test_nothing_of_a_call_is_kept_once_its_function_is_gone() -> None:
    def over(held: Held) -> Callable[[Any], Any]:
        return lambda x: x * held.factor

    site = CallSite()
    for factor in (2.0, 3.0, 2.0):
        held = Held(factor)
        function = site(over(held))
        assert float(function(np.ones(2))[0]) == factor
        gone = weakref.ref(held)
        del held, function
        assert gone() is None  # without the garbage collector


def test_threads_that_miss_at_once_are_answered_with_their_own_closures() -> None:
    site, wrong, begin = CallSite(), [], threading.Barrier(4)

    def work(number: int) -> None:
        begin.wait()
        for k in range(20):
            shape = (number + 1, k % 5 + 1)
            factor = float(number * 100 + k)
            got = site(closure_over(np.full(shape, factor)))(np.ones(shape))
            if not (got == factor + 1).all():
                wrong.append((number, k))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


def test_the_closure_of_lbfgs_in_a_jitted_step_is_compiled_once() -> None:
    def trained(jit: Callable[[Any], Any]) -> tuple[list[float], int]:
        gl.manual_seed(0)
        model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
        optimizer = optim.LBFGS(model.parameters(), lr=0.1, max_iter=3)
        x, y = gl.randn(16, 2), gl.randn(16, 1)

        def step(x: Any, y: Any) -> Any:
            def closure() -> Any:
                optimizer.zero_grad()
                loss = (model(x) - y).square().mean()
                loss.backward()
                return loss

            return optimizer.step(closure)

        called = jit(step)
        losses = [float(called(x, y)) for _ in range(2)]
        count = compiles(lambda: losses.extend(float(called(x, y)) for _ in range(3)))
        return losses, count

    plain, _ = trained(lambda step: step)
    compiled, again = trained(gl.jit)
    np.testing.assert_allclose(compiled, plain, rtol=1e-4)
    assert again == 0


def test_the_warning_about_the_limit_names_the_line_of_the_users() -> None:
    def over(count: int) -> Callable[[Any], Any]:
        return lambda x: sum([x] * count)

    site, x = CallSite(), np.ones(2)
    with gl.config.patch(recompile_limit=2), pytest.warns(RuntimeWarning, match="the limit") as caught:
        for count in range(1, 5):
            np.testing.assert_array_equal(site(over(count))(x), x * count)
    assert [each.filename for each in caught] == [__file__]
