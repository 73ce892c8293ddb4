"""The walks over a module's tree are iterators inside a jitted function too: used up once they were walked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.scenario import check, normal

from guardlift import nn


def world() -> Sequence[Any]:
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 2))
    for parameter in model.parameters():
        parameter.data = normal(*parameter.shape)
    return [model, normal(2)]


WALKS: dict[str, Callable[[Any], Any]] = {
    "parameters": lambda m: m.parameters(),
    "named_parameters": lambda m: m.named_parameters(),
    "buffers": lambda m: m.buffers(),
    "named_buffers": lambda m: m.named_buffers(),
    "modules": lambda m: m.modules(),
}


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_gives_its_elements_once(walk: str) -> None:
    def program(m: Any, x: Any) -> Any:
        found = WALKS[walk](m)
        return x * len(list(found)) + 10.0 * len(list(found))

    check(program, arguments=world)


def test_next_gives_one_element_after_the_other() -> None:
    def program(m: Any, x: Any) -> Any:
        found = m.parameters()
        return next(found) @ x + next(found)

    check(program, arguments=world)


def test_a_walk_has_no_length_and_no_places() -> None:
    check(lambda m, x: x * len(m.parameters()), arguments=world, breaks="len()")
    check(lambda m, x: m.parameters()[0] @ x, arguments=world, breaks="a subscript")
