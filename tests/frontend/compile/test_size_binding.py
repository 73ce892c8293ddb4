"""Plans that serve many sizes and ints: each value of an index, a bound or a size finds one that is there."""

from __future__ import annotations

import threading
import warnings
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.compile.plan_template import PlanTemplate
from guardlift.frontend.compile.size_binding import KEPT_PLANS, Binding

Array = np.ndarray[Any, Any]
TABLE = np.random.default_rng(0).normal(size=(120, 130))
LINE = np.random.default_rng(1).normal(size=700)


def bindings(function: Any) -> list[Binding]:
    """The entries of a jitted function that have symbolic sizes."""
    return [each.details["binding"] for each in state_of(function).entries if "binding" in each.details]  # type: ignore[union-attr]


def made(function: Any) -> int:
    """The number of plans that were made for sizes that were symbolic."""
    return sum(each._made for each in bindings(function))


def stored_column(d: Array, j: int) -> Array:
    d[:, j] = d[:, j + 1] * 2
    return d


def added(d: Array, i: int, j: int) -> Array:
    d[i, j] += d[j, i]
    return d


def exchanged(d: Array, i: int, j: int) -> Array:
    d[i], d[j] = d[j].copy(), d[i].copy()
    return d


def padded(x: Array, n: int) -> Array:
    out = np.zeros((n, 3))
    out[1:, 1] = x[: n - 1]
    return out


def halves(x: Array, n: int) -> Any:
    return x[: n // 2] + x[n // 2 : n // 2 * 2], x[n % 7 + 1]


def grown(x: Array, n: int) -> Array:
    return np.repeat(x[:n, None], 3, axis=1).sum(axis=0)


def put(x: Array, k: int) -> Array:
    np.put(x, [k, 0], [k + 3, -k])
    return x


def windows(x: Array, n: int, w: int) -> Array:
    out = np.zeros(n)
    for i in range(n):
        for k in range(w):
            out[i] += x[i + k]
    return out


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[int], tuple[Any, ...]]]] = {
    "a row": (lambda d, i: d[i] * 2, lambda k: (TABLE, k)),
    "a row from behind": (lambda d, i: d[i] * 2, lambda k: (TABLE, -1 - k)),
    "an element": (lambda d, i, j: d[i, j] * 2, lambda k: (TABLE, k, 129 - k)),
    "a view that leaves": (lambda d, i: d[i, 3:], lambda k: (TABLE, k)),
    "a block": (lambda d, i, j: d[i : i + 4, j : j + 7] - 1, lambda k: (TABLE, k, k + 2)),
    "between two ints": (lambda x, i, j: (x[i:j] ** 2).sum(), lambda k: (LINE, k, 3 * k + 5)),
    "the first": (lambda x, n: x[:n] + 1, lambda k: (LINE, k + 2)),
    "the last": (lambda x, n: x[-n:] + 1, lambda k: (LINE, k + 2)),
    "every other": (lambda x, n: x[n::2] + 1, lambda k: (LINE, k + 2)),
    "backwards": (lambda x, n: x[n::-1] * 2, lambda k: (LINE, k + 2)),
    "zeros": (lambda n: np.zeros(n) + 1.5, lambda k: (k + 2,)),
    "a table of ones": (lambda n, m: np.ones((n, m)).sum(axis=0), lambda k: (k + 2, 130 - k)),
    "a ramp": (lambda n: np.arange(n) * 2.5, lambda k: (k + 2,)),
    "a ramp between": (lambda i, n: np.arange(i, i + n) * 2.5, lambda k: (k + 2, 2 * k + 3)),
    "rolled": (lambda x, k: np.roll(x, k) + 1, lambda k: (LINE, k + 2)),
    "a mean": (lambda x, n: x[:n].mean() + x[:n].std(), lambda k: (LINE, k + 2)),
    "joined": (lambda x, n: np.concatenate([x[:n], x[n : n + 3]]), lambda k: (LINE, k + 2)),
    "reshaped": (lambda x, n: x[: n * 4].reshape(n, 4).sum(axis=1), lambda k: (LINE, k + 2)),
    "sorted by NumPy": (lambda x, n: np.sort(x[:n]), lambda k: (LINE, k + 2)),
    "differences": (lambda x, n: np.diff(x[:n]), lambda k: (LINE, k + 3)),
    "a product": (lambda d, n: d[:n] @ d.T[:, :4], lambda k: (TABLE, k + 2)),
    "an array": (lambda x: x * x - x.mean(), lambda k: (LINE[: k + 2],)),
    "two arrays": (lambda x, y: x[:, None] + y, lambda k: (LINE[: k + 2], LINE[: 2 * k + 3])),
    "a stored column": (stored_column, lambda k: (TABLE.copy(), k)),
    "an element added to": (added, lambda k: (TABLE.copy(), k, 119 - k)),
    "rows exchanged": (exchanged, lambda k: (TABLE.copy(), k, 119 - k)),
    "padded": (padded, lambda k: (LINE, k + 3)),
    "halves": (halves, lambda k: (LINE, k + 6)),
    "repeated": (grown, lambda k: (LINE, k + 3)),
    "put by NumPy": (put, lambda k: (LINE.copy(), k)),
    "interpolated": (lambda x, k: np.interp(x, [0, k + 1], [k, 1]), lambda k: (LINE, k)),
    "inserted": (lambda x, k: np.insert(x, 3, k), lambda k: (LINE, k + 2)),
    "a percentile": (lambda x, k: np.percentile(x, k), lambda k: (LINE, k)),
    "a native loop": (windows, lambda k: (LINE, k + 3, k + 2)),
}


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    same = type(one) is type(other) and np.shape(one) == np.shape(other) and one.dtype == other.dtype
    strides = not isinstance(one, np.ndarray) or one.size < 2 or one.strides == other.strides
    return bool(same and strides and np.allclose(one, other, rtol=1e-12, atol=1e-14))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_hundred_values_are_served_by_a_few_plans(name: str) -> None:
    plain, arguments = PROGRAMS[name]
    jitted = gl.jit(plain)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in (*range(100), *range(99, 0, -7)):
            ours, theirs = arguments(k), arguments(k)
            assert alike(jitted(*ours), plain(*theirs)), k
            assert all(map(np.array_equal, ours, theirs))
    report = gl.explain(jitted)
    assert report.compiles <= 4 and not report.breaks, report
    assert made(jitted) <= 9


def test_quarter_turns_compile_once_for_each_remainder() -> None:
    jitted = gl.jit(lambda d, k: np.rot90(d, k))
    for k in (*range(2, 60), *range(2, 60)):
        assert (jitted(TABLE, k) == np.rot90(TABLE, k)).all()
    assert gl.explain(jitted).compiles <= 8


def test_a_view_that_leaves_is_of_the_array_that_was_passed() -> None:
    jitted = gl.jit(lambda d, i: d[i, 3:])
    table = TABLE.copy()
    for i in range(20):
        found = jitted(table, i)
        assert found.base is table and found.ctypes.data == table[i, 3:].ctypes.data
        found[0] = 7.0
    assert (table[:20, 3] == 7.0).all()


def test_an_int_out_of_range_raises_as_in_python_and_writes_nothing() -> None:
    @gl.jit
    def set_to(d: Array, i: int, v: float) -> Array:
        d[i] = v
        return d

    line = np.zeros(9)
    for i in (2, 3, 5, 8, -1, -9, 9, 4, -10, 2**40, 0):
        if -9 <= i < 9:
            set_to(line, i, float(i))
        else:
            with pytest.raises(IndexError):
                set_to(line, i, 3.0)
    assert line.tolist() == [0.0, 0.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, -1.0]


def test_two_ints_that_name_one_place_are_told_from_two_that_do_not() -> None:
    def f(d: Array, i: int, j: int) -> Array:
        d[i] = 1.0
        d[j] = d[i] + 2
        d[i] += d[j]
        return d

    jitted = gl.jit(f)
    for i in range(12):
        for j in range(12):
            assert jitted(np.zeros(12), i, j).tolist() == f(np.zeros(12), i, j).tolist()


def test_a_size_beyond_memory_is_an_error_of_numpys() -> None:
    jitted = gl.jit(lambda n, m: np.zeros((n, m)).sum(axis=0))
    for n in (3, 4, 5, 6):
        assert jitted(n, 4).tolist() == [0.0] * 4
    for n in (2**40, 2**31, 2**47):
        with pytest.raises((ValueError, MemoryError)):
            jitted(n, 2**40)
    assert jitted(7, 2).tolist() == [0.0, 0.0]


def test_bools_and_numpy_ints_are_no_ints() -> None:
    f = lambda x, n: x[n]  # noqa: E731
    jitted = gl.jit(f)
    for n in (3, 4, 5, True, np.int64(3), np.int32(2), False, 6):
        assert np.array_equal(jitted(LINE, n), f(LINE, n))


def test_arrays_of_other_dtypes_and_flags_are_not_taken_for_those_that_a_plan_is_for() -> None:
    jitted = gl.jit(lambda x: np.sqrt((x * x).sum()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in range(12):
            for dtype in (np.float32, np.float64, np.int32):
                assert jitted(np.ones(40 + k, dtype)) == pytest.approx(np.sqrt(40 + k))
    assert not gl.explain(jitted).breaks


@pytest.mark.parametrize("other", [np.longlong, np.ulonglong])
def test_a_c_type_that_numpy_calls_equal_is_left_to_numpy(other: Any) -> None:
    jitted = gl.jit(lambda x: x + x)
    usual = np.dtype(other).newbyteorder("=").name
    for size in (3, 4, 5, 6):
        for dtype in (usual, other):
            assert jitted(np.ones(size, dtype)).dtype.char == np.dtype(dtype).char
    assert {each.code for each in gl.explain(jitted).breaks} <= {"B402"}


def test_read_only_arrays_in_between_are_refused_by_the_write_alone() -> None:
    @gl.jit
    def write(x: Array) -> Array:
        x[0] = 1.0
        return x

    for size in range(3, 40):
        array = np.zeros(size)
        array.flags.writeable = size % 3 > 0
        if size % 3:
            assert write(array)[0] == 1.0
        else:
            with pytest.raises(ValueError, match="read-only"):
                write(array)
    assert not gl.explain(write).breaks


def test_threads_that_pass_many_values_do_not_meet() -> None:
    jitted = gl.jit(lambda d, i, j: (d[i:j] * 2).sum() + d[i])
    wrong: list[Any] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(150):
            i, n = (int(each) for each in rng.integers(1, 300, 2))
            if not np.allclose(jitted(LINE, i, i + n), (LINE[i : i + n] * 2).sum() + LINE[i]):
                wrong.append((i, n))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong and not gl.explain(jitted).breaks


def test_where_plans_would_be_made_for_ever_python_runs_the_calls_and_explain_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PlanTemplate, "freed", lambda *_: None)
    monkeypatch.setattr("guardlift.frontend.compile.size_binding.RESTS", 1e9)
    jitted = gl.jit(lambda x, n: x[:n] + 1)
    with pytest.warns(gl.GraphBreakWarning, match="run as plain Python. Remedy: bring sizes to a few") as told:
        for n in range(2, KEPT_PLANS + 30):
            assert np.array_equal(jitted(LINE, n), LINE[:n] + 1)
    assert made(jitted) == KEPT_PLANS and len(told) == 1
    assert any("run as plain Python" in event.text for event in gl.explain(jitted).events)


def test_a_graph_that_takes_numbers_only_has_a_plan_for_each_size(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise AssertionError("a size that is no int")

    monkeypatch.setattr(PlanTemplate, "freed", fails)
    jitted = gl.jit(lambda x, n: x[:n] + 1)
    with gl.config.patch(raise_internal_errors=False):
        for n in range(2, 20):
            assert np.array_equal(jitted(LINE, n), LINE[:n] + 1)
    assert not gl.explain(jitted).breaks and len(bindings(jitted)[0].bindings) > 10


# Searches.
def flood(grid: Array, start: tuple[int, int]) -> Array:
    steps = np.full(grid.shape, -1)
    steps[start] = 0
    waiting = deque([start])
    while waiting:
        y, x = waiting.popleft()
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            v, u = y + dy, x + dx
            if 0 <= v < steps.shape[0] and 0 <= u < steps.shape[1] and grid[v, u] == 0 and steps[v, u] < 0:
                steps[v, u] = steps[y, x] + 1
                waiting.append((v, u))
    return steps


def walk(following: Array, start: int) -> Array:
    seen = np.zeros(len(following))
    at = start
    while seen[at] == 0:
        seen[at] = 1.0
        at = int(following[at])
    return seen


def climb(heights: Array, at: int) -> float:
    while at + 1 < len(heights):
        if heights[at + 1] < heights[at]:
            break
        at += 1
    return float(heights[at] * 2)


@pytest.mark.parametrize(
    ("plain", "arguments"),
    [
        (flood, lambda k: ((np.random.default_rng(k).random((7, 8)) < 0.2).astype(int), (k % 7, k % 8))),
        (walk, lambda k: (np.random.default_rng(k).permutation(30), k)),
        (climb, lambda k: (np.sort(np.random.default_rng(k).random(12)), k % 9)),
    ],
)
def test_a_search_that_picks_elements_is_left_to_python_after_a_few_compiles(plain: Any, arguments: Any) -> None:
    jitted = gl.jit(plain)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(12):
            assert np.array_equal(jitted(*arguments(k)), plain(*arguments(k)))
    report = gl.explain(jitted)
    assert report.compiles <= 9 and not report.limit_reached, report


@pytest.mark.parametrize("name", ["smooth", "taps", "between", "counted", "triangle", "down"])
def test_a_range_inside_a_native_loop_compiles_twice_for_all_its_bounds(name: str) -> None:
    def smooth(x: Array, w: int) -> Array:
        out = np.zeros(len(x))
        for i in range(len(x) - w):
            s = 0.0
            for k in range(w):
                s += x[i + k]
            out[i] = s / w
        return out

    def taps(x: Array, w: int) -> Array:
        h, out = np.ones(w), np.zeros(len(x))
        for i in range(len(x) - len(h)):
            for k in range(len(h)):
                out[i] += x[i + k] * h[k]
        return out

    def between(x: Array, w: int) -> Array:
        out = np.zeros(len(x))
        for i in range(len(x) - w):
            for k in range(i, i + w):
                out[i] += x[k]
        return out

    def counted(x: Array, w: int) -> Array:
        out = np.zeros(len(x))
        for i in range(len(x) - w):
            k = 0
            while k < w:
                out[i] += x[i + k]
                k += 1
        return out

    def triangle(x: Array, w: int) -> Array:
        out = np.zeros(len(x))
        for i in range(w):
            for k in range(i, 2 * w + 1):
                out[i] += x[k]
        return out

    def down(x: Array, w: int) -> Array:
        out = np.zeros(len(x))
        for i in range(len(x)):
            for k in range(w, 1, -1):
                out[i] += x[k] * x[i]
        return out

    plain = {each.__name__: each for each in (smooth, taps, between, counted, triangle, down)}[name]
    jitted = gl.jit(plain)
    for w in range(5, 25):
        np.testing.assert_allclose(jitted(LINE[:60], w), plain(LINE[:60], w), rtol=1e-12, atol=1e-14)
    report = gl.explain(jitted)
    assert report.compiles == 2 and not report.limit_reached and not report.breaks


def test_a_plan_that_refuses_the_call_it_was_made_for_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    freed = PlanTemplate.freed
    monkeypatch.setattr(PlanTemplate, "freed", lambda self, *given: made.append(given[0]) or freed(self, *given))

    @gl.jit
    def shift(a: Any, b: Any) -> Any:
        a += 1
        b *= 2
        return a.sum()

    for n in range(4, 8):
        shift(np.ones(n), np.ones(n))
    apart = len(made)
    for n in [*range(4, 12)] * 3:
        x, y = np.ones(20), np.ones(20)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a write into shared memory is left to Python
            assert shift(x[:n], x[2 : 2 + n]) == shift.__wrapped__(y[:n], y[2 : 2 + n])
        assert np.array_equal(x, y)
    assert len(made) - apart <= 10  # and not one for each call
    assert shift(np.ones(9), np.ones(9)) == 18.0
