"""Texts with numbers that only the call knows: written behind the plan, without binding the numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl

SHOWN: list[Any] = []


@gl.disable
def show(*texts: Any) -> None:
    """A function that breaks the graph."""
    SHOWN.append(texts)


def through(text: str, *more: Any) -> None:
    """A function in between."""
    show(text, *more)


class Log:
    """A log of the user's own."""

    def write(self, text: str) -> None:
        show(text)


LOG = Log()


def to_a_break(x: Any, n: int, r: float) -> Any:
    show(f"step {n}: {x.sum().item():.3f}, {r:8.2f} {n:03d} {n} {n!s}{{}}")
    return x * 2


def through_functions(x: Any, n: int, r: float) -> Any:
    y = x.sum()
    through(f"a {n}", 3)
    LOG.write(f"b {y.item():+.2e}")
    return y


def kept_in_a_variable(x: Any, n: int, r: float) -> Any:
    text = f"c {n} {r:%}"
    y = x * 2
    show(text)
    show(text, text)
    return y


def returned(x: Any, n: int, r: float) -> Any:
    return f"{n}: {(x * 2).sum().item():g}"


def nested(x: Any, n: int, r: float) -> Any:
    show(f"{f'{n}':>5}|{n:{'>6'}}|{n:>{n}}|{True:d}")
    return x + 1


def asked(x: Any, n: int, r: float) -> Any:
    names = {"k1": 1.0, "k2": 2.0, "k3": 3.0}
    text = f"k{n}"
    chosen = names[text] if text in names else 0.0
    return x * chosen, text.upper(), len(text), text == "k1", [text], text + "!", f"{text}", text[0], sorted({text})


def changed_between(x: Any, n: int, r: float) -> Any:
    text = f"before {n}"
    n = n + 1
    show(text, f"after {n}")
    return x * n


def in_a_loop(x: Any, n: int, r: float) -> Any:
    for k in range(3):
        x = x * 2
        show(f"{k} {n} {x.sum().item():.1f}")
    return x


def by_unpacking(x: Any, n: int, r: float) -> Any:
    parts = [f"{n}", f"{x.sum().item():.1f}"]
    show(*parts)
    return x * 2, ", ".join([f"{n}"]), str.join("-", [f"{n}", "b"]), max([f"{n}", "2"]), {"key": f"{n}"}


def in_an_arm(x: Any, n: int, r: float) -> Any:
    text = "none"
    y = x * 2
    if y.sum() > 4:
        y = y / 2
        text = f"{y.sum().item():.2f} {n}"
    show(text)
    return y


PROGRAMS: list[Callable[..., Any]] = [
    *(to_a_break, through_functions, kept_in_a_variable, returned, nested, asked, changed_between, in_a_loop),
    *(by_unpacking, in_an_arm),
]


@pytest.mark.parametrize("make", [np.ones, gl.ones], ids=["arrays", "tensors"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_texts_are_those_of_python(program: Callable[..., Any], make: Any) -> None:
    jitted = gl.jit(program)
    for n, r in ((1, 0.5), (2, -1.25), (3, 1e9), (1, 0.5)):
        found = []
        for function in (program, jitted):
            SHOWN.clear()
            result = function(make(4), n, r)
            found.append((str(result), [str(each) for each in SHOWN]))
        assert found[0] == found[1]


@pytest.mark.parametrize("program", [to_a_break, through_functions, kept_in_a_variable, returned])
def test_a_number_in_a_text_is_not_bound(program: Callable[..., Any]) -> None:
    jitted = gl.jit(program)
    jitted(gl.ones(4), 1, 0.5)
    jitted(gl.ones(4), 2, 0.5)
    with gl.testing.no_recompiles(of=jitted):
        for n in range(3, 8):
            jitted(gl.ones(4), n, 0.5 + n)


class Counter:
    """An object with a number that its step changes behind a text with it."""

    def __init__(self) -> None:
        self.count, self.rate, self.held, self.listed = 0, 0.5, {"n": 1}, [3]

    def step(self, x: Any) -> Any:
        texts = f"{self.count} {self.rate:.2f}", f"{self.held['n']}", f"{self.listed[0]}"
        self.count += 1
        self.rate = self.rate * 0.5
        self.held["n"] += 1
        self.listed[0] = self.listed[0] + 1
        y = x * 2
        show(*texts)
        return y + self.count, texts[0], f"{self.count} {y.sum().item():.1f}"


def test_a_text_shows_what_a_number_was_where_it_was_written() -> None:
    found = []
    for function in (Counter().step, gl.jit(Counter().step)):
        SHOWN.clear()
        results = [str(function(gl.ones(3))) for _ in range(4)]
        found.append((results, list(SHOWN)))
    assert found[0] == found[1]


def test_a_specification_that_does_not_fit_is_pythons_error() -> None:
    def f(x: Any, n: Any) -> Any:
        return x * 2, f"{n:d}"

    for function in (f, gl.jit(f)):
        assert function(np.ones(2), 3)[1] == "3"
        with pytest.raises(ValueError, match="Unknown format code 'd' for object of type 'float'"):
            function(np.ones(2), 3.5)


def test_a_print_of_the_loss_is_one_break() -> None:
    @gl.jit
    def f(x: Any, n: int) -> Any:
        loss = (x * x).mean()
        through(f"step {n}: loss {loss.item():.4f}")
        return loss * 2

    for n in range(4):
        f(gl.ones(3), n)
    assert [each.code for each in gl.explain(f).breaks] == ["B207"]
    assert gl.explain(f).compiles == 2
