"""Variables that are no identifiers: in guards, across breaks, in resumed frames, in loops, as cells, from pytest."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from odd_names import compile_with_odd_names
from oracle import Tolerance, check, check_in_turn

import guardlift as gl
from guardlift.guards.names import compile_text, name_text
from guardlift.guards.pool import Pool
from guardlift.guards.sources import Attribute, Free, Global, Local, evaluate

NAMES = ["@py_assert1", ".0", "a b", "if", "None", "__debug__", "1", "", "µ", "ﬁ", "\ud800", "x.y", name_text("@")]
X = np.array([1.5, -2.0, 0.25, 4.0])


def function_of(text: str, **names: Any) -> Callable[..., Any]:
    """The function `f` of a module, each variable ``v`` of which is called ``@v``."""
    namespace = {"np": np, **names}
    exec(compile_with_odd_names(text, "<named>"), namespace)
    function: Callable[..., Any] = namespace["f"]
    assert any(name.startswith("@") for name in (*function.__code__.co_varnames, *function.__code__.co_cellvars))
    return function


@pytest.mark.parametrize("name", [*NAMES, "x", "match", "é"], ids=ascii)
def test_a_text_reads_what_has_the_name(name: str) -> None:
    text = name_text(name)
    assert text.isidentifier() and (text == name) == (name in ("x", "match", "é"))
    pool = Pool(())
    assert [evaluate(kind(name).text(pool), {name: 5}, pool) for kind in (Local, Global, Free)] == [5, 5, 5]
    owner = type("Owner", (), {name: 6})
    assert evaluate(Attribute(Local("owner"), name).text(pool), {"owner": owner}, pool) == 6
    assert str(Local(name)) == name


def test_names_are_spelled_apart() -> None:
    assert len({name_text(name) for name in NAMES}) == len(NAMES)


def test_functions_in_a_text_have_the_names_too() -> None:
    spelled = name_text("@v")
    made = eval(compile_text(f"(lambda {spelled}: lambda: {spelled})(3)", "<text>", "eval"))
    assert made() == 3 and made.__code__.co_freevars == ("@v",)


BROKEN = {
    "across breaks": """
def f(x, k):
    a = x + 1
    print(end="")
    b = a * k
    print(end="")
    return a + b
""",
    "of every kind": """
def f(x, k):
    pair, text, table = (x, k), "n", {"u": x}
    print(end="")
    pair, old = (pair[0] + pair[1], text), table
    print(end="")
    return pair, old, text
""",
    "in a loop": """
def f(x, k):
    total, count = x * 0, 0
    for i in range(3):
        total += x * i
        if i == 1:
            print(end="")
        count = i
    return total, count, i
""",
    "as cells": """
def f(x, k):
    value = x + 1
    def add():
        nonlocal value
        value = value * k
        return value
    print(end="")
    add()
    print(end="")
    return value, add()
""",
    "in a comprehension": """
def f(x, k):
    rows = [x + i for i in range(2)]
    print(end="")
    return [row * k for row in rows], rows
""",
    "unbound": """
def f(x, k):
    message = ""
    if x.shape[0] == 2:
        late = x * 2
    y = x + k
    print(end="")
    try:
        y = y + late
    except NameError as error:
        message = str(error)
    print(end="")
    return message, y * 2
""",
    "deleted": """
def f(x, k):
    one = x + 1
    two = one * k
    print(end="")
    del one
    three = two + 1
    print(end="")
    return two, three
""",
}


@pytest.mark.parametrize("name", BROKEN)
def test_variables_live(name: str) -> None:
    function = function_of(BROKEN[name])
    rows = [(X, 2), (X[:2], 2.5), (X, 3), (X[:2], True), (X, 2)]
    report = check_in_turn(function, rows, Tolerance(), backend="reference")
    assert report.compiles >= 2 and report.breaks[0] == "B201"


def test_parameters_free_variables_and_globals() -> None:
    names = {"x": "@x", "k": "if", "outer": "@outer", "scale": "@scale"}
    body = "  y = x * k + outer\n  print(end='')\n  return y * scale\n"
    tree = ast.parse(f"def make(outer):\n def f(x, *, k):\n{body} return f")
    for each in ast.walk(tree):
        if isinstance(each, ast.Name):
            each.id = names.get(each.id, each.id)
        elif isinstance(each, ast.arg):
            each.arg = names.get(each.arg, each.arg)
    namespace: dict[str, Any] = {"@scale": 3.0}
    exec(compile(tree, "<named>", "exec"), namespace)
    for argument in (2, 2.5):
        report = check(namespace["make"](X), X, backend="reference", **{"if": argument})
        assert report.breaks == ["B201"] and report.compiles == 2


def test_an_attribute_of_a_module_of_layers() -> None:
    def function(layer: gl.nn.Linear, x: gl.Tensor) -> Any:
        setattr(layer, "a b", 3)
        return x + getattr(layer, "a b")

    layer, x = gl.nn.Linear(2, 2), gl.tensor([1.0, 2.0])
    jitted = gl.jit(fullgraph=True)(function)
    for _ in range(2):
        assert np.array_equal(jitted(layer, x).numpy(), [4.0, 5.0]) and vars(layer).pop("a b") == 3


def test_reports_show_the_name_that_the_code_has() -> None:
    jitted = gl.jit(function_of(BROKEN["across breaks"]))
    jitted(X, 2)
    jitted(X, 2.5)
    text = str(gl.explain(jitted))
    assert "@a: float64[4]" in text and "_guardlift_" not in text


@pytest.mark.slow
def test_under_pytest(tmp_path: Path) -> None:
    """Its rewritten assertions keep intermediate values in such variables, and read such globals."""
    test = tmp_path / "test_rewritten.py"
    test.write_text(
        """
import numpy as np
import pytest
import guardlift as gl
from guardlift.frontend import state_of

def function(x, n):
    y = x * n
    assert y.ndim == 1 and n > 0, f"bad {n}"
    print("between")
    assert len(y) == 4 and (y.shape, n) != ((4,), 3)
    y = y + n
    for k in range(2):
        assert k < len(y)
        print(k)
    return y

def test_it():
    assert any(name.startswith("@py_") for name in function.__code__.co_varnames)
    jitted = gl.jit(function)
    x = np.arange(4.0)
    for n in (2, 2.5, 4, 2):
        assert np.array_equal(jitted(x, n), function(x, n))
    for wrong in (-1, 3):
        with pytest.raises(AssertionError) as one:
            function(x, wrong)
        with pytest.raises(AssertionError) as two:
            jitted(x, wrong)
        assert str(one.value) == str(two.value)
    codes = {event.break_code for event in state_of(jitted).history if event.kind == "break"}
    assert "B201" in codes and "B900" not in codes, codes
    assert sum(not entry.plain for entry in state_of(jitted).entries) > 2
""",
        encoding="utf-8",
    )
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(test)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
