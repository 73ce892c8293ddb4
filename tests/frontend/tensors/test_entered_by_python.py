"""Contexts that compiled code does not enter: one cause is told once, in the user's line."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from frontend.tensors.scenario import interpreted

import guardlift as gl
from guardlift import nn, optim
from guardlift.autograd import graph

WRITTEN = io.StringIO()


@contextlib.contextmanager
def announced() -> Iterator[None]:
    print("begin", file=WRITTEN)
    yield
    print("end", file=WRITTEN)


class Announced:
    """A context manager whose ends break the graph."""

    def __enter__(self) -> None:
        print("begin", file=WRITTEN)

    def __exit__(self, *_: object) -> None:
        print("end", file=WRITTEN)


CONTEXTS: dict[str, tuple[Callable[[], Any], str]] = {
    "hooks that are not marked": (lambda: graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t / 2), "B410"),
    "save_on_cpu": (graph.save_on_cpu, "B209"),
    "disable_saved_tensors_hooks": (lambda: graph.disable_saved_tensors_hooks("none here"), "B209"),
    "detect_anomaly": (lambda: gl.autograd.detect_anomaly(check_nan=False), "B209"),
    "chdir": (lambda: contextlib.chdir("."), "B209"),
    "a generator's": (announced, "B201"),
}
"""A function that makes each context, and the code of the one break that is told of."""
PLAIN_INSIDE = ("hooks that are not marked", "save_on_cpu", "detect_anomaly")
"""Contexts that are told of each operation, so that Python runs them one by one."""


def step_with(context: Callable[[], Any]) -> Callable[..., Any]:
    """A training step whose forward is inside a context."""

    def step(model: Any, optimizer: Any, x: Any) -> Any:
        optimizer.zero_grad()
        with context():
            loss = model(x).square().sum()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def world() -> tuple[Any, Any]:
    """A model and its optimizer."""
    gl.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    return model, optim.SGD(model.parameters(), lr=0.1)


@pytest.mark.parametrize("name", CONTEXTS)
def test_one_cause_is_one_break(name: str) -> None:
    context, code = CONTEXTS[name]
    step, x = step_with(context), gl.linspace(-1, 1, 12).reshape(3, 4)
    fast, plain, jitted = gl.jit(step), world(), world()
    with warnings.catch_warnings(record=True) as told, interpreted():
        warnings.simplefilter("always")
        for _ in range(3):
            assert gl.allclose(step(*plain, x), fast(*jitted, x), rtol=1e-6)
    (found,) = gl.explain(fast).breaks
    assert found.code == code and found.file == __file__
    told = [each for each in told if issubclass(each.category, gl.GraphBreakWarning)]
    assert len(told) == (name in PLAIN_INSIDE), list(map(str, told))
    for each in told:
        assert code in str(each.message) and each.filename == __file__


def test_a_context_of_the_users_tells_of_his_own_lines() -> None:
    fast = gl.jit(step_with(Announced))
    with interpreted():
        fast(*world(), gl.ones(3, 4))
    assert {each.source for each in gl.explain(fast).breaks} == {
        'print("begin", file=WRITTEN)',
        'print("end", file=WRITTEN)',
    }


def test_an_error_inside_leaves_a_context_that_python_entered() -> None:
    def step(model: Any, x: Any) -> Any:
        with announced():
            y = model(x)
            if y.sum() > -1e9:
                raise ValueError("too large")
        return y

    fast, (model, _) = gl.jit(step), world()
    for each in (step, fast, fast):
        WRITTEN.truncate(0)
        with pytest.raises(ValueError, match="too large"), interpreted():
            each(model, gl.ones(3, 4))
        assert "begin" in WRITTEN.getvalue() and "end" not in WRITTEN.getvalue()
