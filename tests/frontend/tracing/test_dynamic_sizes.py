"""Symbolic sizes: which calls compile, what an entry relied on of sizes, and NumPy's results at every size."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from oracle import Tolerance, check_in_turn, under

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.compile.plan_template import PlanTemplate

CLOSE = Tolerance(4, sums=True, zeros=True)
SIZES = (2, 3, 4, 4, 5, 5, 6)
Array = np.ndarray[Any, Any]


def compiles(function: Any) -> int:
    """The number of entries that were compiled."""
    return sum(event.kind in ("compile", "recompile") for event in state_of(function).history)  # type: ignore[union-attr]


def facts(function: Any, entry: int = 0) -> list[str]:
    """The facts about sizes that an entry, by default the last one, relied on."""
    return state_of(function).entries[entry].details["binding"].fit.relations()  # type: ignore[union-attr, no-any-return]


def ramp(*shape: int, dtype: Any = np.float64) -> Array:
    return np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape) / 8


def in_turn(function: Any, *rows: tuple[Any, ...], expect: int | None = None, **options: Any) -> Any:
    """Compares each call with plain Python; `expect`: how many compiles are right."""
    report = check_in_turn(function, rows, CLOSE, **{"backend": "reference", **options})
    found = sum(event.kind in ("compile", "recompile") for event in report.events)
    assert expect is None or found == expect, [str(event) for event in report.events]
    return report


# Counts.
@pytest.mark.spec("S7.06")
@pytest.mark.parametrize(("dynamic", "count"), [(False, 5), (None, 2), (True, 1)])
def test_a_second_size_makes_sizes_symbolic(dynamic: bool | None, count: int) -> None:
    @gl.jit(dynamic=dynamic)
    def f(x: Array) -> Array:
        return x * 2.0 + x.sum()

    for size in SIZES:
        assert f(ramp(size)).tolist() == f.__wrapped__(ramp(size)).tolist()  # type: ignore[attr-defined]
    assert compiles(f) == count


@pytest.mark.spec("S7.06")
def test_the_setting_turns_it_off() -> None:
    with gl.config.patch(dynamic_sizes=False):
        in_turn(lambda x: x + 1, *((ramp(size),) for size in SIZES), expect=5)


def test_each_argument_costs_one_compile() -> None:
    def f(x: Array, y: Array) -> Any:
        return x.sum(axis=0), y * 2

    rows = [(2, 3), (4, 3), (4, 5), (6, 7), (5, 5), (9, 2)]
    in_turn(f, *((ramp(n, 3), ramp(m)) for n, m in rows), expect=3)


def test_sizes_0_and_1_are_compiled_apart() -> None:
    rows = [ramp(3, 4), ramp(5, 4), ramp(1, 4), ramp(0, 4), ramp(1, 6), ramp(0, 9), ramp(7, 8)]
    in_turn(lambda x: x - x.sum(axis=0), *((x,) for x in rows), expect=4)


def test_a_size_seen_last_calls_the_plan_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    @gl.jit
    def f(x: Array) -> Array:
        return x + 1

    for size in (2, 3, 4):
        f(ramp(size))
    binding = state_of(f).entries[0].details["binding"]  # type: ignore[union-attr]
    bound: list[Any] = []
    monkeypatch.setattr(type(binding), "bind", lambda self, *arguments: bound.append(arguments) or NotImplemented)
    assert f(ramp(4)).tolist() == (ramp(4) + 1).tolist()
    assert not bound


def test_plans_for_many_sizes_are_kept_but_not_all() -> None:
    @gl.jit
    def f(x: Array) -> Array:
        return x + 1

    with under("reference"):
        for size in range(2, 100):
            f(ramp(size))
    binding = state_of(f).entries[0].details["binding"]  # type: ignore[union-attr]
    assert len(binding.bindings) == 64
    assert compiles(f) == 2


# Facts.
def test_a_condition_on_a_size_is_a_fact() -> None:
    @gl.jit
    def f(x: Array) -> Array:
        if x.shape[0] == 4:
            return x + 1
        return x - 1 if len(x) % 2 else x * 3

    for size in (5, 3, 4, 7, 6, 4, 8, 9, 12):
        assert f(ramp(size)).tolist() == f.__wrapped__(ramp(size)).tolist()  # type: ignore[attr-defined]
    assert compiles(f) == 4
    assert facts(f, 0) == ["x.shape[0] != 4", "x.shape[0] % 2 == 0"]
    assert facts(f, 2) == ["x.shape[0] != 4", "x.shape[0] % 2 >= 1"]
    assert "binding" not in state_of(f).entries[1].details  # of size 4 alone, so it is static


def test_sizes_that_were_equal_by_chance() -> None:
    def f(x: Array, y: Array) -> Array:
        return x[:, None] * y if x.shape == y.shape else x[:, None] + y

    in_turn(f, *((ramp(n), ramp(m)) for n, m in [(2, 2), (3, 3), (4, 4), (4, 5), (5, 4), (6, 6)]), expect=3)


def test_broadcasting_relies_on_equal_sizes_and_raises_as_numpy_does() -> None:
    def f(x: Array, y: Array) -> Array:
        return x + y

    rows = [(3, 3), (4, 4), (5, 5), (5, 4), (5, 1), (1, 5), (1, 1), (7, 7), (7, 6)]
    in_turn(f, *((ramp(2, n), ramp(m)) for n, m in rows))
    jitted = gl.jit(f)
    for size in (3, 4, 5):
        jitted(ramp(2, size), ramp(size))
    assert facts(jitted) == ["y.shape[0] == x.shape[1]"]
    with pytest.raises(ValueError, match="could not be broadcast"):
        jitted(ramp(2, 5), ramp(4))


def test_an_index_beyond_the_end_is_pythons_error() -> None:
    rows = [(ramp(size),) for size in (5, 6, 3, 7, 2)]
    in_turn(lambda x: x[3] + x[-4], *rows)


def test_a_recompile_names_the_relation() -> None:
    @gl.jit
    def f(x: Array) -> Array:
        return x + 1 if x.shape[0] > 3 else x - 1

    for size in (5, 6, 3):
        f(ramp(size))
    report = str(gl.explain(f))
    assert "x: float64[x.shape[0]], x.shape[0] >= 2" in report
    assert "`x.shape[0] >= 4` was true, now false: x.shape is (3,)" in report


# Layouts and aliasing.
LAYOUTS: dict[str, Any] = {
    "reversed": lambda x: x[::-1, ::-1],
    "transposed": lambda x: x.T,
    "every second": lambda x: x[:, ::2],
    "a part": lambda x: x[1:, 1:],
    "repeated": lambda x: np.broadcast_to(x[0], x.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_strides_follow_from_sizes_or_stay(layout: str) -> None:
    def f(x: Array) -> Any:
        return x + 1, x.T.copy(), x.sum(axis=0), x[1:], x.reshape(-1), x.mean(axis=1, keepdims=True)

    rows = [ramp(4, 6), ramp(6, 4), ramp(6, 6), ramp(7, 10), ramp(8, 5)]
    in_turn(f, *((LAYOUTS[layout](x),) for x in rows))
    in_turn(f, *((LAYOUTS[layout](x) if k % 2 else x,) for k, x in enumerate(rows)))
    in_turn(f, *((LAYOUTS[layout](x),) for x in rows), dynamic=True)


def test_writes_into_arguments_of_many_sizes() -> None:
    def f(x: Array, y: Array) -> Array:
        x[1:-1] += y[:-2]
        x[::2] = x[::2] * 2
        return x[::-1]

    rows: list[tuple[Array, Array]] = [(ramp(n), ramp(n) + 1) for n in (3, 5, 6, 7, 4)]
    x = ramp(8)
    in_turn(f, *rows, (x, x), (x[1:], x[:-1]), *rows)


def test_an_array_that_overlaps_itself_is_not_written_natively() -> None:
    def windows(size: int, step: int) -> Array:
        return np.lib.stride_tricks.as_strided(ramp(40), (size, 3), (8 * step, 8))

    def f(x: Array) -> Array:
        x += 1
        return x.copy()

    jitted = gl.jit(f)
    for size, step in ((4, 3), (5, 3), (6, 3), (5, 1), (6, 2), (7, 4), (8, 2)):
        plain, compiled = windows(size, step), windows(size, step)
        assert jitted(compiled).tolist() == f(plain).tolist()
        assert compiled.tolist() == plain.tolist()


def test_lengths_that_no_memory_has() -> None:
    def f(x: Array) -> Any:
        return x.shape[0] + 1, x[:3] * 2

    sizes = (2**31 + 7, 2**32 + 1, 2**40, 2**55, 5, 6)
    jitted = gl.jit(f)
    for size in sizes:
        x = np.broadcast_to(np.float64(0.5), (size,))
        assert [each.tolist() for each in map(np.asarray, jitted(x))] == [
            each.tolist() for each in map(np.asarray, f(x))
        ]


# The program's own numbers.
def test_sizes_in_the_program() -> None:
    def f(x: Array) -> Any:
        n, half = len(x), x.shape[0] // 2
        x[:half] += n
        return n, half, x.size * 2 - 1, x / n, np.zeros((n, 2)), np.arange(n), x.mean(), x.std(), x[half:], (n, [half])

    in_turn(f, *((ramp(size),) for size in (5, 6, 7, 8, 12)), expect=2)


def test_a_size_that_must_be_known_makes_one_entry_for_each() -> None:
    def f(x: Array) -> Any:
        return x + 1, {len(x): "n"}, f"{len(x)}"

    in_turn(f, *((ramp(size),) for size in (3, 4, 5, 3, 4, 5)), expect=3)


def test_sizes_of_small_integers_overflow_as_in_numpy() -> None:
    def f(x: Array) -> Array:
        return x + len(x)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        in_turn(f, *((np.zeros(size, np.int8),) for size in (3, 5, 100, 127, 128, 200)))


def test_shapes_of_results() -> None:
    def f(x: Array, y: Array) -> Any:
        return (
            np.concatenate([x, y]), np.stack([x, x]), x @ y.T, np.where(x > 1, x, 0.0), np.clip(x, 0.5, 2),
            x.reshape(-1, 1)[::2], x.ravel()[1:], x.T[None], np.expand_dims(x, 1), np.broadcast_to(y[0], y.shape) + 0,
        )  # fmt: skip

    in_turn(f, *((ramp(n, m), ramp(k, m)) for n, m, k in [(2, 3, 4), (3, 4, 5), (5, 7, 2), (9, 2, 6)]), expect=2)


# Loops over elements.
@pytest.mark.parametrize("backend", ["reference", "numba"])
def test_a_native_loop_is_one_for_all_sizes(backend: str) -> None:
    def running(a: Array) -> Any:
        n = a.shape[0]
        total = 0.0
        for i in range(1, n):
            if a[i] < 0.25:
                a[i] = n
            a[i] += a[i - 1] / n
            total += a[n - 1 - i]
        return a, total

    report = in_turn(running, *((ramp(size),) for size in (*SIZES[1:], 9)), expect=2, backend=backend)
    assert "region" in report.op_names


def test_a_time_loop_over_slices() -> None:
    def heat(u: Array) -> Array:
        v = u.copy()
        for _ in range(5):
            v[1:-1] = v[1:-1] + 0.1 * (v[2:] - 2 * v[1:-1] + v[:-2])
        return v

    in_turn(heat, *((ramp(size),) for size in (4, 5, 6, 9, 20)), expect=2)


# Ints from outside.
@pytest.mark.spec("S7.06")
def test_an_int_that_is_a_size_becomes_symbolic_after_its_first_change() -> None:
    def f(x: Array, n: int) -> Any:
        return np.zeros((n, 2)) + x[:n].sum(), np.arange(n) * n, n + 1

    rows = [(ramp(24), n) for n in (3, 4, 5, 6, 7, 4)]
    in_turn(f, *rows, expect=2)
    in_turn(f, *rows, (ramp(24), 0), (ramp(24), 1), (ramp(24), -1), (ramp(24), 24), (ramp(24), 30), (ramp(9), 5))


@pytest.mark.spec("S7.06")
def test_a_closed_over_int_makes_two_entries() -> None:
    n = 0

    def f(x: Array) -> Array:
        return x * n + np.full(n + 2, 0.5).sum()

    jitted = gl.jit(f)
    for value in range(10):
        n = value
        assert jitted(ramp(3)).tolist() == f(ramp(3)).tolist()
    assert compiles(jitted) == 2


def test_an_int_of_another_type_or_beyond_memory() -> None:
    def f(x: Array, n: int) -> Array:
        return x[:n] + 1

    in_turn(f, *((ramp(6), n) for n in (3, 4, 2**70, 5, 2**49, np.int64(3), 5, None, 2, -(2**63))))


def test_a_loop_whose_length_is_an_argument() -> None:
    def f(x: Array, n: int) -> Array:
        y = np.zeros(n + 1)
        for i in range(1, n):
            y[i] = y[i - 1] / 2 + x[i % 3]
        return y

    in_turn(f, *((ramp(5), n) for n in (4, 5, 6, 9, 3)), expect=2)


def test_plans_of_two_ints_are_not_mixed_up() -> None:
    @gl.jit
    def f(x: Array, n: int) -> Array:
        return x + np.zeros((n, 1))

    with under("reference"):
        for n in (2, 3, 4, 5, 3, 4, 3, 5, 2):
            assert f(ramp(3), n).shape == (n, 3)
    assert compiles(f) == 2


# What stays static.
def test_tensors_keep_static_sizes() -> None:
    layer = gl.nn.Linear(3, 2)

    def f(x: Array) -> Any:
        return layer(gl.tensor(x)).detach().numpy()

    in_turn(f, *((ramp(size, 3).astype(np.float32),) for size in (2, 3, 4)))


def test_after_a_graph_break_sizes_are_symbolic_too() -> None:
    seen: list[float] = []

    def f(x: Array) -> Array:
        y = x * 2
        seen.append(float(str(y.sum())))
        return y + len(x)

    in_turn(f, *((ramp(size),) for size in (2, 3, 4, 5)))


def test_an_error_inside_guardlift_with_other_sizes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    @gl.jit(dynamic=True)
    def function(x: Any) -> Any:
        return x * 2.0

    def fails(*_: object) -> None:
        raise ZeroDivisionError("inside")

    function(np.ones(3))
    monkeypatch.setattr(PlanTemplate, "freed", fails)
    monkeypatch.setattr(PlanTemplate, "bound_to", fails)
    with gl.config.patch(raise_internal_errors=False), pytest.warns(gl.GraphBreakWarning, match="ZeroDivisionError"):
        np.testing.assert_array_equal(function(np.ones(4)), np.full(4, 2.0))
    assert "B900" in [each.code for each in gl.explain(function).breaks]
