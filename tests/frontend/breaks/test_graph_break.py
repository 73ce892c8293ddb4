"""Graph breaks name the user's line, what happened there, and what to do; `fullgraph` makes them errors."""

# ruff: noqa: C416 (what is written is what is tested)

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X, plain

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.breaks import KINDS, RAISES, GraphBreak, ProgramRaised
from guardlift.graph.node import Location

TOTAL = [0]


def array_branch(x: Any) -> Any:
    y = x + 1
    if y.sum() > 0:  # here
        y = y * 2
    return y


def array_loop(x: Any) -> Any:
    while x[0] < 3:  # here
        x = x + 1
    return x


def array_value(x: Any) -> Any:
    return "abcdef"[int(x.sum())]  # here


def array_in_text(x: Any) -> Any:
    y = x * 2
    return {f"{y}": y}  # here


def data_shape(x: Any) -> Any:
    y = x * 2
    return y[np.exp(y) > 1] + 1  # here


def unknown_call(x: Any) -> Any:
    y = x + 1
    return y, memoryview(x)  # here


def unknown_function(x: Any) -> Any:
    return np.array2string(  # here
        np.outer(x, x)
    )


def instruction(x: Any) -> Any:
    class Local(dict):
        pass

    return x + len(Local.__name__)


def statement(x: Any) -> Any:
    with np.printoptions():  # here
        return x + 1


def side_effect(x: Any) -> Any:
    inner.total = x.sum()  # here
    return x + 1


def long_loop(x: Any) -> Any:
    for k in [0.5] * 1000:  # here
        x = x + k
    return x


def long_trace(x: Any) -> Any:
    k = 0
    while k < 100_000:  # here
        k += 1  # here
    return x + k


def inner(x: Any) -> Any:
    return x + 1 if x.any() else x  # here


def in_a_callee(x: Any) -> Any:
    return inner(x * 2)


CASES: list[tuple[Callable[..., Any], str]] = [
    (array_branch, "B101"),
    (array_loop, "B107"),
    (array_value, "B102"),
    (array_in_text, "B102"),
    (data_shape, "B103"),
    (unknown_call, "B201"),
    (side_effect, "B302"),
    (long_loop, "B303"),
    (long_trace, "B305"),
    (in_a_callee, "B101"),
]


def line_of(function: Callable[..., Any]) -> list[int]:
    """The lines marked `# here`, of the function or of the one it calls."""
    code = (inner if function is in_a_callee else function).__code__
    last = max(line for *_, line in code.co_lines() if line)
    numbers = range(code.co_firstlineno, last + 1)
    return [number for number in numbers if linecache.getline(__file__, number).rstrip().endswith("# here")]


@pytest.mark.spec("S8.07")
@pytest.mark.parametrize(("function", "code"), CASES, ids=lambda each: getattr(each, "__name__", each))
def test_a_break_names_the_users_line(function: Callable[..., Any], code: str) -> None:
    with gl.config.patch(trace_limit=5000, raise_internal_errors=True):
        jitted: Any = gl.jit(function)
        jitted(X.copy())
    state = state_of(jitted)
    assert state is not None
    event = next(event for event in state.history if event.kind == "break")
    assert event.break_code == code
    assert event.file == __file__ and event.line in line_of(function)
    assert f"{code} at {__file__}:{event.line}: " in event.text and "Remedy: " in event.text
    TOTAL[:] = [0]


@pytest.mark.spec("S8.07")
@pytest.mark.parametrize(("function", "code"), CASES, ids=lambda each: getattr(each, "__name__", each))
def test_fullgraph_makes_a_break_an_error_that_shows_the_line(function: Callable[..., Any], code: str) -> None:
    jitted = gl.jit(fullgraph=True)(function)
    with gl.config.patch(trace_limit=5000), pytest.raises(gl.Unsupported) as caught:
        jitted(X.copy())
    text = str(caught.value)
    message, line, *rest = text.splitlines()
    assert message.startswith(f"{code} at {__file__}:") and _advice(code, message) in message
    assert line.endswith("# here")
    if not rest:  # before 3.12 the instruction that begins a loop belongs to all lines of it
        assert function is long_loop
        return
    carets = rest[0]
    blamed = line[carets.index("^") : carets.rindex("^") + 1]
    assert blamed and blamed == blamed.strip() and "#" not in blamed


def _advice(code: str, message: str) -> str:
    """The remedy of the kind, or of the kind that the message names as the reason."""
    reason = re.search(r"because of .* \((B\d+)\)\. ", message)
    return KINDS[reason[1] if reason else code].remedy


def test_the_blamed_part_of_a_line_is_underlined() -> None:
    jitted = gl.jit(fullgraph=True)(data_shape)
    with pytest.raises(gl.Unsupported) as caught:
        jitted(X)
    assert str(caught.value).splitlines()[1:] == [
        "    return y[np.exp(y) > 1] + 1  # here",
        "           ^^^^^^^^^^^^^^^^^^^^",
    ]


def test_a_line_with_wide_letters_is_underlined_by_letters(tmp_path: Any) -> None:
    file = tmp_path / "wide.py"
    file.write_text("def f(x):\n    ä = 'äöü'; return x[x.sum(0) + x > 1] + 1\n", encoding="utf-8")
    namespace: dict[str, Any] = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    with pytest.raises(gl.Unsupported) as caught:
        gl.jit(fullgraph=True)(namespace["f"])(X)
    line, carets = str(caught.value).splitlines()[1:]
    assert line[carets.index("^") :] == "x[x.sum(0) + x > 1] + 1" == line[-carets.count("^") :]


def test_a_break_without_a_file_still_says_what_and_why() -> None:
    stop = KINDS["B201"].stop(name="g")
    assert stop.with_line() == str(stop)
    stop.location = Location("<nowhere>", 3, "f")
    assert stop.with_line() == str(stop) and "<nowhere>:3" in str(stop)


def test_statements_without_a_rule_break() -> None:
    plain(instruction, X, code="B320")
    plain(statement, X, code="B201")
    plain(unknown_function, X, code="B201")


def test_one_break_is_told_once() -> None:
    jitted: Any = gl.jit(array_branch)
    for _ in range(3):
        assert jitted(X).tolist() == array_branch(X).tolist()
    state = state_of(jitted)
    assert state is not None and [event.kind for event in state.history].count("break") == 1


def test_an_error_of_the_users_is_raised_under_fullgraph_as_it_is() -> None:
    def function(x: Any, n: int) -> Any:
        if n < 0:
            raise ValueError("n is negative")
        return x[n]

    jitted = gl.jit(fullgraph=True)(function)
    with pytest.raises(ValueError, match="n is negative"):
        jitted(X, -1)
    with pytest.raises(IndexError):
        jitted(X, 100)
    assert jitted(X, 0) == X[0]


def test_every_kind_has_a_code_a_reason_and_a_remedy() -> None:
    for code, kind in KINDS.items():
        assert code == kind.code and kind.what and kind.why and kind.remedy
        assert not kind.why.endswith(".") and not kind.remedy.endswith(".")


def test_a_break_that_is_caught_keeps_its_place() -> None:
    first, second = RAISES.stop(error="a"), GraphBreak(KINDS["B307"], (("error", "a"),))
    first.location, first.columns = Location("f.py", 3, "f"), (1, 2)
    assert second.at(first).location == first.location and second.columns == (1, 2)


def test_an_exception_that_leaves_the_trace_is_a_break_at_its_line() -> None:
    raises = ProgramRaised(ValueError("n is negative"), inside=True, in_backward=True)
    raises.location, raises.columns = Location("f.py", 3, "f"), (1, 2)
    stop = raises.as_break()
    assert (stop.kind, stop.what) == (RAISES, "the program raises ValueError: n is negative")
    assert (stop.location, stop.columns, stop.inside, stop.in_backward) == (raises.location, (1, 2), True, True)
    assert stop.as_break() is stop
    assert ProgramRaised(StopIteration(object()), "StopIteration").as_break().what == "the program raises StopIteration"


def test_a_break_is_no_exception_that_a_handler_of_the_program_gets() -> None:
    unknown = RAISES.stop(error="ValueError: in words of NumPy's own")
    assert unknown.program_raises and not isinstance(unknown, ProgramRaised)
    assert not KINDS["B307"].stop(error="a").program_raises
    assert ProgramRaised(KeyError(1)).program_raises and not issubclass(ProgramRaised, GraphBreak)


class Link:
    def __init__(self, following: Link | None) -> None:
        self.following = following
        self.weight = 2.0


def last_of(x: Any, link: Link) -> Any:
    while link.following is not None:
        link = link.following
    return x * link.weight


def test_a_path_too_long_to_be_guarded_runs_plainly() -> None:
    first = None
    for _ in range(300):
        first = Link(first)
    jitted = gl.jit(last_of)
    with pytest.warns(gl.GraphBreakWarning, match="B308"):
        assert (jitted(X, first) == last_of(X, first)).all()
    assert (jitted(X, first) == last_of(X, first)).all()
    assert not gl.explain(jitted).compiles
