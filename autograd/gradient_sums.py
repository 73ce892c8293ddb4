"""Gradients that meet at a node: their sums, in the order in which they come."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.devices.arrays import ARRAY_TYPES
from ..core.devices.host_or_device import as_array
from ..core.errors import NoArrayError
from ..ops.pointwise import ADD
from ..tensor.dispatch import apply
from ..tensor.ignored_errstate import ignoring_errstate
from ..tensor.narrow import adding
from .modes import MODES
from .raw_gradients import array_of, as_tensor


class GradientSums:
    """The gradients that have come to a node to which several come."""

    __slots__ = ("_missing", "_sums")

    def __init__(self, missing: int, outputs: int) -> None:
        self._missing = missing
        self._sums: list[Any] = [None] * outputs
        """For each output None, a gradient, or a sum in a list, which only we hold."""

    def add(self, number: int, gradient: Any) -> int:
        """Takes one more for that output; gives how many have yet to come."""
        if gradient is not None:
            before = self._sums[number]
            self._sums[number] = gradient if before is None else added(before, gradient)
        self._missing -= 1
        return self._missing

    def gradients(self) -> list[Any]:
        """The sums, which may be raw; to be asked for once."""
        return [each[0] if type(each) is list else each for each in self._sums]


def added(before: Any, gradient: Any) -> list[Any]:
    """The sum of two gradients, in a list that only we hold: a later one is added in place, if it is raw."""
    target = None
    if type(before) is list:
        before = before[0]
        if isinstance(before, ARRAY_TYPES):
            target = before
    try:
        if not MODES.grad_enabled:
            left, right = array_of(before), array_of(gradient)
            total = ignoring_errstate(adding(left), left, right, target)
            return [total if type(total) is np.ndarray else as_array(total)]
    except NoArrayError:
        pass
    return [apply(ADD, as_tensor(before), as_tensor(gradient))]
