"""Kernels in the place of NumPy on the CPU, where NumPy takes several passes over arrays that are long enough."""

# Note [NumPy or a kernel]
# An op says from how many elements on a kernel serves it (`ops.registry.KernelFrom`): below, NumPy is quicker, and
# nothing is compiled. The choice depends on the op and its operands alone, so that bits do not change in the midst of a
# training. A kernel answers NotImplemented where no graph takes the operands; NumPy computes then, or has the error.
#
# Where both give the same bits, as for uniform draws, gradients of products and the steps of most optimizers, NumPy
# computes until it has taken about as long as it takes to load what lowers graphs: a program that draws its parameters
# and makes a few small steps never loads that. What something else has loaded is used at once.

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.config import config
from ..core.dtypes import DType
from ..core.floors import HOST_CALLS, asked
from ..core.package import PACKAGE
from ..ops.registry import MANY, OpDef

if TYPE_CHECKING:
    from ..ops.derivative import Derivative

Array = np.ndarray[Any, Any]
Kernel = Callable[..., Any]
_ndarray = np.ndarray


_LOWERS_GRAPHS = f"{PACKAGE}.backend.lowered"
"""The module that takes long to load."""
LOADING = 0.1
"""The time that NumPy may take before it is loaded. Units: seconds."""
_DRAW, _UPDATE = 4e-8, 1e-9
"""About the time that NumPy takes to draw a number, and for one operation of an update. Units: seconds an element."""


class _Kernels:
    """Whether kernels are to be used, and the calls of them, once some have been asked for.

    waited: the time that NumPy has taken in their place because they were not loaded.
    """

    def __init__(self) -> None:
        self.used = True
        self.waited = 0.0
        config.follow("eager_kernels", self._use)

    def _use(self, used: bool) -> None:
        self.used = used

    def worth_loading(self, seconds: float) -> bool:
        """Whether to use kernels for what takes NumPy so long and gives the same bits."""
        if self.waited < LOADING and _LOWERS_GRAPHS not in sys.modules:
            self.waited += seconds
            return False
        return True

    @cached_property
    def calls(self) -> Any:
        """The calls of `backend/eager/host.py`."""
        return asked(HOST_CALLS).CALLS


_KERNELS = _Kernels()
PLACE_OF_DRAWS = ("seed", "offset")
"""The operands of ops that draw random numbers."""


def from_size(op: OpDef, least: int, kernel: Kernel) -> Kernel:
    """`kernel`, but compiled code where an operand has so many elements; of an op that draws numbers, the result."""

    def chosen(*arrays: Any, **attrs: Any) -> Any:
        for array in arrays:
            if type(array) is _ndarray and array.size >= least:
                break
        else:
            return kernel(*arrays, **attrs)
        found = _KERNELS.calls.operation(op, arrays, attrs) if _KERNELS.used else NotImplemented
        return kernel(*arrays, **attrs) if found is NotImplemented else found

    def drawn(*place: Any, **attrs: Any) -> Any:
        found = NotImplemented
        count = math.prod(attrs["shape"])
        if count >= least and _KERNELS.used and set(map(type, place)) == {_ndarray}:
            if not op.exact or _KERNELS.worth_loading(count * _DRAW):
                found = _KERNELS.calls.draw(op, place, attrs)
        return kernel(*place, **attrs) if found is NotImplemented else found

    return drawn if op.operands == PLACE_OF_DRAWS else chosen


def formula_call(
    formula: Callable[..., Sequence[Any]], targets: Sequence[Array], operands: Sequence[Array], times: int = 1
) -> Callable[[tuple[Array, ...]], Any]:
    """The call that writes to targets what a formula gives, over an emitter, of their values and of operands: it takes
    all of them in a tuple. It answers NotImplemented, and nothing is done, where NumPy has to compute it.

    times: how often it will be called; the elements of a target, so often, decide whether there is a kernel.
    """
    found = None
    if targets[0].size * times >= MANY and _KERNELS.used:
        found = _KERNELS.calls.formula(formula, targets, operands)
    return _no_kernel if found is None else found


def _no_kernel(arrays: tuple[Array, ...]) -> Any:
    return NotImplemented


def step_row(body: Any, row: Sequence[Array], numbers: Sequence[float], written: tuple[int, ...]) -> bool:
    """Does the calls of an optimizer's step in a row of arrays of one shape and dtype, in place: see
    `backend.eager.programs.stepped`. False, and nothing is done, where NumPy has to."""
    if not _KERNELS.used or not all(each.flags.c_contiguous for each in row):
        return False
    is_exact = all(op is None or op.exact for op, *_ in body)
    if is_exact and not _KERNELS.worth_loading(row[0].size * len(body) * _UPDATE):
        return False
    return _KERNELS.calls.step_row(body, [each.reshape(-1) for each in row], numbers, written)  # type: ignore[no-any-return]


def gradients(
    rules: Derivative,
    g: Array,
    values: Mapping[str, Any],
    shapes: Sequence[tuple[int, ...]],
    dtypes: Sequence[DType],
    attrs: Mapping[str, Any],
) -> Any:
    """The gradients that compiled code gives for an op of which `g` is long enough; NotImplemented where NumPy has to.

    For each operand an array in its dtype, `g` itself, or None.
    """
    if not _KERNELS.used:
        return NotImplemented
    if rules.kernel_from.same_bits and all(each == g.shape for each in shapes):
        if not _KERNELS.worth_loading(g.size * len(rules.rules) * _UPDATE):
            return NotImplemented
    return _KERNELS.calls.gradients(rules, g, values, shapes, dtypes, attrs)
