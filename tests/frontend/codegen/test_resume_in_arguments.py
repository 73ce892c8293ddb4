"""Graph breaks in an argument of a call: compiled code takes over again before the call itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.guards.disassembler import bound_loads, disassemble
from guardlift.nn import functional as F


@gl.disable
def left(x: Any) -> Any:
    """A function that breaks the graph."""
    return x * 2.0


def broken(x: Any) -> Any:
    """A function in which the graph breaks."""
    h = x + 1.0
    return left(h) - 1.0


class Owner:
    """Methods of all kinds."""

    scale = 3.0

    def method(self, x: Any, y: Any = 1.0, *, z: Any = 0.0) -> Any:
        return x * self.scale + y - z

    @classmethod
    def of_class(cls, x: Any, y: Any) -> Any:
        return x * cls.scale + y

    @staticmethod
    def static(x: Any, y: Any) -> Any:
        return x - y


OWNER = Owner()
OWNER.stored = lambda x, y: x * y + 2.0  # type: ignore[attr-defined]


def function_of_a_module(x: Any) -> Any:
    return F.softplus(broken(x)) * 2.0


def second_argument(x: Any) -> Any:
    return F.mse_loss(x * 3.0, broken(x)) + x


def by_name(x: Any) -> Any:
    return OWNER.method(broken(x), z=left(x)) * 2.0


def of_an_object(x: Any) -> Any:
    return OWNER.method(broken(x), 2.0) * 2.0


def of_a_class(x: Any) -> Any:
    return OWNER.of_class(broken(x), x) * 2.0


def static_method(x: Any) -> Any:
    return OWNER.static(broken(x), x) * 2.0


def stored_in_the_object(x: Any) -> Any:
    return OWNER.stored(broken(x), x) * 2.0  # type: ignore[attr-defined]


def of_a_result(x: Any) -> Any:
    return (x * 2.0).add(left(x)).mul(broken(x)) + x


def nested(x: Any) -> Any:
    return OWNER.method(OWNER.static(left(x), broken(x)), OWNER.method(left(x))) + x


def chosen(x: Any) -> Any:
    return OWNER.method(left(x) if x.shape[0] > 2 else broken(x), 2.0) + x


def spread(x: Any) -> Any:
    return OWNER.method(*[broken(x), 2.0], z=left(x)) + x


def in_a_loop(x: Any) -> Any:
    for k in range(3):
        x = OWNER.method(broken(x), float(k)) * 0.1
    return x


def in_a_try(x: Any) -> Any:
    try:
        return OWNER.method(broken(x), 2.0)
    finally:
        x.add_(1.0)


def with_a_walrus(x: Any) -> Any:
    return OWNER.method(y := broken(x), 2.0) + y


PROGRAMS: list[Callable[..., Any]] = [
    *(function_of_a_module, second_argument, by_name, of_an_object, of_a_class, static_method, stored_in_the_object),
    *(of_a_result, nested, chosen, spread, in_a_loop, in_a_try, with_a_walrus),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_a_break_in_an_argument_leaves_the_call_compiled(program: Callable[..., Any]) -> None:
    jitted = gl.jit(program)
    for seed in range(3):
        gl.manual_seed(seed)
        x = gl.randn(3, 2)
        plainly, compiled = program(x.clone()), jitted(x.clone())
        np.testing.assert_allclose(compiled.numpy(), plainly.numpy(), rtol=1e-5)
    entries = state_of(jitted).entries
    assert any(each.details and not each.plain for each in entries), "something is compiled"


def test_the_call_behind_the_break_is_compiled() -> None:
    seen = []

    class Watching(Owner):
        def method(self, x: Any, y: Any = 1.0, *, z: Any = 0.0) -> Any:
            seen.append(gl.is_compiling())
            return x + y

    owner = Watching()

    @gl.jit
    def f(x: Any) -> Any:
        return owner.method(left(x), 2.0) * 3.0

    for _ in range(3):
        assert f(np.ones(2)).tolist() == [12.0, 12.0]
    assert seen == [True] * 3


def test_errors_are_those_of_python() -> None:
    def too_many(x: Any) -> Any:
        return OWNER.static(left(x), 1.0, 2.0)

    def unknown(x: Any) -> Any:
        return OWNER.missing(left(x))  # type: ignore[attr-defined]

    def raises(x: Any) -> Any:
        return OWNER.method(x + int(left("no number at all")), 2.0)

    for program in (too_many, unknown, raises):
        words = []
        for function in (program, gl.jit(program)):
            for _ in range(2):
                with pytest.raises((TypeError, AttributeError, ValueError)) as caught:
                    function(np.ones(2))
                last = caught.value.__traceback__
                while last.tb_next is not None and last.tb_next.tb_frame.f_code.co_filename == __file__:
                    last = last.tb_next
                words.append((type(caught.value), str(caught.value), last.tb_lineno))
        assert words == [words[0]] * 4


def test_gradients_go_through_the_call() -> None:
    weight = gl.randn(2, 2)

    def step(x: Any, w: Any) -> Any:
        loss = F.mse_loss(broken(x @ w), x)
        loss.backward()
        return w.grad

    x, jitted = gl.randn(4, 2), gl.jit(step)
    expected = step(x, weight.clone().requires_grad_())
    for _ in range(2):
        found = jitted(x, weight.clone().requires_grad_())
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-5)


def test_only_methods_that_wait_for_a_call_are_bound_before() -> None:
    def f(a: Any, g: Any) -> Any:
        a.first(1, 2)
        a.second(g(1))
        a.third(a.fourth(2), [g(3)])
        return a.fifth(a.x + 1)(g(4))

    code = disassemble(f.__code__)
    kept = [each for each in code if hasattr(each, "arg") and hasattr(each, "name")]
    names = {str(kept[place].arg[1] if sys.version_info >= (3, 12) else kept[place].arg) for place in bound_loads(code)}
    assert names == {"second", "third"}


class _Names(list):  # type: ignore[type-arg]
    pass


def test_errors_about_arguments_say_how_a_method_was_called() -> None:
    def inherited(x: Any, names: Any) -> Any:
        return x * 2, names.append(object(), object(), nope=4)

    def loaded_by_python(x: Any, names: Any) -> Any:
        return x * 2, x.dtype.newbyteorder(object(), object(), nope=4)

    for program in (inherited, loaded_by_python):
        words = []
        for function in (program, gl.jit(program)):
            for _ in range(2):
                with pytest.raises(TypeError) as caught:
                    function(np.ones(2), _Names())
                words.append(str(caught.value))
        assert words == [words[0]] * 4
