"""Optimizer steps whose state the same call has made: what is not there yet for the real `_init_group` breaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf, normal

from guardlift import optim

OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda params: optim.SGD(params, lr=0.1),
    "momentum": lambda params: optim.SGD(params, lr=0.1, momentum=0.9),
    "Adam": lambda params: optim.Adam(params, lr=0.1),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_two_steps_in_one_call_are_two_steps(name: str) -> None:
    def make() -> Sequence[Any]:
        p = leaf(3)
        return [p, OPTIMIZERS[name]([p]), normal(3, seed=1)]

    def program(p: Any, optimizer: Any, x: Any) -> None:
        (p * x).sum().backward()
        optimizer.step()
        optimizer.step()

    check(program, arguments=make, calls=4, breaks="a second step" if name == "momentum" else "")


@pytest.mark.spec("S5.03")
def test_state_that_the_call_has_made_can_be_read() -> None:
    def make() -> Sequence[Any]:
        p = leaf(3)
        return [p, OPTIMIZERS["momentum"]([p]), normal(3, seed=1)]

    def program(p: Any, optimizer: Any, x: Any) -> Any:
        (p * x).sum().backward()
        optimizer.step()
        return optimizer.state[p]["momentum_buffer"] * 2.0

    check(program, arguments=make, calls=4)
