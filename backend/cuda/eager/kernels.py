"""The kernels of eager mode on a GPU: every operation on its arrays, as calls of small graphs.

What no kernel does is answered by NotImplemented, with nothing written: then the host computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import copysign
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.devices import CUDA
from ....core.devices.arrays import DeviceArray, empty
from ....core.devices.host_or_device import overlap
from ....core.dtypes import DType
from ....ops.creation import ARANGE, FULL
from ...compile import CompiledGraph
from ...eager.calls import EagerCalls, Make, of_attributes
from ...eager.operands import EagerOperand, Ints, array_operand
from ...eager.programs import EagerGraph, assigned, by_ufunc, copied, created, in_place
from ..call import build
from ..native.native_call import ASK
from ..ordering.selection import MOST_ELEMENTS, nonzero

if TYPE_CHECKING:
    from ....ops.registry import OpDef
    from ..device import CudaDevice

_NUMBERS = frozenset((float, int, bool))
_NUMBERS_OF = {FULL: ("value",), ARANGE: ("start", "step")}
"""The attributes that are passed as numbers: other ones need no other kernel."""


class EagerKernels(EagerCalls):
    """The operations of one GPU. See Note [Kernels of eager mode] in `backend/eager/calls.py`."""

    array = DeviceArray

    def __init__(self, device: CudaDevice) -> None:
        super().__init__()
        self._device = device

    def built(self, compiled: CompiledGraph) -> Callable[[tuple[Any, ...]], Any]:
        """See `EagerCalls.built`."""
        call = build(compiled, device=self._device, by_value=True)
        native = call.native
        if native is None or call.plan.settings:  # which the call asks about
            return lambda operands: call(*operands)

        def run(operands: tuple[Any, ...]) -> Any:
            found = native(operands)
            return call(*operands) if found is ASK else found

        return run

    def ufunc(self, ufunc: np.ufunc, inputs: tuple[Any, ...], target: DeviceArray | None) -> Any:
        """The result of one of NumPy's ufuncs, written to `target` unless that is None. NotImplemented as above, and
        where NumPy would change the dtype of an operand."""
        key: list[Any] = [ufunc, *map(self.layout, inputs)]
        if target is not None:
            others = tuple(None if self._same(each, target) else each for each in inputs)
            key.append(self.layout(target))
            return self._written(
                tuple(key), (ufunc,), target, others, lambda given, _: by_ufunc(ufunc, given[1:], given[0])
            )
        call = self.found(tuple(key), (ufunc,), inputs, lambda given, _: by_ufunc(ufunc, given))
        return NotImplemented if call is None else call(inputs)

    def create(self, op: OpDef, attrs: Mapping[str, Any], numbers: tuple[Any, ...] = ()) -> Any:
        """The result of an op that makes an array, of numbers at most; NotImplemented as `operation`.

        Zeros take no kernel: the driver clears memory. So what an optimizer begins with compiles nothing."""
        if op is FULL and not numbers and _is_zero(**attrs):
            made = empty(attrs["shape"], attrs["dtype"].numpy)
            self._device.clear(made.address, made.nbytes)
            return made
        names, values = _by_value(op, attrs)
        fixed = {name: value for name, value in attrs.items() if name not in names}
        operands = (*numbers, *values)
        key = (op, "made", *map(type, operands), of_attributes(fixed))
        call = self.found(key, None, operands, lambda given, _: created(op, given, names, fixed, CUDA))
        return NotImplemented if call is None else call(operands)

    def in_place(self, op: OpDef, target: DeviceArray, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """Makes the elements of `target` those of an op of `operands`, in its dtype. NotImplemented as above, and where
        the result has another shape."""
        others = tuple(None if self._same(each, target) else each for each in operands)
        found = of_attributes(attrs) if attrs else ()
        key = ("in place", op, self.layout(target), *map(self.layout, others), found)
        return self._written(key, ("in place", op, found), target, others, lambda given, _: in_place(op, given, attrs))

    def assign(self, target: DeviceArray, value: Any) -> Any:
        """Makes the elements of `target` those of `value`, broadcast and cast. NotImplemented as above."""
        key = ("assign", self.layout(target), self.layout(value))
        return self._written(key, ("assign",), target, (value,), lambda given, _: assigned(given))

    def copy(self, array: DeviceArray, strides: tuple[int, ...], dtype: DType | None = None) -> Any:
        """A copy with such strides, in bytes, which leave no gaps, in another dtype if one is given."""
        key = ("copy", self.layout(array), strides, dtype)
        call = self.found(key, None, (array,), lambda given, _: copied(given, strides, dtype))
        return NotImplemented if call is None else call((array,))

    def _same(self, value: Any, target: DeviceArray) -> bool:
        """Whether two arrays are the same elements of the same memory."""
        return value is target or (
            type(value) is DeviceArray and value.address == target.address and self.layout(value) == self.layout(target)
        )

    def nonzero(self, array: DeviceArray, by_axis: bool) -> Any:
        """The places of what is not zero, row by row: [count, axes], or [axes, count] if `by_axis`."""
        operand = array_operand(array)
        if operand is None or not array.shape or array.size > MOST_ELEMENTS:
            return NotImplemented
        return nonzero(self._device, operand, by_axis)

    # -- calls ---------------------------------------------------------------------------------------------------------
    def _written(self, key: Any, what: Any, target: DeviceArray, others: tuple[Any, ...], make: Make) -> Any:
        """The answer of a call that writes to `target`; others that share memory with it are copied first. None among
        the others: they are the target."""
        given = tuple(each for each in others if each is not None)
        what = (what, tuple([each is None for each in others]))
        key = (key, what[1])

        def over(found: list[EagerOperand], shapes: Sequence[Ints]) -> EagerGraph:
            return make(_inserted(found, others), shapes)

        call = self.found(key, what, (target, *given), over)
        if call is None:
            return NotImplemented
        found = call((target, *given))
        if found is NotImplemented:
            apart = tuple(
                each.copy() if type(each) is DeviceArray and overlap(each, target) else each for each in given
            )
            if any(one is not other for one, other in zip(apart, given)):
                call = self.found((key, *map(self.layout, apart)), what, (target, *apart), over)
                found = NotImplemented if call is None else call((target, *apart))
        return found


def _inserted(given: list[EagerOperand], others: tuple[Any, ...]) -> list[EagerOperand]:
    """The operands of a call that writes to the first of them, with that one where `others` have None."""
    rest = iter(given[1:])
    return [given[0], *(given[0] if each is None else next(rest) for each in others)]


def _is_zero(value: Any, shape: Ints, dtype: DType) -> bool:
    """Whether all bits of so many such elements are zero, of which there are some; minus zero has one that is not."""
    return type(value) in _NUMBERS and not value and copysign(1, value) > 0 and 0 not in shape


def _by_value(op: OpDef, attrs: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """The attributes of an op that are numbers of each call, as their names and values."""
    names = tuple(name for name in _NUMBERS_OF.get(op, ()) if type(attrs[name]) in _NUMBERS)
    return names, tuple(attrs[name] for name in names)
