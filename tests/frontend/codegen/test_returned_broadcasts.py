"""A tensor that repeats an intermediate leaves a jitted call as the view that eager mode gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, broken, check, leaf, normal

import guardlift as gl


def written_later(x: Any) -> Any:
    y = (x * 2).sum(0)
    seen = y.expand(3, 4)
    y.mul_(2)
    return seen


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "a mean for each row": lambda x: x.mean(0).expand_as(x),
    "a column repeated": lambda x: (x * 2).sum(1, keepdim=True).expand(3, 5),
    "a number repeated": lambda x: (x * 2).sum().expand(2, 3),
    "no elements": lambda x: (x * 2).sum().expand(0, 3),
    "a part of one": lambda x: (x * 2)[:, :1].expand(3, 5)[1:, 2],
    "one turned": lambda x: (x * 2).sum(0).expand(3, 4).T,
    "written later": written_later,
    "broadcast_to": lambda x: gl.broadcast_to(x.exp()[0], (2, 4)),
    "detached": lambda x: (x * 2).sum(0).expand(2, 4).detach(),
}


def one(number: int) -> Sequence[Any]:
    return [leaf(3, 4, seed=number)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_repeated_intermediate_is_a_view_of_one_graph(program: str) -> None:
    check(PROGRAMS[program], one, after=backward)
    check(PROGRAMS[program], lambda number: [normal(3, 4, seed=number)])


def test_both_the_tensor_and_its_repetition_may_leave() -> None:
    check(lambda x: (lambda y: (y, y[0].expand(2, 4), y.exp()))(x * 2), lambda number: [normal(3, 4)])


def test_sizes_may_change() -> None:
    check(lambda x: x.mean(0).expand_as(x), lambda number: [leaf(3 + number, 4, seed=number)], calls=4, after=backward)


def test_elements_that_are_seen_twice_are_not_written_through_the_result() -> None:
    jitted = gl.jit(lambda x: (x * 2).sum(0).expand(2, 4))
    for _ in range(2):
        seen = jitted(gl.ones(3, 4))
        with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
            seen.add_(1)
        assert not seen.numpy().flags.writeable


def test_parts_of_numpys_broadcast_arrays_are_left_to_numpy() -> None:
    def program(x: Any) -> Any:
        return np.broadcast_to(x * 2, (3, 4))[1:]

    jitted = gl.jit(program)
    found, expected = jitted(np.arange(4.0)), program(np.arange(4.0))
    assert np.array_equal(found, expected) and not found.flags.writeable
    assert "a part of a broadcast view" in broken(jitted)[0]
