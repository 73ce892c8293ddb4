"""pandas' tables as arguments and globals: their arrays are inputs of the graph, and nothing differs from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl

pd = pytest.importorskip("pandas", minversion="3.0")

SHARED: dict[str, Any] = {}


def frame(rows: int = 20) -> Any:
    rng = np.random.default_rng(rows)
    return pd.DataFrame({"a": rng.normal(size=rows), "b": rng.normal(size=rows), "c": np.arange(rows)})


def facts(value: Any) -> str:
    """All that a program can see of a value, floats to nine digits."""
    return repr(_facts(value))


def _facts(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        elements = np.round(value, 9).tolist() if value.dtype.kind == "f" else value.tolist()
        return (value.dtype, value.strides if value.size else None, value.flags.writeable, elements)
    if isinstance(value, (pd.Series, pd.DataFrame)):
        return type(value), value.to_csv(float_format="%.9g"), str(value.dtypes)
    if isinstance(value, (tuple, list)):
        return [_facts(each) for each in value]
    return round(value, 9) if isinstance(value, float) else str(value)


def check(function: Callable[..., Any], *tables: Any) -> gl.Report:
    """The report, after each of the tables gave what plain Python gives, and was left as Python leaves it."""
    jitted = gl.jit(function)

    def run(which: Callable[..., Any], table: Any) -> Any:
        given = table.copy()
        try:
            return facts(which(given)), facts(given)
        except Exception as error:
            return type(error), str(error)

    for each in tables:
        assert run(function, each) == run(jitted, each) == run(jitted, each)
    return gl.explain(jitted)


def test_arrays_of_columns_are_inputs_of_one_graph() -> None:
    def computed(df: Any) -> Any:
        x, y = df["a"].to_numpy(), df.b.values
        both = df[["a", "b"]].to_numpy()
        return np.sqrt(x * x + y * y).sum(), both @ both.T, np.asarray(df["c"]) * 2, len(df["a"]), df["c"].dtype

    def recurrence(df: Any) -> Any:
        x = df["a"].to_numpy()
        out, state = np.empty_like(x), 0.0
        for k in range(len(x)):
            state = 0.9 * state + 0.1 * x[k]
            out[k] = state
        return out

    for each in (computed, recurrence):
        report = check(each, frame(), frame(), frame(31), frame(12))
        assert report.breaks == () and report.compiles <= 3, report


def test_what_pandas_shares_cannot_be_written_and_what_it_copies_is_the_programs_own() -> None:
    def written(df: Any) -> Any:
        x = df[["a", "c"]].to_numpy()
        x += 1
        return x, x is df[["a", "c"]].to_numpy(), df[["a", "c"]].to_numpy()

    def views(df: Any) -> Any:
        first, second = df["a"].to_numpy(), df["a"].to_numpy()
        own = df["a"].to_numpy(copy=True)
        own[0] = 9.0
        return first is second, first, second, own, np.array(df["a"]), df.values, df.to_numpy()

    def refused(df: Any) -> Any:
        df["a"].to_numpy()[:] = 0.0

    for each in (written, views):
        assert check(each, frame(), frame(31), frame()[["c", "a"]], frame()[["a", "c"]].astype("f8")).breaks == ()
    check(refused, frame())
    same = np.arange(6.0)

    @gl.jit
    def aliased(array: Any, series: Any) -> Any:
        array += 1
        return series.to_numpy().sum()

    assert aliased(np.zeros(6), pd.Series(np.arange(6.0))) == 15.0
    assert aliased(same, pd.Series(same, copy=False)) == 21.0


def test_tables_of_other_kinds_take_another_way_and_give_the_same() -> None:
    def doubled(df: Any) -> Any:
        return df["a"].to_numpy() * 2, df["a"].values

    text, twice = frame().assign(a="x"), pd.concat([frame(), frame()], axis=1)
    nullable = frame().astype({"a": "Int64"}, errors="ignore").assign(a=pd.array([1, None] * 10, dtype="Int64"))
    dates = frame().assign(a=pd.date_range("2020", periods=20))
    whole = frame().assign(a=np.arange(20, dtype=np.int16))
    check(doubled, frame(), text, twice, nullable, dates, whole, frame()[["b"]], frame(), frame()[::-2])


def test_changes_of_a_table_are_seen_and_other_uses_are_pandas_own() -> None:
    SHARED["df"] = frame()

    def scaled(x: Any) -> Any:
        return x * SHARED["df"]["a"].to_numpy()

    jitted, x = gl.jit(scaled), np.full(20, 2.0)
    for change in (
        lambda df: None,
        lambda df: df.__setitem__("a", df["a"] * 3),
        lambda df: df.loc.__setitem__((3, "a"), 77.0),
        lambda df: SHARED.update(df=frame()[["a", "c"]]),
    ):
        change(SHARED["df"])
        np.testing.assert_array_equal(jitted(x), scaled(x))

    def mixed(df: Any) -> Any:
        z = np.tanh(df["a"].to_numpy())
        df["z"] = z
        means = (df - df.mean()) / df.std()
        return means, (df["a"] * df["b"]).sum(), np.log1p(np.abs(df["a"])), pd.Series(z, index=df.index)

    report = check(mixed, frame(), frame(31))
    assert {each.code for each in report.breaks} <= {"B201", "B206", "B401"}
    assert "s.to_numpy()" in str(report.breaks[0])


def test_arrays_of_xarray_are_inputs_too() -> None:
    xr = pytest.importorskip("xarray")

    def computed(a: Any) -> Any:
        v = a.values
        v += 1
        return (v * v).sum(axis=0), a.data.shape, a.dims

    jitted = gl.jit(computed)
    for rows in (4, 4, 6):
        made = [xr.DataArray(np.arange(5.0 * rows).reshape(rows, 5), dims=("x", "y")) for _ in range(2)]
        assert facts(computed(made[0])) == facts(jitted(made[1]))
        assert made[0].identical(made[1])
    assert gl.explain(jitted).breaks == ()
