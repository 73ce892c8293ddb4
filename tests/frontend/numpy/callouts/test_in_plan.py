"""Calls of NumPy from within plans: their order among writes, what they raise and warn of, results of other forms."""

from __future__ import annotations

import threading
import warnings

import numpy as np
import pytest
from oracle import check

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.numpy.callouts import forms
from guardlift.graph.parser import parse_graph
from guardlift.graph.printer import print_graph

LINE = np.array([3.0, -1.0, 2.5, 0.0, 7.0, -4.0])


def test_they_come_between_writes_where_the_program_has_them() -> None:
    def f(x):
        sorted_ = np.sort(x)[::-1].copy()
        x[:] = 0
        again = np.sort(x + sorted_)
        x += again
        return sorted_, again

    check(f, LINE, expect="compiled")
    check(f, np.arange(80.0).reshape(8, 10)[::-1, 2], expect="compiled")


def test_what_they_raise_comes_from_python_with_earlier_writes_kept() -> None:
    def f(x, i):
        x[0] = 7
        picked = np.choose(i, [x, x * 2])
        x[1] = 9
        return picked

    within, outside = np.array([0, 1, 0, 1, 1, 0]), np.array([0, 1, 0, 5, 1, 0])
    assert "call_out" in check(f, LINE, within, expect="compiled").op_names
    jitted, x = gl.jit(f), LINE.copy()
    jitted(x, within)
    with pytest.raises(ValueError, match="invalid entry in choice array"):
        jitted(x, outside)
    check(f, LINE, outside)


def test_they_warn_in_the_users_line() -> None:
    def f(x):
        return np.histogram(x, 4), np.polyfit(np.ones(3), np.ones(3), 1) + x.sum()

    check(f, np.array([True, False]), expect="compiled")
    jitted = gl.jit(lambda x: np.nanmean(x * np.nan))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        jitted(LINE)
    assert [(each.filename, str(each.message)) for each in caught] == [(__file__, "Mean of empty slice")]
    with warnings.catch_warnings(), pytest.raises(RuntimeWarning, match="Mean of empty slice"):
        warnings.simplefilter("error")
        jitted(LINE)


def test_a_number_from_outside_is_an_operand() -> None:
    def f(x, q):
        return np.percentile(x, q), np.interp(q, x, x + 1)

    jitted = gl.jit(f)
    for q in (1.0, 2.0, 50.0):
        assert jitted(LINE, q) == f(LINE, q)
    state = state_of(jitted)
    assert state is not None and len(state.entries) == 1


def test_a_result_of_another_form_than_foreseen_is_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = forms._form_for_stand_ins
    monkeypatch.setattr(forms, "_form_for_stand_ins", lambda f, a, k, t: (*kept(f, a, k, t)[:2], (2,), (1,)))
    check(lambda x: np.sort(x), LINE)
    jitted = gl.jit(lambda x: np.sort(x))
    assert np.array_equal(jitted(LINE), np.sort(LINE))
    state = state_of(jitted)
    assert state is not None and [entry.plain for entry in state.entries] == [False]


def test_results_that_are_views_or_the_same_array() -> None:
    def f(x):
        rows, columns = np.diag_indices(3)
        one, two = np.unravel_index(np.array([0, 3, 5]), (2, 3))
        one += 1
        return rows is columns, rows, one, two, np.median(x.reshape(2, 3), axis=1, keepdims=True), np.resize(x, (2, 4))

    check(f, LINE, expect="compiled")


def test_views_that_only_numpy_makes_see_later_writes() -> None:
    def f(x, v):
        diagonal, wide = np.diagonal(x), np.broadcast_to(v, (2, 6))
        pair = np.broadcast_arrays(v[:2, None], v[:3])
        x[0, 0] = v[1] = 50
        return diagonal + 1, diagonal, wide.sum(axis=0), wide, pair[0].sum()

    check(f, np.arange(9.0).reshape(3, 3), LINE, expect="compiled")


def test_functions_that_write_into_an_array() -> None:
    def f(x, m):
        x.sort()
        np.put(m, [0, 5], x[:2])
        np.fill_diagonal(m, 9)
        np.copyto(m[0], x[:3])
        np.maximum.at(x, np.array([1, 1]), 100.0)
        return np.cumsum(x, out=x[:]), m.tolist()

    check(f, LINE, np.zeros((3, 3)), expect=None)
    assert check(lambda x: x.sort(), LINE, expect="compiled").results == [None, None]


def test_without_elements() -> None:
    check(lambda x: (np.sort(x[:0]), np.cumsum(x[:0]), np.repeat(x, 0), np.median(x)), LINE, expect="compiled")


def test_in_several_threads() -> None:
    @gl.jit
    def f(x):
        return np.sort(x * 2).sum() + np.cumsum(x)[-1]

    numbers = np.random.default_rng(1).normal(size=40_000)
    want, found = f(numbers), []
    threads = [threading.Thread(target=lambda: found.extend(f(numbers) for _ in range(5))) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [want] * 20


def test_shapes_that_depend_on_data_break_by_name() -> None:
    counts = np.array([1, 0, 2, 2, 1, 1])
    assert check(lambda x: np.unique(x), counts).breaks[0] == "B103"
    assert check(lambda x: np.repeat(LINE, x), counts).breaks
    assert check(lambda x: np.delete(LINE, x), counts).breaks


def test_a_function_of_the_users_own_under_numpys_name_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    sort = np.sort
    monkeypatch.setattr(np, "sort", lambda x: 1 / 0)
    jitted = gl.jit(lambda x: sort(x))
    assert np.array_equal(jitted(LINE), sort(LINE))


def test_graphs_with_call_outs_parse_back() -> None:
    jitted = gl.jit(lambda x: np.histogram(x, bins=[0, 1, 2.5], density=True))
    jitted(LINE)
    state = state_of(jitted)
    assert state is not None
    graph = state.entries[0].details["graph"]
    text = print_graph(graph)
    assert "call_out" in text and print_graph(parse_graph(text)) == text


ONCE = [
    expression
    for expression in (
        "np.sort(x), np.argsort(x), np.median(x), np.percentile(x, 30), np.nanmedian(x), np.nanmedian(m, axis=0), "
        "np.nanmean(m, axis=0), np.nanpercentile(m, [10, 50]), np.nanquantile(m, [0.1, 0.5], axis=0), np.cumsum(x), "
        "np.histogram(x, 3), np.interp(x, x, x), np.polyfit(x, x, 1), np.cov(m), np.linalg.inv(s), np.linalg.qr(s), "
        "np.linalg.lstsq(m.T, x[:4], rcond=None), np.fft.rfft(x), np.convolve(x, x), np.real_if_close(x + 0j), "
        "np.nan_to_num(x), np.unwrap(x), np.gradient(x), np.trapezoid(x), np.kron(x, x), np.roll(x, 1)"
    ).split("), ")
    for expression in [expression if expression.endswith(")") else expression + ")"]
]


@pytest.mark.parametrize("value", [np.nan, 0.0, 2.5])
def test_what_is_called_out_runs_once_whatever_it_is_given(value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    from guardlift.frontend.numpy.callouts import names

    calls: list[str] = []
    world = {"x": LINE, "m": np.arange(12.0).reshape(3, 4), "s": np.eye(3)}
    edge = {"x": np.full(6, value), "m": np.full((3, 4), value), "s": np.eye(3) * (value if value == value else 2.0)}
    for expression in ONCE:
        name = expression.partition("(")[0].removeprefix("np.")
        space = np if "." not in name else getattr(np, name.partition(".")[0])
        function, short = getattr(space, name.rpartition(".")[2]), name.rpartition(".")[2]

        def counted(*args: object, _function: object = function, _name: str = name, **kwargs: object) -> object:
            calls.append(_name)
            return _function(*args, **kwargs)  # type: ignore[operator]

        with monkeypatch.context() as patch, np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            patch.setattr(space, short, counted)
            patch.setitem(names.CALLED, counted, f"numpy.{name}")
            scope: dict[str, object] = {"np": np}
            exec(f"def f(x, m, s):\n    return {expression}", scope)
            jitted = gl.jit(scope["f"], backend="reference")  # type: ignore[call-overload]
            jitted(**world)
            for operands in (world, edge, edge):
                calls.clear()
                try:
                    scope["f"](**operands)  # type: ignore[operator]
                except (np.linalg.LinAlgError, ValueError):
                    continue
                plainly = len(calls)
                calls.clear()
                jitted(**operands)
                assert len(calls) == plainly == 1, f"{expression} of {value} ran {len(calls)} times"
