"""Attributes of modules, of every kind that Python has a rule for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.scenario import check, normal

import guardlift as gl
from guardlift import nn


class Rate:
    """A plain object of the user's."""

    value = 5.0


class Computed:
    """A descriptor: what is read is not the object itself."""

    value = 5.0

    def __get__(self, module: Any, cls: type) -> Any:
        return self if module is None else Rate2()


class Rate2(Rate):
    """Another one."""

    value = 7.0


class Scaled(nn.Module):
    """Attributes that the class gives."""

    computed = Computed()
    plain = Rate()
    dtype = gl.float32
    gain = 2.0

    @property
    def twice(self) -> float:
        return self.gain * 2.0


READS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "a descriptor": ("the attribute 'computed'", lambda m, x: x * m.computed.value),
    "a plain object": ("", lambda m, x: x * m.plain.value),
    "a dtype": ("", lambda m, x: x.to(m.dtype) * 2.0),
    "a number": ("", lambda m, x: x * m.gain),
    "a property": ("", lambda m, x: x * m.twice),
}


def world() -> Sequence[Any]:
    return [Scaled(), normal(3)]


@pytest.mark.parametrize("read", READS)
def test_what_a_class_gives_is_read_as_python_reads_it(read: str) -> None:
    breaks, program = READS[read]
    check(program, arguments=world, breaks=breaks)


def test_a_class_that_becomes_a_descriptor_is_one_at_the_next_call() -> None:
    def change(number: int, m: Any, x: Any) -> None:
        if number == 1:
            Rate.__get__ = lambda self, module, cls: Rate2()  # type: ignore[attr-defined]

    # The change is made for the plain and for the jitted world alike, so the plain calls run first.
    try:
        check(lambda m, x: x * m.plain.value, arguments=world, change=change, calls=2, breaks=None)
    finally:
        del Rate.__get__  # type: ignore[attr-defined]
