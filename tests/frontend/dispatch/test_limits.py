"""The limit of entries: what counts towards it, who makes room, when calls run plainly meanwhile."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.events import DROP
from guardlift.frontend import state_of
from guardlift.frontend.dispatch import new_entry

Array = np.ndarray[Any, Any]


def total(xs: list[Array]) -> Any:
    s = 0.0
    for x in xs:
        s = s + x.sum()
    return s


def horner(x: Array, coefficients: tuple[float, ...]) -> Any:
    y = 0.0 * x
    for each in coefficients:
        y = y * x + each
    return y


def by_name(x: Array, name: str) -> Array:
    return x + 1 if name.startswith("a") else x * 2


def by_key(x: Array, table: dict[str, int]) -> Array:
    return x + 1 if "scale" in table else x * 2


def by_length(x: Array, rows: list[int]) -> Array:
    return x * 2 if len(rows) < 1000 else x


def by_type(x: Array, thing: Any) -> Array:
    return x * 2 if thing is not None else x


@pytest.mark.parametrize(
    ("plain", "make"),
    [
        (by_name, lambda k: f"user{k}"),
        (by_key, lambda k: {f"k{j}": j for j in range(k)}),
        (by_length, lambda k: [0] * k),
        (by_type, lambda k: type(f"T{k}", (), {})()),
        (by_name, lambda k: "a" * (k + 1)),
    ],
)
def test_entries_of_the_same_code_do_not_count(plain: Any, make: Any) -> None:
    jitted = gl.jit(plain)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in range(20):
            given = make(k)
            for _ in range(2):  # what comes in one call alone is another matter, see below
                assert np.array_equal(jitted(np.ones(3), given), plain(np.ones(3), given))
    assert not gl.explain(jitted).limit_reached


@pytest.mark.parametrize(
    ("plain", "make"), [(total, lambda k: ([np.ones(4)] * k,)), (horner, lambda k: (np.ones(3), (1.5,) * k))]
)
def test_at_the_limit_the_entry_that_nobody_uses_makes_room_in_time(
    plain: Any, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    jitted = gl.jit(plain)
    with gl.config.patch(recompile_limit=3), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(2, 7):
            assert np.allclose(jitted(*make(k)), plain(*make(k)))
        report = gl.explain(jitted)
        assert report.limit_reached and report.compiles == 3  # to compile each would take most of the time
        monkeypatch.setattr("guardlift.frontend.dispatch.new_entry.RESTS", 0.0)
        assert np.allclose(jitted(*make(7)), plain(*make(7)))
        for _ in range(3):
            assert np.allclose(jitted(*make(7)), plain(*make(7)))
        report = gl.explain(jitted)
        assert report.compiles == 4 and [event.kind for event in report.events].count(DROP) == 1


def test_entries_that_are_used_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guardlift.frontend.dispatch.new_entry.RESTS", 0.0)
    jitted = gl.jit(total)
    with gl.config.patch(recompile_limit=2), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in (2, 3, 2, 3):
            jitted([np.ones(4)] * k)
        assert jitted([np.ones(4)] * 5) == 20.0  # in plain Python
        assert gl.explain(jitted).compiles == 2
        jitted([np.ones(4)] * 3)
        assert jitted([np.ones(4)] * 5) == 20.0  # in the place of the entry for two
        assert gl.explain(jitted).compiles == 3


@pytest.mark.parametrize("on_limit", ["eager", "error"])
def test_with_other_ways_at_the_limit_no_entry_makes_room(on_limit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guardlift.frontend.dispatch.new_entry.RESTS", 0.0)
    jitted = gl.jit(total, on_limit=on_limit)
    with gl.config.patch(recompile_limit=2), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(2, 4):
            jitted([np.ones(4)] * k)
        if on_limit == "error":
            with pytest.raises(gl.RecompileError):
                jitted([np.ones(4)] * 5)
        else:
            assert jitted([np.ones(4)] * 5) == 20.0
    assert gl.explain(jitted).compiles == 2


def test_the_warning_says_what_becomes_of_the_limit() -> None:
    jitted = gl.jit(total)
    with gl.config.patch(recompile_limit=2):
        for k in range(2, 4):
            jitted([np.ones(4)] * k)
        with pytest.warns(RuntimeWarning, match="until one that is not used makes room"):
            jitted([np.ones(4)] * 5)


def _listed(x: Any, items: list[float]) -> Any:
    return sum(items)


def _stopped(x: Any, items: list[float]) -> Any:
    total = sum(items)
    print(end="")
    return x * total, len(items)


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::guardlift.GraphBreakWarning")
@pytest.mark.parametrize("plain", [_listed, _stopped])
def test_calls_that_are_left_to_python_are_not_traced_at_each_call_beyond_the_limit(
    plain: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_entry, "RESTS", 1e9)
    jitted = gl.jit(plain)
    traced: list[Any] = []
    compile_entry = new_entry.compile_entry
    monkeypatch.setattr(new_entry, "compile_entry", lambda *given: traced.append(given) or compile_entry(*given))
    room: list[Any] = []
    made_room = new_entry._made_room
    monkeypatch.setattr(new_entry, "_made_room", lambda *given: room.append(given) or made_room(*given))
    for n in range(1, 60):
        items = [float(n)] * n
        assert str(jitted(2.0, items)) == str(plain(2.0, items))
    points = state_of(jitted).points.values()
    assert all(point.took > 0 for point in points if point.entries)
    assert len(traced) <= 10 * len(points) and len(room) <= len(points)


def test_calls_that_raise_are_not_traced_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    @gl.jit
    def scaled(x: Array, table: dict[str, float], key: str) -> Array:
        return x * table[key]

    @gl.jit
    def checked(x: Array, low: float) -> Array:
        y = x + 1
        print(end="")
        if y.ndim != 1:
            raise ValueError(f"{y.ndim} dimensions")
        return y * low

    x = np.arange(3.0)
    monkeypatch.setattr(new_entry, "RESTS", 1e9)
    for k in range(20):
        with pytest.raises(KeyError, match=f"k{k}"):
            scaled(x, {}, f"k{k}")
        with pytest.raises(ValueError, match="2 dimensions"):
            checked(x[None], 2.0)
    assert state_of(scaled).numbers == new_entry.RAISING
    assert state_of(checked).numbers == 1 + new_entry.RAISING  # one up to the break
    assert scaled(x, {"a": 2.0}, "a").tolist() == [0.0, 2.0, 4.0] and not gl.explain(scaled).entries
    monkeypatch.setattr(new_entry, "RESTS", 0.0)
    for _ in range(2):
        assert scaled(x, {"a": 2.0}, "a").tolist() == [0.0, 2.0, 4.0]
        assert checked(x, 2.0).tolist() == [2.0, 4.0, 6.0]
    assert gl.explain(scaled).calls.hits == 1
    with pytest.raises(KeyError, match="b"):
        scaled(x, {}, "b")
    assert state_of(scaled).points[0].raised == 1


def test_objects_that_come_in_one_call_each_are_left_to_python_after_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    def Settings(k: int) -> Any:  # of a class of its own
        return type("Settings", (), {"act": lambda self, x: x * self.k, "k": float(k)})()

    @gl.jit
    def apply(x: Array, settings: Any) -> Array:
        return settings.act(x) + 1

    x = np.arange(3.0)
    monkeypatch.setattr(new_entry, "RESTS", 1e9)
    for k in range(30):
        assert np.array_equal(apply(x, Settings(k)), x * k + 1)
    assert state_of(apply).numbers == len(gl.explain(apply).entries) == 2 + new_entry.PASSING
    monkeypatch.setattr(new_entry, "RESTS", 0.0)
    with monkeypatch.context() as fewer:
        fewer.setattr(new_entry, "KEPT_PASSING", 1 + new_entry.PASSING)
        for k in range(3):
            assert np.array_equal(apply(x, Settings(k)), x * k + 1)
    assert len(gl.explain(apply).entries) == 2 + new_entry.PASSING
    kept = Settings(2)
    for _ in range(3):
        assert np.array_equal(apply(x, kept), x * 2 + 1)
    assert gl.explain(apply).calls.hits == 2
    many = [Settings(k) for k in range(2 * new_entry.PASSING)]  # which come again: each gets an entry in time
    for settings in many * 3:
        assert np.array_equal(apply(x, settings), settings.act(x) + 1)
    assert gl.explain(apply).calls.hits > len(many)
