"""Callees that are not inlined are compiled for themselves, as long as they are what they were."""

from __future__ import annotations

import gc
import types
import weakref
from typing import Any

import numpy as np

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.dispatch.jitted_callees import CallSite

jitted_callee = CallSite()


class Owner:
    def method(self, x: Any) -> Any:
        return x + 1


def double(x: Any, by: float = 2.0, *, plus: float = 0.0) -> Any:
    return x * by + plus


def test_a_function_and_a_method_are_compiled_once_and_others_are_left() -> None:
    compiled = jitted_callee(double)
    assert state_of(compiled) is not None and jitted_callee(double) is compiled
    owner = Owner()
    bound = jitted_callee(owner.method)
    assert bound.__self__ is owner and state_of(bound.__func__) is not None
    np.testing.assert_array_equal(bound(np.ones(2)), [2.0, 2.0])
    for other in (len, int, gl.jit(double), np.tanh, owner):
        assert jitted_callee(other) is other


def test_the_inside_of_a_comprehension_is_left_alone() -> None:
    namespace: dict[str, Any] = {}
    code = compile("def f(x): return [x * k for k in range(3)]", "<f>", "exec").co_consts[0]
    inside = next((each for each in code.co_consts if isinstance(each, types.CodeType)), None)
    if inside is not None:  # since 3.12 there is none
        function = types.FunctionType(inside, namespace, closure=(types.CellType(2.0),))
        assert jitted_callee(function) is function


def test_changed_code_and_defaults_are_noticed() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x, by=2.0, *, plus=0.0): return x * by + plus", namespace)
    f = namespace["f"]
    first = jitted_callee(f)
    f.__defaults__ = (3.0,)
    second = jitted_callee(f)
    f.__kwdefaults__ = {"plus": 1.0}
    third = jitted_callee(f)
    f.__code__ = (lambda x, by=0, *, plus=0: x - by).__code__
    fourth = jitted_callee(f)
    assert len({first, second, third, fourth}) == 4
    x = np.ones(2)
    assert [float(each(x)[0]) for each in (second, third, fourth)] == [3.0, 4.0, -2.0]


def test_a_callee_that_nobody_holds_goes() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x): return x + 1", namespace)
    gone = weakref.ref(namespace["f"])
    jitted_callee(namespace["f"])(np.ones(2))
    namespace.clear()
    gc.collect()
    assert gone() is None
