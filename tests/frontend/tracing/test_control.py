"""`gl.disable`, `gl.graph_break` and `gl.is_compiling`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.frontend import state_of

SEEN: list[Any] = []


def report(y: Any, *, scale: float = 2.0) -> Any:
    """A function that a program may want to leave alone."""
    SEEN.append(gl.is_compiling())
    return y * scale


def codes(function: Any) -> list[str]:
    """The kinds of the graph's breaks."""
    return [each.code for each in gl.explain(function).breaks]


def test_what_is_disabled_is_run_by_python_and_the_rest_is_compiled() -> None:
    left = gl.disable(report)

    @gl.jit
    def f(x: Any) -> Any:
        y = left(x + 1.0, scale=3.0)
        return y - 1.0

    SEEN.clear()
    for _ in range(2):
        np.testing.assert_array_equal(f(np.ones(3)), np.full(3, 5.0))
    assert SEEN == [False, False]
    assert codes(f) == ["B207"]
    assert len([each for each in state_of(f).entries if not each.plain]) == 2
    with pytest.raises(gl.Unsupported, match="which gl.disable leaves to plain Python"):
        gl.jit(lambda x: left(x), fullgraph=True)(np.ones(3))


def test_a_disabled_function_is_the_function_in_all_else() -> None:
    left = gl.disable(reason="it writes a file")(report)
    assert left.__wrapped__ is report
    assert (left.__name__, left.__doc__, left.__kwdefaults__) == ("report", report.__doc__, {"scale": 2.0})
    assert left(np.ones(1)) == 2.0
    assert gl.jit(left) is left
    assert "it writes a file" in str(gl.explain(left))
    f = gl.jit(lambda x: left(x))
    f(np.ones(2))
    assert "report, which gl.disable leaves to plain Python (it writes a file)" in str(gl.explain(f))
    g = gl.jit(lambda x: report(x * 2.0))  # the original is compiled
    g(np.ones(2))
    assert codes(g) == []


def test_methods_and_modules_are_disabled() -> None:
    class Model(nn.Module):
        def forward(self, x: Any) -> Any:
            return x * 2.0

        @gl.disable
        def loss(self, x: Any) -> Any:
            return x.sum()

    model = Model()
    assert gl.disable(model) is model
    f = gl.jit(lambda x: model(x) + model.loss(x))
    x = gl.ones(3)
    assert f(x).tolist() == [5.0, 5.0, 5.0]
    assert codes(f) == ["B207", "B207"]
    bound = gl.disable(Model().forward)
    f = gl.jit(lambda x: bound(x) + 1)
    assert f(x).tolist() == [3.0, 3.0, 3.0]
    assert codes(f) == ["B207"]


@pytest.mark.parametrize("wrong", [3, len, dict])
def test_nothing_else_can_be_disabled(wrong: Any) -> None:
    with pytest.raises(gl.NotAFunctionError, match="gl.disable takes a Python function, a method or a module, not"):
        gl.disable(wrong)


def test_arguments_that_there_are_not() -> None:
    with pytest.raises(gl.SettingValueError, match="recursive = False"):
        gl.disable(report, recursive=False)
    with pytest.raises(gl.SettingValueError, match="reason = 3; expected a str"):
        gl.disable(report, reason=3)  # type: ignore[call-overload]


def test_a_break_that_is_asked_for() -> None:
    def f(x: Any) -> Any:
        y = x * 2.0
        gl.graph_break("the two halves are measured")
        return y + 1.0

    jitted = gl.jit(f)
    x = gl.ones(3, requires_grad=True)
    for function in (f, jitted):
        x.grad = None
        out = function(x)
        out.sum().backward()
        assert (out.tolist(), x.grad.tolist()) == ([3.0] * 3, [2.0] * 3)
    assert codes(jitted) == ["B208"]
    assert "the two halves are measured" in str(gl.explain(jitted))
    assert len([each for each in state_of(jitted).entries if not each.plain]) == 2


def test_is_compiling_tells_compiled_code_from_plain_python() -> None:
    def f(x: Any) -> Any:
        if gl.is_compiling():
            return x + 1.0
        return x - 1.0

    assert f(np.zeros(2)).tolist() == [-1.0, -1.0]
    assert gl.jit(f)(np.zeros(2)).tolist() == [1.0, 1.0]
    assert not gl.is_compiling()


@pytest.mark.parametrize("make", [np.ones, gl.ones], ids=["arrays", "tensors"])
def test_a_size_that_is_marked_is_compiled_once(make: Any) -> None:
    f = gl.jit(lambda x: (x * 2.0).sum(1))
    for size in (5, 7, 9):
        x = make((size, 3))
        gl.mark_dynamic(x, 0)
        assert f(x).shape == (size,)
    assert gl.explain(f).compiles == 1
    f(make((11, 3)))  # which is not marked, and fits
    assert gl.explain(f).compiles == 1
    f(make((5, 4)))  # the other axis is not marked
    assert gl.explain(f).compiles == 2
    g = gl.jit(lambda x: x + 1.0)
    for size in (5, 7):
        g(make((size, 3)))
    assert gl.explain(g).compiles == 2


def test_marks_of_several_axes_and_of_what_has_none() -> None:
    f = gl.jit(lambda x: x.T * 2.0)
    for shape in ((2, 3), (4, 5)):
        x = gl.ones(*shape)
        gl.mark_dynamic(x)
        assert f(x).shape == shape[::-1]
    assert gl.explain(f).compiles == 1
    y = gl.ones(2, 3, 4)
    gl.mark_dynamic(y, [0, -1])
    assert gl.jit(lambda y: y * 2.0)(y).shape == (2, 3, 4)
    with pytest.raises(IndexError, match="dim = 3 for an array with 3 axes"):
        gl.mark_dynamic(y, 3)
    with pytest.raises(TypeError, match="takes an array or a tensor, not a value of type list"):
        gl.mark_dynamic([1.0])
    with pytest.raises(IndexError, match="dim = 0 for an array with 0 axes"):
        gl.mark_dynamic(gl.ones(()), 0)
