"""The kernels of eager mode: operations on arrays of a GPU, as calls of small graphs that are kept by what they are of.

What no kernel does is answered by NotImplemented, with nothing written: then the host computes it.
"""

# Note [Kernels of eager mode]
# An operation is a graph of one node, a derivative rule one of a few, and goes through the same back end as a jitted
# function: one kernel, where the graph is one. The call is found by the operation, its attributes, and the dtypes,
# shapes and strides of its operands; numbers go to the kernel by value. Kernels take sizes as arguments, so operands of
# other sizes cost a call to be lowered anew and no kernel to be compiled. Errors are not told here: whatever a graph
# refuses, the host's NumPy is asked about, and has the words of eager mode on the CPU.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.config import config
from ....core.devices.arrays import DeviceArray, overlap
from ....core.dtypes import DType
from ....core.errors import CudaError, GraphError, KernelError, OpError
from ....ops.creation import ARANGE, FULL
from ..call import CudaCall
from ..native.native_call import ASK
from .operands import Operand, array_operand, number_operand
from .programs import (
    Call,
    Form,
    Made,
    assigned,
    by_ufunc,
    compiled,
    copied,
    created,
    gradients,
    in_place,
    operation,
    stepped,
)

if TYPE_CHECKING:
    from ....ops.derivative import Derivative
    from ....ops.registry import OpDef
    from ..device import CudaDevice

MOST_CALLS = 4096
"""The number of calls that are kept; then the oldest quarter of them is dropped."""
_REFUSALS = (OpError, GraphError, KernelError)
"""The errors by which a graph says that it cannot be."""
_NUMBERS = frozenset((float, int, bool))
_NUMBERS_OF = {FULL: ("value",), ARANGE: ("start", "step")}
"""The attributes that are passed as numbers: other ones need no other kernel."""


class EagerCall:
    """A compiled operation.

    form: what becomes of its results; see `programs.Form`."""

    __slots__ = ("call", "convert", "form", "native")

    def __init__(self, call: CudaCall, convert: tuple[Any, ...], form: Form) -> None:
        self.call, self.form = call, form
        self.native = call.native or call_step_by_step
        self.convert = convert if any(convert) else None

    def __call__(self, operands: tuple[Any, ...]) -> Any:
        """The result, or NotImplemented."""
        if self.convert is not None:
            try:
                operands = tuple([each if how is None else how(each) for each, how in zip(operands, self.convert)])
            except OverflowError:
                return NotImplemented
        found = self.native(operands)
        if found is ASK:
            found = self.call(*operands)
        return NotImplemented if found is Ellipsis else found


def call_step_by_step(operands: tuple[Any, ...]) -> Any:
    """The answer in the place of a native call where there is none."""
    return ASK


class EagerKernels:
    """The operations of one device. See Note [Kernels of eager mode]."""

    def __init__(self, device: CudaDevice) -> None:
        self._device = device
        self._calls: dict[Any, EagerCall | None] = {}
        """None for what has no kernel."""

    def operation(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """The result of an op, in memory of its own; NotImplemented where the host has to compute it.

        operands: arrays on the device, numbers, and arrays of the host without axes, which count as numbers."""
        key: list[Any] = [op]
        for each in operands:
            kind = type(each)
            if kind is DeviceArray:
                key += (each.dtype, each.shape, each.strides)
            elif kind is np.ndarray:
                key += (kind, each.dtype, each.ndim)
            else:
                key.append(kind)
        if attrs:
            key.append(_of_attributes(attrs))
        call = self._found(tuple(key), operands, lambda given: operation(op, given, attrs))
        return NotImplemented if call is None else call(operands)

    def ufunc(self, ufunc: np.ufunc, inputs: tuple[Any, ...], target: DeviceArray | None) -> Any:
        """What one of NumPy's ufuncs gives, written to `target` unless that is None. NotImplemented as above, and where
        NumPy would change the dtype of an operand."""
        key: list[Any] = [ufunc]
        for each in inputs:
            kind = type(each)
            if kind is DeviceArray:
                key += (each.dtype, each.shape, each.strides)
            elif kind is np.ndarray:
                key += (kind, each.dtype, each.ndim)
            else:
                key.append(kind)
        if target is not None:
            others = tuple(None if _same(each, target) else each for each in inputs)
            key += (_layout(target), tuple([each is None for each in others]))
            return self._written(tuple(key), target, others, lambda given: by_ufunc(ufunc, given[1:], given[0]))
        call = self._found(tuple(key), inputs, lambda given: by_ufunc(ufunc, given))
        return NotImplemented if call is None else call(inputs)

    def create(self, op: OpDef, attrs: Mapping[str, Any], numbers: tuple[Any, ...] = ()) -> Any:
        """The result of an op that makes an array, of numbers at most; NotImplemented as `operation`."""
        names, values = _by_value(op, attrs)
        fixed = {name: value for name, value in attrs.items() if name not in names}
        operands = (*numbers, *values)
        key = (op, "made", *map(type, operands), _of_attributes(fixed))
        call = self._found(key, operands, lambda given: created(op, given, names, fixed))
        return NotImplemented if call is None else call(operands)

    def in_place(self, op: OpDef, target: DeviceArray, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """Makes the elements of `target` those of an op of `operands`, in its dtype. NotImplemented as above, and where
        the result has another shape."""
        others = tuple(None if _same(each, target) else each for each in operands)
        key = ("in place", op, _layout(target), *map(_layout, others), _of_attributes(attrs) if attrs else ())
        return self._written(key, target, others, lambda given: in_place(op, given, attrs))

    def assign(self, target: DeviceArray, value: Any) -> Any:
        """Makes the elements of `target` those of `value`, broadcast and cast. NotImplemented as above."""
        return self._written(("assign", _layout(target), _layout(value)), target, (value,), assigned)

    def copy(self, array: DeviceArray, strides: tuple[int, ...], dtype: DType | None = None) -> Any:
        """A copy with such strides, in bytes, which leave no gaps, in another dtype if one is given."""
        key = ("copy", _layout(array), strides, dtype)
        call = self._found(key, (array,), lambda given: copied(given, strides, dtype))
        return NotImplemented if call is None else call((array,))

    def gradients(
        self,
        rules: Derivative,
        g: DeviceArray,
        values: Mapping[str, Any],
        shapes: Sequence[tuple[int, ...]],
        dtypes: Sequence[DType],
        attrs: Mapping[str, Any],
    ) -> Any:
        """The gradients that the rules of an op give: for each operand an array in its dtype, `g` itself, or None."""
        names = tuple(values)
        operands = (g, *values.values())
        key = (rules, names, tuple(shapes), tuple(dtypes), *map(_layout, operands), _of_attributes(attrs))
        call = self._found(key, operands, lambda given: gradients(rules, given, names, shapes, dtypes, attrs))
        if call is None:
            return NotImplemented
        found = call(operands)
        return found if found is NotImplemented else call.form.filled(found, operands)

    def step(
        self,
        body: tuple[Call, ...],
        rows: Sequence[tuple[DeviceArray, ...]],
        numbers: Sequence[float],
        written: tuple[int, ...],
    ) -> Sequence[tuple[DeviceArray, ...]]:
        """Does the calls of a step in rows of arrays, in place; see `programs.stepped`. Gives the rows that are left to
        the host, the last ones.

        Rows that lie row by row, apart from each other, are stepped together, else one after the other."""
        rows = [row for row in rows if row[0].size]
        if len(rows) > 1 and all(each.flags.c_contiguous for row in rows for each in row):
            if self._step(body, rows, numbers, written) is not NotImplemented:
                return ()
        for k, row in enumerate(rows):
            if self._step(body, [row], numbers, written) is NotImplemented:
                return rows[k:]
        return ()

    def _step(
        self,
        body: tuple[Call, ...],
        rows: Sequence[tuple[DeviceArray, ...]],
        numbers: Sequence[float],
        written: tuple[int, ...],
    ) -> Any:
        given = (*(each for row in rows for each in row), *map(float, numbers))
        key = ("step", body, len(rows), written, *map(_layout, given))
        columns = len(rows[0])
        call = self._found(key, given, lambda found: stepped(body, found, len(rows), columns, written))
        return NotImplemented if call is None else call(given)

    # -- calls ---------------------------------------------------------------------------------------------------------
    def _written(self, key: Any, target: DeviceArray, others: tuple[Any, ...], make: Callable[..., Made]) -> Any:
        """The answer of a call that writes to `target`; others that share memory with it are copied first. None among
        the others: they are the target."""
        given = tuple(each for each in others if each is not None)
        call = self._found(key, (target, *given), lambda found: make(_inserted(found, others)))
        if call is None:
            return NotImplemented
        found = call((target, *given))
        if found is NotImplemented:
            apart = tuple(
                each.copy() if type(each) is DeviceArray and overlap(each, target) else each for each in given
            )
            if any(one is not other for one, other in zip(apart, given)):
                key = (*key, *map(_layout, apart))
                call = self._found(key, (target, *apart), lambda found: make(_inserted(found, others)))
                found = NotImplemented if call is None else call((target, *apart))
        return found

    def _found(self, key: Any, operands: tuple[Any, ...], make: Callable[[list[Operand]], Made]) -> EagerCall | None:
        """The call of a key, made where it is not known; None for what has no kernel."""
        try:
            return self._calls[key]
        except KeyError:
            pass
        except TypeError:  # an attribute is not hashable
            return None
        if len(self._calls) >= MOST_CALLS:
            for old in list(self._calls)[: MOST_CALLS // 4]:
                self._calls.pop(old, None)
        found = self._calls[key] = self._made(operands, make)
        return found

    def _made(self, operands: tuple[Any, ...], make: Callable[[list[Operand]], Made]) -> EagerCall | None:
        given: list[Operand] = []
        for each in operands:
            made = array_operand(each) if type(each) is DeviceArray else number_operand(each)
            if made is None:
                return None
            given.append(made)
        try:
            made_of = make(given)
            call = compiled(made_of, given, self._device)
        except _REFUSALS as error:
            if isinstance(error, CudaError):
                raise
            return None
        except (ValueError, TypeError, IndexError, NotImplementedError):
            if config.raise_internal_errors:
                raise
            return None
        return EagerCall(call, tuple(made_of.convert.get(id(each), each.convert) for each in given), made_of.form)


def _inserted(given: list[Operand], others: tuple[Any, ...]) -> list[Operand]:
    """The operands of a call that writes to the first of them, with that one where `others` have None."""
    rest = iter(given[1:])
    return [given[0], *(given[0] if each is None else next(rest) for each in others)]


def _same(value: Any, target: DeviceArray) -> bool:
    """Whether two arrays are the same elements of the same memory."""
    return value is target or (
        type(value) is DeviceArray and value.address == target.address and _layout(value) == _layout(target)
    )


def _layout(value: Any) -> Any:
    """The part of a key that stands for an operand."""
    kind = type(value)
    if kind is DeviceArray:
        return value.dtype, value.shape, value.strides
    return (kind, value.dtype, value.ndim) if kind is np.ndarray else kind


def _of_attributes(attrs: Mapping[str, Any]) -> Any:
    """The part of a key that stands for attributes: equal ones of another type, and zeros of another sign, differ."""
    return tuple([(name, _of_value(value)) for name, value in attrs.items()])


def _of_value(value: Any) -> Any:
    kind = type(value)
    if kind is tuple:
        kinds = tuple(map(type, value))
        return (kinds, value) if not kinds or set(kinds) == {int} else (kind, tuple(map(_of_value, value)))
    return (kind, value.hex()) if kind is float else (kind, value)


def _by_value(op: OpDef, attrs: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """The attributes of an op that are numbers of each call, as their names and values."""
    names = tuple(name for name in _NUMBERS_OF.get(op, ()) if type(attrs[name]) in _NUMBERS)
    return names, tuple(attrs[name] for name in names)
