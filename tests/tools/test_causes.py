"""Causes: what is told of many recompiles at once."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

import guardlift as gl
from guardlift.core.events import LIMIT, RECOMPILE, Event, Reason, listening
from guardlift.tools.causes import causes

X = np.ones(3)


def test_recompiles_of_one_expression_are_one_cause_with_the_chain_of_its_values() -> None:
    @gl.jit
    def total(history):  # type: ignore[no-untyped-def]
        result = history[0] * 0.0
        for each in history:
            result = result + each
        return result

    for length in range(1, 6):
        total([X] * length)
    (cause,) = causes(gl.explain(total).events)
    assert (cause.expression, cause.chain, cause.recompiles, cause.compiles) == ("len(history)", "1 → 2 → … → 5", 4, 5)
    assert cause.saved == 3 and 0 < cause.saved_seconds < cause.seconds
    ((place, count),) = cause.sites
    assert place[0] == __file__ and place[2] == "total([X] * length)" and count == 4
    assert cause.called_from[0] == place


def test_what_one_argument_brought_about_at_two_places_is_one_cause_with_two_sites() -> None:
    @gl.jit
    def scaled(x, rate):  # type: ignore[no-untyped-def]
        return x * rate

    scaled(X, 1)
    scaled(X, 0.5)
    scaled(X, np.float32(2))
    (cause,) = causes(gl.explain(scaled).events)
    assert [place[2] for place, _ in cause.sites] == ["scaled(X, 0.5)", "scaled(X, np.float32(2))"]
    assert cause.site_chains == ("int → float", "float → np.float32")
    assert cause.edit == "pass float(rate)" and [edit.new for edit in cause.edits] == [
        "scaled(X, 1.0)", "scaled(X, float(np.float32(2)))",
    ]  # fmt: skip


def test_places_that_called_with_the_same_values_have_no_chains_of_their_own() -> None:
    @gl.jit
    def total(x, n):  # type: ignore[no-untyped-def]
        return x.reshape(n, -1).sum()

    events: list[Event] = []
    with listening(events.append):
        total(X, 1)
        total(X, 3)
        gl.testing.forget(total)
        total(X, 1)
        total(X, 3)
    (cause,) = causes(events)
    assert len(cause.sites) == 2 and cause.site_chains == ()


def test_a_cause_names_the_line_that_changed_what_the_function_relied_on() -> None:
    layer = gl.nn.Linear(2, 2)

    @gl.jit
    def step(x):  # type: ignore[no-untyped-def]
        layer(x).sum().backward()

    x = gl.ones(1, 2)
    step(x)
    layer.requires_grad_(False)
    layer.weight.requires_grad_(True)
    step(x)
    (cause,) = causes(gl.explain(step).events)
    assert cause.done_at[0] == __file__ and cause.done_at[2] == "layer.requires_grad_(False)"


def test_functions_that_a_factory_makes_are_told_as_one() -> None:
    events: list[Event] = []

    def made(factor: float) -> Any:
        @gl.jit
        def scaled(x):  # type: ignore[no-untyped-def]
            return x * factor

        return scaled

    with listening(events.append):
        for factor in (2.0, 3.0, 4.0):
            function = made(factor)
            function(X)
            function(X.astype(np.float32))
    (cause,) = causes(events)
    assert (cause.recompiles, cause.chain) == (3, "float64 → float32")


def test_calls_beyond_the_limit_are_counted_also_those_whose_reasons_are_not_told() -> None:
    events: list[Event] = []

    @gl.jit
    def named(x, name):  # type: ignore[no-untyped-def]
        return x * len(name) if name.startswith("u") else x

    with listening(events.append), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(gl.config.entry_limit + 60):
            named(X, f"u{k}")
    (cause,) = causes(events)
    assert cause.expression == "name" and cause.recompiles + cause.plain_calls == gl.config.entry_limit + 59
    assert cause.plain_calls > 50 and "what runs depends on name" in cause.no_edit and cause.saved == 0


def test_the_dearest_cause_comes_first_and_a_miss_goes_to_the_cause_that_is_there_already() -> None:
    def miss(seconds: float, *failures: Reason, kind: str = RECOMPILE) -> Event:
        return Event(kind, "f", "a.py", 1, seconds=seconds, failures=failures, defined=("a.py", 1))

    def failed(entry: int, expression: str) -> Reason:
        return Reason(entry, "equality", expression, "", "", "1", "2")

    told = causes([miss(0.1, failed(0, "n")), miss(0.5, failed(1, "k"), failed(0, "n")), miss(0.9, failed(0, "m"))])
    assert [(each.expression, each.recompiles) for each in told] == [("m", 1), ("n", 2)]
    assert causes([miss(0.0, failed(0, "n"), kind=LIMIT)])[0].plain_calls == 1
    assert causes([]) == ()


def test_a_break_that_another_one_caused_is_told_under_it() -> None:
    w = gl.ones(3, requires_grad=True)

    @gl.jit
    def step(x):  # type: ignore[no-untyped-def]
        y = w * x
        print(end="")
        loss = y.sum()
        loss.backward()
        return loss.detach()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        step(gl.ones(3))
    (cause,) = (each for each in causes(gl.explain(step).events) if each.code == "B201")
    assert cause.kind == "break" and cause.at[2] == 'print(end="")'
    assert len(cause.led_to) == 1 and "backward()" in cause.led_to[0]
    assert not [each for each in causes(gl.explain(step).events) if each.code == "B409"]


def test_what_python_made_behind_a_break_is_named_by_what_was_written(monkeypatch, tmp_path) -> None:
    sweet = str(tmp_path / "sweet")

    @gl.jit
    def flavoured(x):  # type: ignore[no-untyped-def]
        if os.path.abspath("sweet") == sweet:
            return x * 2
        return np.log(x) * 2

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        flavoured(X)
        monkeypatch.chdir(tmp_path)
        flavoured(X)
    told = {each.kind: each for each in causes(gl.explain(flavoured).events)}
    assert told["recompile"].expression == 'os.path.abspath("sweet")'
    assert told["break"].at[0] == __file__ and "os.path.abspath" in told["break"].at[2]  # not in the standard library


def test_a_variable_of_the_environment_is_named_as_text(monkeypatch) -> None:
    monkeypatch.delenv("GUARDLIFT_FLAVOUR", raising=False)
    flavoured = gl.jit(lambda x: x * 2 if os.environ.get("GUARDLIFT_FLAVOUR") == "sweet" else np.log(x))
    flavoured(X)
    monkeypatch.setenv("GUARDLIFT_FLAVOUR", "sweet")
    np.testing.assert_array_equal(flavoured(X), X * 2)
    (cause,) = causes(gl.explain(flavoured).events)
    assert cause.kind == "recompile" and cause.expression == "'GUARDLIFT_FLAVOUR' in os.environ"
