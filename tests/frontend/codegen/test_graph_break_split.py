"""Graph breaks inside a function: compiled code up to the break, the instruction by Python, compiled code again."""

from __future__ import annotations

import contextlib
import sys
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import Report, check, under

import guardlift as gl
from guardlift.core.events import listening
from guardlift.frontend import state_of

X = np.array([1.5, -2.0, 0.25, 4.0])
SAID: list[Any] = []


def say(*values: Any) -> None:
    """Stands for printing: an unknown call with an effect."""
    SAID.extend(values)


say = np.vectorize(say, otypes=[object])  # type: ignore[assignment]  # no Python function, so it is not inlined


def split(function: Callable[..., Any], *args: Any, **options: Any) -> Report:
    """`function` must break the graph, compile around it, and give what Python gives."""
    report = check(function, *args, backend="reference", calls=3, **options)
    assert report.breaks and report.compiles, report.events
    return report


def graphs(report: Report) -> list[int]:
    """The number of operations in each graph."""
    return [len(entry.details["graph"].nodes) for entry in report.entries if "graph" in entry.details]


def test_what_lies_before_and_behind_a_call_is_compiled() -> None:
    def function(x: Any) -> Any:
        y = x * 2
        say("between")
        return y + 1

    report = split(function, X)
    assert graphs(report) == [2, 2] and report.breaks == ["B401"]


@pytest.mark.spec("S8.07")
def test_three_branches_on_data_make_seven_graphs() -> None:
    def function(x: Any) -> Any:
        if x.sum() > 0:
            x = x + 1.0
        else:
            x = x - 1.0
        if x.max() > 3:
            x = x * 2.0
        else:
            x = x * 3.0
        if x.min() > 0:
            x = x / 2.0
        else:
            x = x / 4.0
        return x

    jitted = gl.jit(function)
    values = (-9.0, -3.0, -1.0, 0.5, 2.5, 9.0)
    rows = [np.array([a, b, c, d]) for a in values for b in values for c in (-1.0, 2.0) for d in (-9.0, 0.0, 9.0)]
    with under("reference"):
        for row in rows:
            np.testing.assert_array_equal(jitted(row.copy()), function(row.copy()))
    state = state_of(jitted)
    assert state is not None
    assert len([entry for entry in state.entries if not entry.plain]) == 7
    assert len({event.line for event in state.history if event.kind == "break"}) == 3


@pytest.mark.spec("S8.07")
def test_a_loop_with_a_break_inside_compiles_its_body_once() -> None:
    def function(x: Any, n: int) -> Any:
        total = x * 0
        for k in range(n):
            total = total + x * k
            say(k)
            if total.sum() > 5:
                total = total - 1.0
        return total * 2

    report = split(function, X, 9)
    assert report.compiles <= 6, report.events


def test_a_loop_over_a_list_a_dict_a_zip_and_a_generator_goes_on() -> None:
    def function(x: Any, items: list[float], table: dict[str, float]) -> Any:
        for each in items:
            x = x + each
            say(each)
        for name, value in table.items():
            x = x * value
            say(name)
        for each, name in zip(items, table, strict=False):
            x = x - each
            say(name)
        for each in (y * 2 for y in items):
            x = x + each
            say(each)
        return x

    split(function, X, [1.0, 2.0, 3.0], {"a": 2.0, "b": 3.0})


def test_the_stack_is_carried_over() -> None:
    def function(x: Any) -> Any:
        return np.add(x * 2, [say(1), x.sum()][1]) + (x - 1) * len([say(2)])

    split(function, X)


def test_displays_that_are_built_in_steps_around_breaks() -> None:
    def listed(x: Any) -> Any:
        return [*[x], print(end=""), *[x + 1, 2], print(end=""), x.shape, *[3]], {
            "a": x,
            "b": print(end=""),
            "c": x + 2,
            "d": print(end=""),
        }

    def long(x: Any) -> Any:  # more than 30 elements are appended one by one
        return (
            print(end=""), x, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, print(end=""), 18, 19, 20, 21, 22,
            x + 1, 25, 26, 27, 28, 29, 30, 31, 32, print(end=""), 34,
        )  # fmt: skip

    for function in (listed, long):
        split(function, X)


def test_break_continue_else_and_nested_loops() -> None:
    def function(x: Any, n: int) -> Any:
        for a in range(n):
            for b in range(n):
                x = x + a * b
                if x.sum() > 20:
                    break
                if b == 1:
                    continue
                say(b)
            else:
                x = x * 1.5
            while x.sum() < 10:
                x = x + 1
        return x, a

    split(function, X, 4)


def test_locals_bound_on_one_path_only() -> None:
    def function(x: Any) -> Any:
        if x.sum() > 0:
            extra = x + 1
        say("here")
        if x.sum() > 100:
            return extra
        y = x * 2
        del x
        say("there")
        return y

    split(function, X)
    split(function, -X)


def test_a_variable_that_is_not_bound_raises_as_in_python() -> None:
    def function(x: Any) -> Any:
        if x.sum() > 100:
            extra = x + 1
        say("here")
        return extra + x

    check(function, X, backend="reference")


@pytest.mark.spec("S8.04")
def test_a_break_inside_a_context_leaves_it_in_force() -> None:
    seen: list[Any] = []

    @contextlib.contextmanager
    def noted(name: str) -> Iterator[str]:
        seen.append(name)
        try:
            yield name
        finally:
            seen.append("left")

    def function(x: Any) -> Any:
        y = x * 2
        with noted("a") as name:
            y = y + 1
            say(name)
            y = y * 3
        return y - 1

    split(function, X)

    def raising(x: Any) -> Any:
        with noted("b"):
            y = x + 1
            say("x")
            raise ValueError(str(y.shape))

    check(raising, X, backend="reference")


@pytest.mark.spec("S8.04")
def test_a_break_inside_a_grad_mode_block_keeps_the_mode() -> None:
    @gl.jit
    def function(x: Any) -> Any:
        with gl.no_grad():
            y = x * 2
            say("mode")
            z = y * x
            inside = gl.is_grad_enabled()
        return z, inside, gl.is_grad_enabled(), x * 3

    for _ in range(3):
        z, inside, outside, last = function(gl.tensor([1.0, 2.0], requires_grad=True))
        assert (inside, outside, z.requires_grad, last.requires_grad) == (False, True, False, True)
        assert z.tolist() == [2.0, 8.0] and gl.is_grad_enabled()


def test_handlers_of_the_body_catch_what_a_later_part_raises() -> None:
    def function(x: Any, table: dict[str, float]) -> Any:
        y = x * 2
        try:
            say("in")
            y = y + 1
            y = y * table["missing"]
        except KeyError as error:
            y = y - 5
            say(str(error))
        finally:
            y = y / 2
        return y + 1

    split(function, X, {"a": 1.0})


def test_cells_are_shared_with_closures_made_before_and_after() -> None:
    def function(x: Any) -> Any:
        scale = 2.0

        def scaled(y: Any) -> Any:
            return y * scale

        first = scaled(x)
        say("between")
        scale = 3.0
        second = scaled(x)
        say("again")
        return first, second, scale, scaled(x)

    split(function, X)


def test_views_and_aliases_stay_such() -> None:
    def function(x: Any, y: Any) -> Any:
        made = x * 2
        part = made[1:3]
        alias = made
        own = y[::2]
        say("between")
        part += 10
        own *= 2
        say("again")
        alias[0] = -1
        return made, part, alias is made, own, y

    split(function, X, X.copy())


def test_a_callee_that_breaks_is_compiled_for_itself() -> None:
    def inner(x: Any) -> Any:
        y = x + 1
        say("inside")
        return y * 2

    def function(x: Any) -> Any:
        y = x * 3
        z = inner(y)
        return z - 1

    def functions(call: Callable[[], Any]) -> set[str]:
        events: list[Any] = []
        with listening(events.append):
            call()
        return {event.function.rpartition(".")[2] for event in events if event.kind == "compile"}

    jitted = gl.jit(function)
    assert functions(lambda: jitted(X)) == {"function", "inner"}
    np.testing.assert_array_equal(jitted(X), function(X))


def test_tracebacks_show_the_users_frames_and_lines() -> None:
    def function(x: Any, n: Any) -> Any:
        y = x * 2
        say("hi")
        z = y + 1
        say(n.missing)
        return z

    jitted = gl.jit(function)
    found = []
    for call in (function, jitted, jitted, jitted):
        with pytest.raises(AttributeError) as caught:
            call(X, 3)
        found.append([(frame.name, frame.lineno) for frame in traceback.extract_tb(caught.value.__traceback__)][1:])
    assert found == [found[0]] * 4


def test_fullgraph_refuses_the_first_break_with_the_line() -> None:
    def function(x: Any) -> Any:
        y = x * 2
        say("hi")
        return y

    with pytest.raises(gl.Unsupported, match=r'say\("hi"\)'):
        gl.jit(function, fullgraph=True)(X)


def test_effects_come_in_the_order_of_the_program() -> None:
    class Counter:
        def __init__(self) -> None:
            self.value = 0

    def function(x: Any, counter: Any, out: list[Any]) -> Any:
        counter.value += 1
        x[0] = counter.value
        say(counter.value, x.copy())
        counter.value += 1
        out.append(x * 2)
        say(counter.value, len(out))
        x[1] = counter.value
        return x

    SAID.clear()
    function(X.copy(), Counter(), [])
    expected = list(map(str, SAID))
    jitted = gl.jit(function)
    for _ in range(3):
        SAID.clear()
        jitted(X.copy(), Counter(), [])
        assert list(map(str, SAID)) == expected


def test_a_function_with_dozens_of_breaks_is_compiled_over_several_calls() -> None:
    lines = "".join(f"    x = x + {k}\n    say(x)\n" for k in range(30))
    namespace: dict[str, Any] = {"say": say}
    exec(f"def function(x):\n{lines}    return x", namespace)
    function = namespace["function"]
    jitted = gl.jit(function)
    with under("reference"):
        for _ in range(5):
            np.testing.assert_array_equal(jitted(X), function(X))
    state = state_of(jitted)
    assert state is not None and sum(not entry.plain for entry in state.entries) == 30


def test_no_exception_is_left_being_handled() -> None:
    class Swallowing:
        def __enter__(self) -> Any:
            say("in")
            return self

        def __exit__(self, *error: Any) -> bool:
            say("out")
            return True

    def function(x: Any, table: dict[str, float]) -> Any:
        with Swallowing():
            x = x + 1
            say(table["missing"])
        y = x * 2
        try:
            say(table["missing"])
        except KeyError:
            say("caught")
            y = y + 1
        return y, sys.exc_info()

    split(function, X, {"a": 1.0})
    assert sys.exc_info() == (None, None, None)


def test_variables_may_have_the_names_of_built_in_functions() -> None:
    def function(x: Any, type: Any, lambda_: Any, range: int) -> Any:  # noqa: A002
        y = x * range
        say(type)
        for iter in (1, 2):  # noqa: A001
            y = y + iter
            say(lambda_)
        return y, type

    split(function, X, None, 2, 3)


def test_code_that_cannot_be_put_together_leaves_the_function_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    def function(x: Any) -> Any:
        y = x * 2
        say(y)
        return y + 1

    def failing(*_: object, **__: object) -> Any:
        raise RuntimeError("a mistake")

    jitted = gl.jit(function)
    monkeypatch.setattr("guardlift.guards.code_object.assemble", failing)
    with gl.config.patch(raise_internal_errors=False), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            np.testing.assert_array_equal(jitted(X), function(X))
    state = state_of(jitted)
    assert state is not None and [each.break_code for each in state.history if each.kind == "break"][-1] == "B900"


def test_deep_stacks_and_many_variables_keep_apart() -> None:
    lines = "".join(f"    v{k} = x + {k}\n" for k in range(14))
    calls = ", ".join(f"say(v{k % 14}, {k})" for k in range(20))
    namespace: dict[str, Any] = {"say": say}
    exec(f"def function(x):\n{lines}    found = [{calls}]\n    return found, v0, v13 * 2", namespace)
    split(namespace["function"], X)


def test_arguments_that_are_cells_are_carried_over() -> None:
    def function(x: Any, scale: float, shift: float) -> Any:
        y = x * 2
        say(y)

        def moved(z: Any, by: float = 3.0) -> Any:
            return z * scale + shift + by

        say(scale)
        scale = scale + 1
        return moved(y), moved(y, by=1.0), scale

    split(function, X, 2.0, 0.5)


def test_a_comprehension_that_borrows_the_slot_of_a_cell() -> None:
    def function(x: Any, k: float) -> Any:
        def moved(z: Any) -> Any:
            return z + k

        say(k)
        found = [x * k for k in range(3)]
        say(found)
        calls = [(lambda: k) for k in range(2)]  # noqa: B023
        say(k)
        return found, moved(x), [each() for each in calls], k

    split(function, X, 2.0)


class Thing:
    """Something whose end can be seen."""


def test_objects_end_when_their_variables_do_from_the_first_call_on() -> None:
    alive: list[bool] = []
    note = np.vectorize(lambda refer: alive.append(refer() is not None), otypes=[object])  # not inlined

    def function(x: Any, given: Any, make: Any) -> Any:
        thing = make()
        refer, passed = weakref.ref(thing), weakref.ref(given)
        note(refer)
        x = x + 1
        thing = None
        del given
        note(refer)
        note(passed)
        x = x * 2
        note(refer)
        return x

    jitted = gl.jit(function)
    for _ in range(3):
        found = []
        for each in (function, jitted):
            alive.clear()
            np.testing.assert_array_equal(each(X, Thing(), Thing), (X + 1) * 2)
            found.append([*alive])
        assert found[0] == found[1] == [True, False, False, False]
    assert [event.kind for event in state_of(jitted).history].count("compile") > 1


def test_a_list_of_many_constants_does_not_make_long_code() -> None:
    def function(x: Any) -> Any:
        known = list(range(3000))
        table = dict.fromkeys(range(2000), 1.5)
        say(known, table)
        return x + 1, known, table

    report = split(function, X)
    assert max(len(entry.block) for entry in report.entries) < 5000
