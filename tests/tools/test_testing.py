"""`gl.testing`: what each expectation lets through, what it refuses, and with which words."""

from __future__ import annotations

import sys
import threading
from typing import Any
from unittest import SkipTest

import numpy as np
import pytest

import guardlift as gl
from guardlift.tools.testing import LogError

X = np.arange(3.0)


@pytest.fixture
def scale():
    @gl.jit
    def scale(x, n):
        for k in range(n):
            x = x + k
        return x

    return scale


@pytest.fixture
def pick():
    @gl.jit
    def pick(x):
        return x if x.sum() > 0 else -x

    return pick


def test_the_first_compile_is_free(scale) -> None:
    with gl.testing.max_recompiles(1, of=scale) as log:
        scale(X, 1)
        scale(X, 2)
    assert (log.compiles, log.recompiles, log.breaks) == (2, 1, [])


def test_one_recompile_too_many_fails_with_the_reason(scale) -> None:
    with pytest.raises(AssertionError) as caught, gl.testing.no_recompiles(of=scale):
        scale(X, 1)
        scale(X, 2)
    text = str(caught.value)
    assert text.startswith("1 recompile, where at most 0 may happen\n")
    assert "n 1 → 2 " in text and " 1 recompile" in text
    assert "called at" in text and "test_testing.py:" in text and "   scale(X, 2)" in text
    assert "   for k in range(n):" in text


def test_a_function_that_was_compiled_before_has_no_free_compile(scale) -> None:
    scale(X, 1)
    with pytest.raises(AssertionError, match="1 recompile,"), gl.testing.no_recompiles(of=scale):
        scale(X, 2)


def test_calls_that_hit_are_no_compiles(scale) -> None:
    scale(X, 1)
    with gl.testing.exact_compiles(0, of=scale) as log:
        scale(X, 1)
    assert log.explain() == "nothing was compiled, and no graph broke"


@pytest.mark.parametrize("count", [0, 2])
def test_exact_compiles_refuses_fewer_and_more(scale, count: int) -> None:
    wrong = f"1 compile, where exactly {count} should happen"
    with pytest.raises(AssertionError, match=wrong), gl.testing.exact_compiles(count, of=scale):
        scale(X, 1)


def test_only_the_functions_named_count(scale, pick) -> None:
    pick(X)
    with gl.testing.exact_compiles(0, of=pick), gl.testing.exact_compiles(1, of=[pick, scale]):
        scale(X, 1)
        pick(X)


def test_all_functions_count_when_none_is_named(scale) -> None:
    with pytest.raises(AssertionError, match="2 compiles"), gl.testing.exact_compiles(0):
        scale(X, 1)
        scale(X, 2)


def test_a_graph_break_fails_with_the_line_and_the_remedy(pick) -> None:
    with pytest.raises(AssertionError) as caught, gl.testing.no_graph_breaks(of=pick):
        pick(X)
    text = str(caught.value)
    assert text.startswith("1 graph break, where none should happen\n")
    assert "   return x if x.sum() > 0 else -x" in text and "   pick(X)" in text
    assert "np.where(condition, a, b)" in text


def test_a_graph_break_that_was_found_earlier_fails_too(pick) -> None:
    pick(X)
    with pytest.raises(AssertionError, match="1 graph break"), gl.testing.no_graph_breaks(of=pick):
        pick(X)


def test_an_error_of_the_program_is_no_graph_break() -> None:
    @gl.jit
    def f(x):
        return x + np.zeros(5)

    with gl.testing.no_graph_breaks(of=f), pytest.raises(ValueError, match="broadcast"):
        f(X)


@pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning")
def test_calls_beyond_the_limit_count_as_recompiles(scale) -> None:
    with gl.config.patch(recompile_limit=1):
        scale(X, 1)
        scale(X, 2)
        with pytest.raises(AssertionError) as caught, gl.testing.no_recompiles(of=scale):
            scale(X, 3)
    assert "1 recompile, 1 of them beyond the limit of entries" in str(caught.value)
    assert "n 1 → 3 " in str(caught.value) and " 1 call in plain Python\n" in str(caught.value)


def test_an_error_inside_passes_through_and_nothing_is_checked(scale) -> None:
    with pytest.raises(ZeroDivisionError), gl.testing.exact_compiles(5, of=scale):
        raise ZeroDivisionError


def test_an_expectation_decorates_and_counts_each_call_by_itself(scale) -> None:
    @gl.testing.max_recompiles(0, of=scale)
    def run(n):
        """Runs."""
        return scale(X, n)

    assert run.__name__ == "run" and run.__doc__ == "Runs."
    run(1)
    for n in (2, 3):
        with pytest.raises(AssertionError, match="1 recompile,"):
            run(n)
    run(3)


def test_coroutines_and_generators_are_not_decorated() -> None:
    async def later():
        pass

    def some():
        yield

    for function in (later, some):
        with pytest.raises(LogError, match="its body runs after the call; use the expectation as a context manager"):
            gl.testing.no_recompiles()(function)


def test_expectations_nest_and_one_may_be_entered_again(scale) -> None:
    once = gl.testing.max_recompiles(0, of=scale)
    with pytest.raises(AssertionError), once as outer:
        scale(X, 1)
        with pytest.raises(AssertionError), once as inner:
            scale(X, 1)
            scale(X, 2)
        assert (outer.compiles, inner.compiles) == (2, 1)


def test_calls_from_other_threads_count(scale) -> None:
    with gl.testing.exact_compiles(2, of=scale) as log:
        threads = [threading.Thread(target=scale, args=(X, n)) for n in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert log.recompiles == 1


def test_one_expectation_serves_several_threads(scale) -> None:
    expectation = gl.testing.max_recompiles(0, of=scale)
    failures: list[BaseException] = []

    def enter_and_leave() -> None:
        try:
            for _ in range(50):
                with expectation:
                    scale(X, 1)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=enter_and_leave) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_calls_of_other_threads_count_only_when_all_do(scale) -> None:
    call, end = threading.Semaphore(0), threading.Semaphore(0)

    def calls() -> None:
        for n in (1, 2, 3):
            call.acquire()
            scale(X, n)
            end.release()

    other = threading.Thread(target=calls, daemon=True)  # it waits for ever should the test fail
    other.start()
    scale(X, 0)
    with gl.testing.no_recompiles(of=scale) as log:
        call.release()
        end.acquire()
    assert log.compiles == 0
    with pytest.raises(AssertionError, match="1 recompile,"), gl.testing.no_recompiles(of=scale, threads="all"):
        call.release()
        end.acquire()
    with pytest.raises(LogError, match="threads= takes 'own' or 'all', not 'mine'"):
        gl.testing.no_recompiles(of=scale, threads="mine")
    call.release()
    other.join()


@pytest.mark.parametrize(
    "expected", [gl.testing.no_recompiles, gl.testing.no_graph_breaks, lambda of: gl.testing.exact_compiles(0, of=of)]
)
def test_an_expectation_about_a_function_that_nobody_calls_fails(scale, pick, expected) -> None:
    scale(X, 1)
    with pytest.raises(AssertionError) as caught, expected(of=scale):
        pick(X)
    first = str(caught.value).splitlines()[0]
    assert first.startswith(
        "scale.<locals>.scale was not called, but perhaps as a part of other jitted functions, so the"
    )
    with pytest.raises(AssertionError, match="none of .*scale, sized was called"), expected(of=[scale, gl.jit(sized)]):
        pass


def test_an_expectation_about_all_functions_fails_when_none_is_called() -> None:
    with pytest.raises(AssertionError, match="no jitted function was called"), gl.testing.no_recompiles():
        pass


def test_a_function_that_another_one_contains_is_not_called_by_itself(scale) -> None:
    outer = gl.jit(lambda x: scale(x, 2) * 2)
    with pytest.raises(AssertionError, match="scale was not called, but perhaps as a part"):
        with gl.testing.no_recompiles(of=scale):
            outer(X)


def test_calls_that_hit_are_calls_and_afterwards_nothing_looks_at_them(scale) -> None:
    scale(X, 1)
    code = scale.__code__
    with gl.testing.no_recompiles():
        assert scale.__code__ is not code
        scale(X, 1)
    assert scale.__code__.co_code == code.co_code


def test_the_log_gives_reasons_as_data(scale) -> None:
    with gl.testing.max_recompiles(1, of=scale) as log:
        scale(X, 1)
        scale(X, 2)
    (reason,) = log.reasons
    assert (reason.expression, reason.was, reason.now, reason.guard) == ("n", "1", "2", "equality")


def test_a_function_that_is_not_jitted_is_refused() -> None:
    with pytest.raises(
        gl.NotAFunctionError, match="`of`: a function made by gl.jit is needed, not the .* len; pass the"
    ):
        gl.testing.no_recompiles(of=len)


def test_a_function_that_is_never_compiled_is_refused_since_nothing_could_fail() -> None:
    @gl.jit
    def each(x):
        yield x

    with pytest.raises(
        LogError, match="each is never compiled, so there is nothing to expect of it: it is a generator"
    ):
        gl.testing.no_recompiles(of=each)


def test_while_guardlift_is_off_or_a_tracer_looks_on_the_test_is_skipped(scale) -> None:
    with gl.config.patch(disable=True):
        f = gl.jit(sized)
        with pytest.raises(SkipTest, match="guardlift is switched off"), gl.testing.no_recompiles(of=f):
            f(X, 1)
    before = sys.gettrace()
    sys.settrace(lambda frame, kind, value: None)
    try:
        with gl.config.patch(under_tracing="plain"):
            with pytest.raises(SkipTest, match="a debugger or coverage is active"), gl.testing.no_recompiles(of=scale):
                scale(X, 1)
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("count", [-1, True, 1.0, len])
def test_a_count_that_is_none_is_refused(count) -> None:
    with pytest.raises(LogError, match="a count of compiles is an int from 0 on"):
        gl.testing.max_recompiles(count)


def test_an_empty_list_of_functions_is_refused() -> None:
    with pytest.raises(LogError, match="`of` names no function"):
        gl.testing.no_recompiles(of=[])


def test_a_forgotten_function_compiles_for_the_first_time_again(scale) -> None:
    scale(X, 1)
    scale(X, 2)
    gl.testing.forget(scale)
    assert gl.explain(scale).compiles == 0
    with gl.testing.no_recompiles(of=scale) as log:
        assert np.array_equal(scale(X, 2), scale.__wrapped__(X, 2))
    assert log.compiles == 1


def sized(x: Any, n: int) -> Any:
    return x * n


def test_the_reasons_of_recompiles_can_be_expected_too() -> None:
    f = gl.jit(sized)
    with gl.testing.exact_compiles(2, of=f, reasons=["x.dtype was float64, now float32"]):
        f(np.ones(3), 2)
        f(np.ones(3, np.float32), 2)


def test_other_reasons_than_expected_are_told_side_by_side() -> None:
    f = gl.jit(sized)
    with (
        pytest.raises(AssertionError, match="(?s)recompile 1: expected 'of int8'.*found 'x.dtype was float64"),
        gl.testing.exact_compiles(2, of=f, reasons=["of int8"]),
    ):
        f(np.ones(3), 2)
        f(np.ones(3, np.float32), 2)
    with (
        pytest.raises(AssertionError, match="expected 'b'\n  found none"),
        gl.testing.exact_compiles(0, of=f, reasons=["b"]),
    ):
        f(np.ones(3), 2)
    with pytest.raises(LogError, match="a list with a text"):
        gl.testing.exact_compiles(1, reasons="b")


def test_guards_may_take_so_long_and_no_longer() -> None:
    f = gl.jit(sized)
    with gl.testing.max_guard_us(5.0):
        f(np.ones(3), 2)
    found = gl.explain(f).entries[0].guard_microseconds
    assert 0 < found < 5
    assert f"which takes about {found} us to ask" in str(gl.explain(f))
    with pytest.raises(AssertionError, match="guards of entry 0 of sized take about") as caught:
        with gl.testing.max_guard_us(0, of=f):
            f(np.ones(3), 2)
    first, *guards = str(caught.value).splitlines()
    facts = [guard.fact for guard in gl.explain(f).entries[0].guards]
    assert first.endswith(f"take about {found} us, where 0 us may be")
    assert all(any(fact in line for line in guards) for fact in facts) and "return x * n" in guards[0]
    with pytest.raises(LogError, match="a number of microseconds"):
        gl.testing.max_guard_us(f)


@pytest.mark.slow
def test_what_is_made_inside_and_dies_is_no_leak() -> None:
    @gl.jit
    def step(optimizer: Any) -> None:
        optimizer.step()

    with gl.testing.assert_no_leak():
        weight = gl.nn.Parameter(gl.ones(3))
        weight.grad = gl.ones(3)
        optimizer = gl.optim.Adam([weight])
        step(optimizer)
        del optimizer, weight


@pytest.mark.slow
def test_what_is_kept_is_a_leak() -> None:
    kept = []
    with (
        pytest.raises(
            AssertionError,
            match=r"1 Linear.* the first Linear is held by test_what_is_kept_is_a_leak.<locals>.kept\[0\]",
        ),
        gl.testing.assert_no_leak(),
    ):
        kept.append(gl.nn.Linear(2, 2))


def test_a_fresh_cache_has_no_entries_and_no_kernels() -> None:
    f = gl.jit(sized)
    f(np.ones(3), 2)
    with gl.testing.fresh_cache() as folder:
        assert not gl.explain(f).entries and not list(folder.iterdir())
        f(np.ones(3), 2)
        assert list(folder.rglob("*")) and gl.config.cache_dir == str(folder)
    assert not folder.exists() and not gl.explain(f).entries
