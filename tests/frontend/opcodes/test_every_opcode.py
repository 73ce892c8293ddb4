"""Every instruction of the running version is met in a trace: it is evaluated, or breaks as the table says."""

from __future__ import annotations

import dataclasses
import sys
import textwrap
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from frontend.opcodes.cases import CASES, PRELUDE
from oracle import under

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.bytecode.decode import decode
from guardlift.frontend.bytecode.versions.opcodes import OPCODES
from guardlift.frontend.opcodes import REFUSED, TABLE

HERE = OPCODES[sys.version_info.minor]


def test_every_instruction_has_a_case_and_every_case_an_instruction() -> None:
    assert CASES.keys() == frozenset().union(*OPCODES.values())


def function_of(name: str) -> Any:
    header = 'def f(x, pair=(1, 2), table={"a": 1}, n=2, t="ab"):\n'
    namespace: dict[str, Any] = {"__name__": "cases", "np": np, "gl": gl}
    exec(compile(PRELUDE + header + textwrap.indent(CASES[name], "    "), f"<{name}>", "exec"), namespace)
    return namespace["f"]


def names_in(function: Any) -> set[str]:
    """The instructions of a function, of what is defined in it, and of the helpers that it calls."""
    helpers = (value for value in function.__globals__.values() if isinstance(value, (types.FunctionType, type)))
    codes = [function.__code__]
    for helper in helpers:
        if helper.__name__ in function.__code__.co_names:
            methods = vars(helper).values() if isinstance(helper, type) else (helper,)
            codes += [each.__code__ for each in methods if isinstance(each, types.FunctionType)]
    return {each.name for code in codes for inner in nested(code) for each in decode(inner).instructions}


def nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from nested(each)


def outcome(function: Any) -> Any:
    x = np.array([1.5, -2.0, 0.25, 4.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr((function(x), x))
        except Exception as error:
            return type(error), str(error)


@pytest.mark.parametrize("name", sorted(HERE))
def test_an_instruction_is_evaluated_or_breaks_as_the_table_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = function_of(name)
    assert name in names_in(function), sorted(names_in(function))
    expected = outcome(function_of(name))
    with under("reference"):
        if name not in REFUSED:
            met: list[object] = []
            entry = TABLE[name]

            def handler(*args: Any) -> Any:
                met.append(name)
                return entry.handler(*args)

            monkeypatch.setitem(TABLE, name, dataclasses.replace(entry, handler=handler))
            jitted = gl.jit(fullgraph=True)(function)
            found = outcome(jitted)
            before = next(
                (each for each in names_in(function) & REFUSED.keys() if f"instruction {each}." in str(found)), ""
            )
            if before:
                pytest.skip(f"{before}, which is refused, comes before it")
            assert [found, outcome(jitted)] == [expected, outcome(function_of(name))] and met
            assert {event.break_code for event in state_of(jitted).history} <= {"", "B304"}
            return
        jitted = gl.jit(function)
        assert outcome(jitted) == expected
        breaks = [each.break_code for each in state_of(jitted).history if each.kind == "break"]
        assert breaks[0] == REFUSED[name][0].code
