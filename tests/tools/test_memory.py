"""The memory that compiled code takes, and how to have it back."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np

import guardlift as gl
from guardlift.tools.memory import FunctionMemory


def row_of(function: Any) -> FunctionMemory:
    gc.collect()  # functions of earlier tests
    rows = [each for each in gl.compiled_memory().functions if each.name == function.__qualname__]
    assert len(rows) == 1
    return rows[0]


def test_a_function_takes_more_the_more_entries_it_has() -> None:
    @gl.jit
    def grows(x: Any) -> Any:
        return (x @ x).sum(0) * 2.0

    before = row_of(grows)
    assert (before.entries, before.plans, before.graphs) == (0, 0, 0)
    grows(np.ones((40, 40)))
    one = row_of(grows)
    assert one.entries == 1 and one.code > before.code and one.graphs > 0
    assert one.plans > 40 * 40 * 8, "the product lies in memory that the plan keeps"
    grows(np.ones((40, 40), np.float32))
    two = row_of(grows)
    assert two.entries == 2 and two.plans > one.plans and two.graphs > one.graphs


def test_symbolic_sizes_have_a_plan_for_each_set_of_sizes() -> None:
    @gl.jit(dynamic=True)
    def sized(x: Any) -> Any:
        return np.exp(x).sum() + x

    sized(np.ones(900))
    one = row_of(sized).plans
    sized(np.ones(1800))
    assert row_of(sized).plans > one > 0


def test_a_plan_that_draws_counts() -> None:
    @gl.jit
    def draws(rng: Any) -> Any:
        return rng.normal(size=3) * 2.0

    draws(np.random.default_rng(0))
    assert row_of(draws).plans > 0


def test_the_report_reads_largest_first_and_sums_up() -> None:
    @gl.jit
    def large(x: Any) -> Any:
        return (x @ x).sum(0)

    large(np.ones((300, 300)))
    found = gl.compiled_memory()
    totals = [each.total for each in found.functions]
    assert totals == sorted(totals, reverse=True)
    assert found.total == sum(totals) + found.kernels + found.results
    assert found.kernels > 0
    assert f"{row_of(large)}" in str(found) and "1 entry; plans" in str(row_of(large))


def test_a_reset_frees_it_and_calls_compile_anew() -> None:
    @gl.jit
    def again(x: Any) -> Any:
        return x * 2.0 + 1.0

    again(np.ones(3))
    gl.reset()
    row = row_of(again)
    assert (row.entries, row.plans, row.graphs) == (0, 0, 0)
    kernels = gl.compiled_memory().kernels
    np.testing.assert_array_equal(again(np.ones(3)), np.full(3, 3.0))
    assert gl.explain(again).compiles == 1
    assert gl.compiled_memory().kernels == kernels > 0, "the kernel was there still"


def two_functions() -> tuple[Any, Any]:
    @gl.jit
    def often(x: Any) -> Any:
        return (x @ x).sum(0)

    @gl.jit
    def once(x: Any) -> Any:
        return (x @ x).sum(1)

    return often, once


def test_over_the_limit_the_entry_used_least_lately_goes() -> None:
    gl.reset()
    often, once = two_functions()
    x = np.ones((60, 60))
    often(x)
    once(x)
    room = row_of(often).total + row_of(once).total + 5_000
    with gl.config.patch(memory_limit=room):
        often(x.astype(np.float32))
        often(x)  # used since, so `once` is the one to go
        expected = once.__wrapped__(x)
        often(np.ones((90, 90), np.float32)[:, ::-1])
    assert row_of(often).entries == 3 and row_of(once).entries == 0
    (event,) = [event for event in gl.explain(once).events if event.kind == "drop"]
    assert "entry 0 was dropped" in event.text and event.text in str(gl.explain(once))
    np.testing.assert_array_equal(once(x), expected)
    again = gl.explain(once).events[-1]
    assert again.kind == "recompile" and "it was dropped to free memory" in again.reasons[-1].text


def test_the_entry_just_made_stays_however_small_the_limit() -> None:
    often, _ = two_functions()
    with gl.config.patch(memory_limit=1):
        for size in (20, 30):
            x = np.ones((size, size))
            for _ in range(2):
                np.testing.assert_array_equal(often(x), often.__wrapped__(x))
    assert row_of(often).entries == 1
