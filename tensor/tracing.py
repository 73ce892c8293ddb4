"""While a function is traced, its tracer answers for the functions of the surface."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ..core.devices.host_or_device import on_host
from ..core.dtypes import DType
from ..ops.registry import OpDef
from .narrow import check_computes, widened
from .tensor import Tensor

Array = np.ndarray[Any, Any]


class ValuesNeeded(TypeError):
    """A function asks for the elements of what has none yet, as a tensor of a trace.

    name: what asks.   for_shape: because the shape of its result depends on them.
    """

    def __init__(self, name: str, *, for_shape: bool = False) -> None:
        super().__init__(f"{name} takes tensors")
        self.name = name
        self.for_shape = for_shape


def all_elements(x: Tensor) -> Array:
    """The array of a tensor; of one that stands for one call of many, inside of `vmap`, that of all calls."""
    while (whole := getattr(x, "__guardlift_whole__", None)) is not None:
        x = whole
    return x._array


def values_of(name: str, x: object, *, for_shape: bool = False) -> Array:
    """The elements of a tensor, halves in float32, for the function `name`, which computes in NumPy alone.

    Errors: ValuesNeeded for what has none yet, as in a trace; NotImplementedError for float8.
    """
    if not isinstance(x, Tensor):
        raise ValuesNeeded(name, for_shape=for_shape)
    check_computes(name, x.dtype)
    return widened(on_host(x._array))  # type: ignore[no-any-return]


def all_hold(condition: Any) -> bool:
    """Whether all elements of a tensor of bools are True. In a trace they are: other calls are left to Python."""
    if isinstance(condition, Tensor):
        return bool(on_host(all_elements(condition)).all())
    handler = tracing()
    assert handler is not None
    handler.rely_on_all(condition)
    return True


def places_in(name: str, mask: Any) -> Any:
    """The places, counted row by row, where a mask of a trace holds, for what is called `name`.

    Errors: ValuesNeeded where not even the call knows them before its plan runs.
    """
    handler = tracing()
    found = handler.places(mask) if handler is not None else None
    if found is None:
        raise ValuesNeeded(name, for_shape=True)
    return found


class TraceHandler(Protocol):
    """The methods of a trace in progress for functions that have no operand to recognise it by."""

    def create(self, op: OpDef, attrs: Mapping[str, Any], requires_grad: bool) -> Any:
        """The traced value of an op without operands."""

    def random(self, op: OpDef, generator: Any, attrs: Mapping[str, Any], requires_grad: bool) -> Any:
        """The traced value of a draw; seed and offset are to be read, and the generator moved on, once a call."""

    def literal(self, data: Any, dtype: DType | None, requires_grad: bool) -> Any:
        """The traced value of ``gl.tensor(data)``."""

    def places(self, mask: Any) -> Any:
        """The places, counted row by row, where a mask holds; None where the call cannot know them before it runs."""

    def know_first(self, x: Any, number: Any) -> None:
        """A tensor of integers, as long as nobody writes it, begins with this number in every call."""

    def first_of(self, x: Any) -> Any:
        """The number that a tensor begins with in every call; None where that is not known."""

    def rely_on_default_device(self) -> None:
        """Every call of what is compiled finds the default device as it is now."""

    def rely_on_all(self, condition: Any) -> None:
        """Every call finds all elements of a tensor of bools True."""

    def warn(self, text: str) -> None:
        """Sees to it that every call gives this warning."""


class _Tracing(threading.local):
    handler: TraceHandler | None = None


TRACING = _Tracing()
"""A value for each thread: set `handler` while tracing, and put the old one back afterwards."""


def tracing() -> TraceHandler | None:
    """The trace that this thread is recording, or None."""
    return TRACING.handler
