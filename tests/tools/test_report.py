"""`gl.explain`: the figures, the guards, the reasons, the breaks, and the words for people."""

from __future__ import annotations

import functools
import json
import sys

import numpy as np
import pytest

import guardlift as gl
from guardlift.tools.report import Report

X = np.arange(6.0).reshape(2, 3)


def loops():
    @gl.jit
    def scale(x, n):
        for k in range(n):
            x = x + k
        return x

    return scale


def test_a_report_has_the_name_the_place_and_the_figures() -> None:
    scale = loops()
    scale(X, 1)
    scale(X, 2)
    scale(X, 2)
    report = gl.explain(scale)
    assert report.name.endswith("scale")
    assert (report.file, report.line) == (__file__, scale.__code__.co_firstlineno)
    assert (report.compiles, report.recompiles, report.limit_reached, report.breaks) == (2, 1, False, ())
    assert report.compile_seconds == sum(event.seconds for event in report.events) > 0


def test_an_entry_tells_guards_inputs_graph_and_costs() -> None:
    scale = loops()
    scale(X, 1)
    (entry,) = gl.explain(scale).entries
    assert [guard.fact for guard in entry.guards if guard.where.source == "for k in range(n):"][-1] == "n == 1"
    assert entry.inputs == ("x: float64[2, 3]",)
    (layout,) = [guard for guard in entry.guards if guard.kind == "array layout"]
    assert layout.native and layout.where.source == "x = x + k"
    assert "add" in entry.graph
    assert (len(entry.kernels), entry.steps, entry.arena_bytes) == (1, 1, 0)
    assert set(entry.seconds) >= {"trace", "passes", "lower", "kernels", "total"}
    assert entry.instructions > 5
    assert entry.microseconds_per_instruction == pytest.approx(
        entry.seconds["trace"] / entry.instructions * 1e6, abs=0.01
    )


def test_the_seconds_of_the_phases_do_not_exceed_the_total() -> None:
    scale = loops()
    scale(X, 3)
    seconds = gl.explain(scale).entries[0].seconds
    assert 0 < sum(seconds[name] for name in ("trace", "passes", "lower", "kernels")) <= seconds["total"]


@pytest.mark.spec("S7.03")
def test_a_recompile_is_explained_with_values_line_and_edit() -> None:
    scale = loops()
    scale(X, 1)
    scale(X, 2)
    text = str(gl.explain(scale))
    assert "compiled: 2 entries" in text
    assert "2 compiles, 1 recompile" in text
    assert "n was 1, now 2  (entry 0, equality)" in text
    assert "test_report.py:" in text and ": for k in range(n):" in text
    assert "no edit known: n says how many turns there are" in text


def test_the_nearest_entry_is_explained_and_the_others_are_counted() -> None:
    scale = loops()
    scale(X, 1)
    scale(X, 2)
    scale(X.astype(np.float32), 2)
    text = str(gl.explain(scale))
    assert "x.dtype was float64, now float32  (entry 1, array layout)" in text
    assert "to avoid it: pass x.astype(np.float64)" in text
    assert "(1 other entry differed in as much or more)" in text
    assert text.count("x: float64[2, 3]  ") == 1  # the second entry shares it with the first
    assert text.count("holds while, unlike entry 0,\n      n == 2  ") == 2


def test_a_string_argument_matters_where_it_is_first_read() -> None:
    @gl.jit
    def f(x, mode):
        y = x + 1
        return y * 2 if mode == "double" else y

    f(X, "double")
    f(X, "single")
    (event,) = [event for event in gl.explain(f).events if event.kind == "recompile"]
    (reason,) = event.nearest()
    assert reason.at[2] == 'return y * 2 if mode == "double" else y'
    assert reason.change() == "mode was 'double', now 'single'"


def test_a_function_that_breaks_for_some_calls_says_so_beside_its_entries() -> None:
    @gl.jit
    def f(x, y):
        x[:] = x + y

    base = np.arange(8.0)
    f(base[:4].copy(), base[4:].copy())
    f(base[:4], base[2:6])
    report = gl.explain(f)
    assert [found.what for found in report.breaks] == ["a write into x, which shares memory with y"]
    assert report.state == "compiled: 2 entries, split at 1 graph break"
    assert "x and y share no memory" in [guard.fact for guard in report.entries[0].guards]


def branches():
    @gl.jit
    def pick(x):
        if x.sum() > 0:
            return x
        return -x

    return pick


def test_a_graph_break_shows_the_line_a_caret_and_the_remedy() -> None:
    pick = branches()
    pick(X)
    report = gl.explain(pick)
    (found,) = report.breaks
    assert (found.code, found.file, found.source) == ("B101", __file__, "if x.sum() > 0:")
    assert found.source[slice(*found.columns)] == "x.sum() > 0"
    assert found.what.startswith("a branch on the value of an array")
    lines = str(report).splitlines()
    place = next(number for number, line in enumerate(lines) if line.strip() == "if x.sum() > 0:")
    assert lines[place + 1].strip() == "^" * len("x.sum() > 0")
    assert lines[place + 1].index("^") == lines[place].index("x.sum")
    assert "remedy: use np.where(condition, a, b)" in str(report)
    assert not found.whole and "Python runs this itself, compiled code the rest" in str(report)
    assert report.state.endswith("split at 1 graph break")


def test_the_caret_counts_characters_not_bytes() -> None:
    @gl.jit
    def f(ä):
        if ä.sum() > 0:
            return ä  # noqa: E701
        return -ä

    f(X)
    (found,) = gl.explain(f).breaks
    assert found.source[slice(*found.columns)] == "ä.sum() > 0"


def test_an_error_that_the_program_raises_is_an_event_and_no_break() -> None:
    @gl.jit
    def f(x):
        return x + np.zeros(5)

    with pytest.raises(ValueError, match="broadcast"):
        f(X)
    report = gl.explain(f)
    assert report.breaks == () and [event.break_code for event in report.events] == ["B304"]


@pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning")
def test_the_limit_is_in_the_state_and_its_calls_are_counted() -> None:
    scale = loops()
    with gl.config.patch(recompile_limit=2):
        for n in range(1, 6):
            assert np.array_equal(scale(X, n), scale.__wrapped__(X, n))
    report = gl.explain(scale)
    assert report.limit_reached and report.misses_over_limit == 3
    assert report.state == "limit reached: 2 entries, 3 calls that fit none of them ran as plain Python"
    assert "raise gl.config.recompile_limit (GUARDLIFT_RECOMPILE_LIMIT)" in str(report)


def test_a_function_that_was_not_called_says_so() -> None:
    report = gl.explain(loops())
    assert report.state == "not compiled: not called yet, or each call raised an error"
    assert repr(report) == "<jit scale: 0 entries, 0 recompiles, 0 breaks>"


def test_a_generator_is_left_alone_and_the_report_says_why() -> None:
    @gl.jit
    def each(x):
        yield x

    assert next(each(3)) == 3
    report = gl.explain(each)
    assert report.compiles == 0
    assert report.left_alone == "it is a generator or a coroutine; put @gl.jit on the functions that it calls"
    assert report.state.startswith("left alone, runs as plain Python: it is a generator")


def test_a_function_that_reads_its_frame_is_left_alone_and_the_report_names_what_reads_it() -> None:
    @gl.jit
    def f(x):
        return locals()

    assert "it uses locals, which may look at its frame" in gl.explain(f).left_alone


def test_a_function_decorated_while_guardlift_is_off_is_left_alone() -> None:
    with gl.config.patch(disable=True):
        scale = loops()
    assert "GUARDLIFT_DISABLE=1" in gl.explain(scale).left_alone


def test_a_report_made_while_guardlift_is_off_says_so() -> None:
    scale = loops()
    with gl.config.patch(disable=True):
        scale(X, 1)
        assert gl.explain(scale).state == "plain: gl.config.disable is on"


def test_calls_under_a_debugger_are_not_compiled_and_the_report_says_why() -> None:
    scale = loops()
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        scale(X, 1)
        scale(X, 2)
    finally:
        sys.settrace(before)
    report = gl.explain(scale)
    assert report.compiles == 0 and len(report.events) == 1
    assert report.state.startswith("plain: a debugger or coverage is active (sys.settrace)")
    assert 'gl.config.under_tracing = "jit"' in report.state


def test_methods_partials_and_decorated_forms_lead_to_the_jitted_function() -> None:
    class Model:
        @gl.jit
        def forward(self, x):
            return x + 1

        @staticmethod
        @gl.jit
        def static(x):
            return x + 1

    @functools.wraps(Model.forward)
    def decorated(*args):
        return Model.forward(*args)

    name = gl.explain(Model.forward).name
    assert gl.explain(Model().forward).name == gl.explain(functools.partial(Model.forward, 1)).name == name
    assert gl.explain(decorated).name == name
    assert gl.explain(Model.__dict__["static"]).name.endswith("static")


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (
            len,
            "not the builtin_function_or_method len; pass the function itself, as in gl.explain(f), without calling it",
        ),
        (3, "not a value of type int; pass the function itself"),
        (Report, "not the type Report; pass one of its methods that has @gl.jit"),
        (
            loops,
            "not the function loops; put @gl.jit above it, or pass the result of gl.jit(loops): the original knows",
        ),
    ],
)
def test_anything_else_is_refused_with_advice(thing: object, text: str) -> None:
    with pytest.raises(gl.NotAFunctionError) as caught:
        gl.explain(thing)
    assert str(caught.value).startswith("a function made by gl.jit is needed, ")
    assert text in str(caught.value)
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, gl.GuardliftError)


def test_the_report_is_data_too() -> None:
    scale, pick = loops(), branches()
    scale(X, 1)
    scale(X, 2)
    pick(X)
    data = json.loads(gl.explain(scale).to_json())
    assert (data["schema"], data["compiles"], data["recompiles"]) == (1, 2, 1)
    (reason,) = data["events"][1]["reasons"]
    assert (reason["expression"], reason["was"], reason["now"], reason["source"]) == (
        "n",
        "1",
        "2",
        "for k in range(n):",
    )
    assert json.loads(gl.explain(pick).to_json())["breaks"][0]["code"] == "B101"


@pytest.mark.slow
def test_a_report_keeps_nothing_of_the_function_alive() -> None:
    import gc
    import weakref

    scale = loops()
    scale(X, 1)
    report, alive = gl.explain(scale), weakref.ref(scale)
    del scale
    gc.collect()
    assert alive() is None and report.compiles == 1
