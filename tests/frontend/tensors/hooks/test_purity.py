"""Hooks that read nothing that may change in the course of a call."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend.tensors.hooks.purity import is_closed
from guardlift.frontend.values.constant import Constant
from guardlift.frontend.values.functions.functions import FunctionValue
from guardlift.frontend.values.functions.scopes import OuterScope

NUMBER, TABLE, TENSOR = 2.0, [1.0], gl.ones(2)
SETTINGS = types.ModuleType("settings")
SETTINGS.scale = 2.0  # type: ignore[attr-defined]


class Pair(NamedTuple):
    low: Any
    high: Any


@dataclass
class Record:
    low: Any


@dataclass
class Counted:
    low: Any
    made: ClassVar[int] = 0

    def __post_init__(self) -> None:
        Counted.made += 1


class Plain:
    scale = 3.0


def helper(t: Any) -> Any:
    return Pair(t.to(gl.float16), len(t.shape))


def reader(t: Any) -> Any:
    return t * NUMBER


def with_cells(value: Any) -> Callable[..., Any]:
    return lambda t: t.to(value)


def traced(function: Any) -> FunctionValue:
    """A function as a trace knows it."""
    given = Constant(None) if function.__defaults__ else None
    return FunctionValue(function.__code__, name="f", scope=OuterScope(function, None), defaults=given, real=function)


CLOSED = [
    lambda t: t,
    lambda t: gl.round(t * 8).to(gl.float8_e4m3fn),
    lambda t: helper(t),
    lambda t: [x for x in (t, t.abs().max()) if isinstance(x, gl.Tensor)],
    lambda t: Record(t),
    with_cells(gl.float16),
    helper,
]
OPEN = [
    lambda t: t * NUMBER,
    lambda t: t * TABLE[0],
    lambda t: t + TENSOR,
    lambda t: reader(t),
    lambda t: t * SETTINGS.scale,
    lambda t: t * Plain.scale,
    lambda t: Counted(t),
    lambda t: [x * NUMBER for x in (t,)],
    lambda t: t * np.float32(missing),  # noqa: F821
    lambda t, scale=TABLE: t * scale[0],
    with_cells(NUMBER),
    with_cells(TENSOR),
]


@pytest.mark.parametrize("function", CLOSED)
def test_what_reads_modules_functions_and_dtypes_alone_is_closed(function: Any) -> None:
    assert is_closed(traced(function))


@pytest.mark.parametrize("function", OPEN)
def test_what_reads_numbers_containers_and_tensors_is_not(function: Any) -> None:
    assert not is_closed(traced(function))


def test_what_is_no_function_is_not() -> None:
    assert not is_closed(Constant(1.0))
