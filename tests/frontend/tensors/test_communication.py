"""Collectives in jitted functions, on ranks that are threads: one graph, each collective once and in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from distributed.threads import on_ranks, results

import guardlift as gl
import guardlift.distributed as dist

SIZE = 2


def both(make: Callable[[Any], Callable[..., Any]], *calls: Callable[[int], tuple[Any, ...]]) -> list[Any]:
    """The reports of a jitted function after several calls, by rank; its answers are held against plain Python's."""

    def run(group: Any, jit: bool) -> Any:
        function = make(group)
        compiled = gl.jit(function) if jit else function
        answers = [compiled(*call(group.rank)) for call in calls]
        return answers, gl.explain(compiled) if jit else None, group.figures.calls

    plain = results(on_ranks(SIZE, lambda group: run(group, False)))
    jitted = results(on_ranks(SIZE, lambda group: run(group, True)))
    for (expected, _, count), (found, _, counted) in zip(plain, jitted, strict=True):
        assert counted == count
        for one, other in zip(expected, found, strict=True):
            for left, right in zip(one, other, strict=True):
                np.testing.assert_allclose(np.asarray(right), np.asarray(left), rtol=1e-6)
    return [(report, counted) for _, report, counted in jitted]


def test_reductions_and_broadcasts_are_steps_of_one_plan_each_once_and_in_order() -> None:
    def make(group: Any) -> Callable[..., Any]:
        def step(x: gl.Tensor, a: np.ndarray[Any, Any]) -> Any:
            total = x * 2.0
            work = dist.all_reduce(total, group=group, async_op=True)
            y = gl.exp(x)  # goes on while the sum is under way
            work.wait()
            again = total.clone()
            dist.all_reduce(again, group=group)
            same = total.clone()
            dist.all_reduce(same, group=group)  # equal to the one before, and yet one of its own
            dist.all_reduce(a, dist.ReduceOp.AVG, group=group)
            unused = x + 1.0
            dist.all_reduce(unused, dist.ReduceOp.MAX, group=group)  # nobody reads it: the others wait for it
            first = x[0] * 3.0
            dist.broadcast(first, 1, group=group)
            return total, again, same, y, first, a

        return step

    def call(rank: int) -> tuple[Any, ...]:
        return gl.tensor([[1.0, 2.0 + rank], [3.0, 4.0]]), np.array([1.0 + rank, 5.0])

    for report, counted in both(make, call, call, call):
        assert not report.breaks and report.compiles == 1, str(report)
        assert counted == 18


def test_a_call_that_its_plan_leaves_to_python_communicates_no_second_time() -> None:
    def make(group: Any) -> Callable[..., Any]:
        def pick(a: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> Any:
            doubled = a * 2.0
            dist.all_reduce(doubled, group=group)
            work = dist.all_reduce(a, group=group, async_op=True)
            work.wait()
            try:
                return doubled[places], a
            except IndexError:
                return doubled[:1], a

        return pick

    def call(*places: int) -> Callable[[int], tuple[Any, ...]]:
        # The other rank is not left to Python, and goes on to its next collective.
        return lambda rank: (np.arange(4.0) + rank, np.array(places if rank else [0, 1]))

    for report, counted in both(make, call(1, 2), call(1, 9), call(0, 3), call(9, 9), call(2, 2)):
        assert counted == 10
        assert not report.breaks, str(report)


def test_one_rank_may_compile_again_or_break_while_the_other_runs_on() -> None:
    def make(group: Any) -> Callable[..., Any]:
        def step(x: gl.Tensor, scale: float, flag: bool) -> Any:
            y = x.sum() * scale
            dist.all_reduce(y, group=group)
            if flag:
                print(end="")
                y = y + float(y)  # a value that no graph knows
            dist.all_reduce(y, group=group)
            return (y,)

        return step

    calls = [
        lambda rank: (gl.ones(3), 1.0, False),
        lambda rank: (gl.ones(3 + 2 * rank), 2.0, False),
        lambda rank: (gl.ones(3, 2) if rank else gl.ones(3), 2.0, bool(rank)),
        lambda rank: (gl.ones(3), 3.0, not rank),
    ]
    reports = both(make, *calls)
    assert [counted for _, counted in reports] == [8, 8]
    assert reports[1][0].compiles > 1


def test_what_no_plan_does_is_a_told_break_and_happens_once() -> None:
    def make(group: Any) -> Callable[..., Any]:
        def step(x: gl.Tensor) -> Any:
            x = x * 2.0
            rows = [gl.zeros(2), gl.zeros(2)]
            dist.all_gather(rows, x, group=group)
            return rows[0] + rows[1], rows[1] * 3.0

        return step

    for report, _ in both(make, *[lambda rank: (gl.tensor([1.0, rank]),)] * 2):
        assert ["all_gather between processes" in str(each) for each in report.breaks] == [True], str(report)


def test_errors_of_a_collective_leave_the_plan_on_every_rank() -> None:
    def program(group: Any) -> None:
        @gl.jit
        def step(x: gl.Tensor) -> gl.Tensor:
            y = x + 1.0
            dist.all_reduce(y, group=group)
            return y

        step(gl.ones(2))
        step(gl.ones(2 + group.rank))

    for answer in on_ranks(SIZE, program):
        assert isinstance(answer, dist.CollectiveMismatchError)
        assert "rank 1: all_reduce(SUM, float32[3])" in str(answer)


def test_a_new_group_compiles_anew_and_one_that_has_ended_is_an_error() -> None:
    @gl.jit
    def step(x: gl.Tensor) -> gl.Tensor:
        y = x + 1.0
        dist.all_reduce(y, dist.ReduceOp.AVG)
        return y

    for compiles in (1, 2):
        dist.init_process_group("self")
        try:
            assert step(gl.ones(2)).tolist() == [2.0, 2.0]
        finally:
            dist.destroy_process_group()
        assert gl.explain(step).compiles == compiles
    with pytest.raises(dist.DistError, match="no process group"):
        step(gl.ones(2))


def test_a_collective_under_a_branch_on_data_or_in_a_loop_happens_as_often_as_plain_python_says() -> None:
    def make(group: Any) -> Callable[..., Any]:
        def step(x: gl.Tensor, a: np.ndarray[Any, Any]) -> Any:
            total = x.sum()
            if total > 0:  # the same on all ranks
                dist.all_reduce(total, group=group)
            for _ in range(3):
                dist.all_reduce(x, dist.ReduceOp.AVG, group=group)
            s = 0.0
            for k in range(a.shape[0]):
                s += a[k] * 2.0
            b = np.array([s])
            dist.all_reduce(b, group=group)
            with np.errstate(divide="ignore"):
                b = np.log(b - b)
            return total, x, b

        return step

    both(make, *[lambda rank, k=k: (gl.tensor([k, 2.0 + rank]), np.arange(3.0)) for k in (1.0, -9.0, 1.0)])
