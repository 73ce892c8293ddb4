"""The steps of a launch plan, as calls become them: a function for each class of calls, and the slots they work on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import singledispatch
from typing import Protocol

from ..cpu.plan.plan import Step
from ..evaluate.buffers import Buffer
from ..schedule.calls import Call

Place = tuple[int, int]
"""A slot, and bytes from where it begins."""


class View(Protocol):
    """An element of a buffer. Units: `offset` counts elements."""

    @property
    def buffer(self) -> Buffer: ...

    @property
    def offset(self) -> int: ...


class Slots:
    """The slots of a plan: those of buffers, and behind them those of addresses that change as a loop goes round.

    moving: how many of the latter there are."""

    def __init__(self, numbers: Mapping[Buffer, int], first_moving: int) -> None:
        self._numbers, self._first_moving = numbers, first_moving
        self.moving = 0

    def at(self, view: View) -> Place:
        """The address of the first element of a view."""
        return self._numbers[view.buffer], view.offset * view.buffer.dtype.itemsize

    def take(self) -> int:
        """A new one, for an address that changes."""
        self.moving += 1
        return self._first_moving + self.moving - 1


@singledispatch
def steps_of(call: Call, slots: Slots) -> Sequence[Step]:
    """The steps that run a call. Errors: KernelError when a kernel does not compile.

    Each class of calls registers a function of its own."""
    raise AssertionError(f"no steps of a launch plan are registered for {type(call).__name__}")


@singledispatch
def kernel_texts(call: Call) -> Iterator[str]:
    """The texts of the kernels that its steps run, those in its bodies among them."""
    if call.kernel is not None:
        yield call.kernel.text
    for body in call.bodies:
        for each in body.calls:
            yield from kernel_texts(each)
