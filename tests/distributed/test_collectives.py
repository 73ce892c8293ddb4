"""The collectives, on ranks that are threads: values, forms of arguments, and errors on every rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from distributed.threads import ThreadBackend, WrittenByUsers, on_ranks, results

import guardlift as gl
import guardlift.distributed as dist

SIZE = 3


@pytest.mark.parametrize("kind", [ThreadBackend, WrittenByUsers])
def test_every_collective_gives_what_its_name_says_over_tensors_and_arrays(kind: Any) -> None:
    def program(group: Any) -> dict[str, Any]:
        rank, found = group.rank, {}
        for op in dist.ReduceOp:
            x = gl.tensor([rank + 1.0, -rank], dtype=gl.float64)
            dist.all_reduce(x, op, group=group)
            found[op.name] = x.tolist()
        half = gl.full((2,), rank + 0.5, dtype=gl.bfloat16)
        dist.all_reduce(half, dist.ReduceOp.AVG, group=group)
        flags = np.array([rank == 1, False])
        dist.all_reduce(flags, dist.ReduceOp.MAX, group=group)
        strided = np.arange(6.0).reshape(2, 3).T[:, ::-1]
        work = dist.all_reduce(strided, group=group, async_op=True)
        assert work is not None and work.wait() and work.is_completed() and work.exception() is None
        number = gl.tensor(rank)
        dist.broadcast(number, 2, group=group)
        rows = [gl.zeros(2) for _ in range(SIZE)]
        dist.all_gather(rows, gl.tensor([rank, 7.0]), group=group)
        joined, stacked = np.zeros(6), np.zeros((3, 2))
        dist.all_gather_into_tensor(joined, np.array([rank, 1.0]), group=group)
        dist.all_gather_into_tensor(stacked, np.array([rank, 1.0]), group=group)
        summed = gl.tensor([1.0 + rank])
        dist.reduce(summed, 1, group=group)
        gathered = [gl.zeros(1) for _ in range(SIZE)] if rank == 1 else None
        dist.gather(gl.tensor([float(rank)]), gathered, dst=1, group=group)
        part = np.zeros(2, np.int16)
        dist.scatter(part, [np.full(2, k * k, np.int16) for k in range(SIZE)] if rank == 0 else None, group=group)
        message = gl.zeros(2, 2)
        if rank == 0:
            dist.send(gl.eye(2), 2, group=group)
        elif rank == 2:
            assert dist.recv(message, 0, group=group) == 0
        empty = np.zeros((0, 3))
        dist.all_reduce(empty, group=group)
        dist.broadcast(empty, 0, group=group)
        objects: list[Any] = [None] * SIZE
        dist.all_gather_object(objects, {"rank": rank} if rank else "x" * 300, group=group)
        told = [rank, None] if rank else ["from", 0]
        dist.broadcast_object_list(told, 0, group=group)
        dist.barrier(group=group)
        return found | {
            "half": (half.dtype, half.tolist()),
            "flags": flags.tolist(),
            "strided": strided.tolist(),
            "broadcast": number.item(),
            "all_gather": [each.tolist() for each in rows],
            "joined": joined.tolist(),
            "stacked": stacked.tolist(),
            "reduce": summed.item(),
            "gather": gathered and [each.item() for each in gathered],
            "scatter": part.tolist(),
            "message": message.tolist(),
            "objects": objects[1:],
            "told": told,
            "figures": (group.figures.calls, group.figures.bytes > 0),
        }

    answers = results(on_ranks(SIZE, program, kind=kind))
    expected = {
        "SUM": [6.0, -3.0],
        "AVG": [2.0, -1.0],
        "MAX": [3.0, 0.0],
        "MIN": [1.0, -2.0],
        "PRODUCT": [6.0, 0.0],
        "half": (gl.bfloat16, [1.5, 1.5]),
        "flags": [True, False],
        "strided": (3 * np.arange(6.0).reshape(2, 3).T[:, ::-1]).tolist(),
        "broadcast": 2,
        "all_gather": [[0.0, 7.0], [1.0, 7.0], [2.0, 7.0]],
        "joined": [0.0, 1.0, 1.0, 1.0, 2.0, 1.0],
        "stacked": [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]],
        "objects": [{"rank": 1}, {"rank": 2}],
        "told": ["from", 0],
    }
    for rank, answer in enumerate(answers):
        assert {name: answer[name] for name in expected} == expected
        assert answer["reduce"] == (6.0 if rank == 1 else 1.0 + rank)
        assert answer["gather"] == ([0.0, 1.0, 2.0] if rank == 1 else None)
        assert answer["scatter"] == [rank * rank] * 2
        assert answer["message"] == (np.eye(2) if rank == 2 else np.zeros((2, 2))).tolist()
        assert answer["figures"][1]


def test_ranks_that_ask_for_different_things_all_get_an_error_that_lists_them_and_go_on() -> None:
    def program(group: Any) -> list[str]:
        rank, texts = group.rank, []
        for wrong in (
            lambda: dist.all_reduce(gl.zeros(2 + (rank == 1)), group=group),
            lambda: dist.all_reduce(gl.zeros(2, dtype=gl.float64 if rank else gl.float32), group=group),
            lambda: dist.all_reduce(gl.zeros(2), dist.ReduceOp.MAX if rank else dist.ReduceOp.SUM, group=group),
            lambda: dist.barrier(group=group) if rank else dist.broadcast(gl.zeros(1), 0, group=group),
            lambda: dist.broadcast(gl.zeros(1), rank, group=group),
        ):
            with pytest.raises(dist.CollectiveMismatchError) as error:
                wrong()
            texts.append(str(error.value))
        total = gl.ones(1)
        dist.all_reduce(total, group=group)
        assert total.item() == SIZE
        return texts

    answers = results(on_ranks(SIZE, program))
    assert answers[0] == answers[1] == answers[2]
    assert "rank 0, 2: all_reduce(SUM, float32[2])" in answers[0][0]
    assert "rank 1: all_reduce(SUM, float32[3])" in answers[0][0]
    assert "same collectives in the same order" in answers[0][0]
    assert "rank 1, 2: barrier()" in answers[0][3]


def test_a_message_of_another_form_than_expected_is_an_error_at_both_ends() -> None:
    def program(group: Any) -> None:
        if group.rank == 0:
            dist.send(gl.zeros(3), 1, group=group)
        else:
            dist.recv(gl.zeros(4), 0, group=group)

    for answer in on_ranks(2, program):
        assert isinstance(answer, dist.CollectiveMismatchError)
        assert "rank 0 sends float32[3], and rank 1 expects float32[4]" in str(answer)


def test_who_waits_for_a_rank_that_has_gone_gets_an_error_in_time_and_nothing_works_after_it() -> None:
    def program(group: Any) -> str:
        if group.rank == 0:
            return ""
        with pytest.raises(dist.DistTimeoutError, match="did not take part within 0.2 s"):
            dist.all_reduce(gl.zeros(1), group=group)
        with pytest.raises(dist.DistError, match="has failed before"):
            dist.barrier(group=group)
        assert group.has_failed
        return "told"

    assert results(on_ranks(2, program, seconds=0.2)) == ["", "told"]


def test_arguments_that_no_collective_takes_are_refused_before_anything_is_sent() -> None:
    def program(group: Any) -> None:
        x, more = gl.zeros(2), [gl.zeros(2), gl.zeros(2)]
        for kind, text, call in (
            (TypeError, "takes tensors and NumPy arrays", lambda: dist.all_reduce([1.0], group=group)),
            (ValueError, "op is 'sum'", lambda: dist.all_reduce(x, "sum", group=group)),
            (
                TypeError,
                "AVG takes floats",
                lambda: dist.all_reduce(gl.zeros(2, dtype=gl.int64), dist.ReduceOp.AVG, group=group),
            ),
            (TypeError, "got bools", lambda: dist.all_reduce(np.array([True]), group=group)),
            (TypeError, "no order", lambda: dist.all_reduce(np.zeros(1, complex), dist.ReduceOp.MAX, group=group)),
            (ValueError, "src is 2", lambda: dist.broadcast(x, 2, group=group)),
            (ValueError, "one for each of 2 processes", lambda: dist.all_gather([x], x, group=group)),
            (
                ValueError,
                r"tensor_list\[1\] is float32\[3\]",
                lambda: dist.all_gather([x, gl.zeros(3)], x, group=group),
            ),
            (ValueError, "output_tensor is", lambda: dist.all_gather_into_tensor(x, x, group=group)),
            (ValueError, "gather_list", lambda: dist.gather(x, None if group.rank == 0 else more, group=group)),
            (ValueError, "scatter_list", lambda: dist.scatter(x, None if group.rank == 0 else more, group=group)),
            (ValueError, "this process itself", lambda: dist.send(x, group.rank, group=group)),
            (ValueError, "object_list has 1", lambda: dist.all_gather_object([None], 1, group=group)),
        ):
            with pytest.raises(kind, match=text):
                call()
        assert group.figures.calls == 0

    results(on_ranks(2, program))


@pytest.mark.parametrize("direct", [True, False])
def test_each_rank_gets_its_part_of_what_all_combine(direct: bool) -> None:
    def program(group: Any) -> Any:
        rank = group.rank
        if not direct:  # a backend that has no such method
            group.backend.reduce_scatter = None
        parts = [gl.tensor([1.0 * k + rank, 10.0]) for k in range(SIZE)]
        listed, joined, stacked = gl.zeros(2), np.zeros(2, np.int64), np.zeros((2, 2))
        dist.reduce_scatter(listed, parts, dist.ReduceOp.AVG, group=group)
        work = dist.reduce_scatter_tensor(joined, np.arange(6) * (rank + 1), group=group, async_op=True)
        assert work is not None and joined.tolist() == [0, 0] and work.wait()
        rows = np.arange(12.0).reshape(3, 2, 2) * (rank + 1)
        dist.reduce_scatter_tensor(stacked, rows, dist.ReduceOp.MAX, group=group)
        for wrong in (parts[:2], [*parts[:2], gl.zeros(3)]):
            with pytest.raises(ValueError, match="input_list"):
                dist.reduce_scatter(listed, wrong, group=group)
        with pytest.raises(ValueError, match=r"input is int64\[5\]; for 3 outputs int64\[2\] it has to have .* \[6\]"):
            dist.reduce_scatter_tensor(joined, np.arange(5), group=group)
        return listed.tolist(), joined.tolist(), stacked.ravel().tolist()

    for rank, found in enumerate(results(on_ranks(SIZE, program))):
        whole = np.arange(12.0).reshape(3, 4)[rank] * 3
        assert found == ([rank + 1.0, 10.0], [12 * rank, 12 * rank + 6], whole.tolist())
