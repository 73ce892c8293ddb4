"""The kernels of eager mode: operations on arrays of a GPU, as calls of small graphs that are kept by what they are of.

What no kernel does is answered by NotImplemented, with nothing written: then the host computes it.
"""

# Note [Kernels of eager mode]
# An operation is a graph of one node, a derivative rule one of a few, and goes through the same back end as a jitted
# function: one kernel, where the graph is one. The call is found by the operation, its attributes, and the dtypes,
# shapes and strides of its operands; numbers go to the kernel by value. For operands of other sizes that lie row by
# row, it is made of a program that was lowered once, see Note [Sizes of eager operations]. Errors are not told here:
# whatever a graph refuses, the host's NumPy is asked about, and has the words of eager mode on the CPU.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.asynchronous import is_asynchronous
from ....core.config import config
from ....core.devices.arrays import DeviceArray
from ....core.devices.host_or_device import overlap
from ....core.dtypes import DType
from ....core.errors import CudaError, GraphError, KernelError, OpError
from ....ops.creation import ARANGE, FULL
from ...compile import CompiledGraph
from ..call import CudaCall, build
from ..native.native_call import ASK
from ..ordering.selection import MOST_ELEMENTS, nonzero
from .operands import EagerOperand, Ints, array_operand, number_operand
from .programs import (
    Call,
    EagerGraph,
    ResultForm,
    assigned,
    by_ufunc,
    compiled_graph,
    copied,
    created,
    gradients,
    in_place,
    operation,
    stepped,
)
from .sized_programs import SizedOperands, SizedProgram, sized_program

if TYPE_CHECKING:
    from ....ops.derivative import Derivative
    from ....ops.registry import OpDef
    from ..device import CudaDevice

MOST_CALLS = 2048
"""The number of calls that are kept; then the oldest quarter of them is dropped."""
MOST_PROGRAMS = 6
"""The number of programs for one operation, for sizes of which other facts hold."""
_REFUSALS = (OpError, GraphError, KernelError)
"""The errors by which a graph says that it cannot be."""
Make = Callable[[list[EagerOperand], Sequence[Ints]], EagerGraph]
"""Makes the graph of an operation of its operands, and of further shapes."""
_NUMBERS = frozenset((float, int, bool))
_NUMBERS_OF = {FULL: ("value",), ARANGE: ("start", "step")}
"""The attributes that are passed as numbers: other ones need no other kernel."""


class EagerCall:
    """A compiled operation.

    form: what becomes of its results; see `programs.ResultForm`."""

    __slots__ = ("call", "convert", "form", "native")

    def __init__(self, call: CudaCall, convert: tuple[Any, ...], form: ResultForm) -> None:
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
        self._programs: dict[Any, tuple[SizedProgram, ...]] = {}
        """By what they compute, and `sized_programs.Pattern`; they differ in the facts that they rely on."""
        self._for_these_alone: set[Any] = set()
        """The keys of what cannot be one program for many sizes."""

    def operation(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """The result of an op, in memory of its own; NotImplemented where the host has to compute it.

        operands: arrays on the device, numbers, and arrays of the host without axes, which count as numbers."""
        key: list[Any] = [op, *map(_layout, operands)]
        found = ()
        if attrs:
            found = _of_attributes(attrs)
            key.append(found)
        known = tuple(key)
        try:
            call = self._calls[known]
        except (KeyError, TypeError):
            call = self._found(known, (op, found), operands, lambda given, _: operation(op, given, attrs))
        return NotImplemented if call is None else call(operands)

    def ufunc(self, ufunc: np.ufunc, inputs: tuple[Any, ...], target: DeviceArray | None) -> Any:
        """The result of one of NumPy's ufuncs, written to `target` unless that is None. NotImplemented as above, and
        where NumPy would change the dtype of an operand."""
        key: list[Any] = [ufunc, *map(_layout, inputs)]
        if target is not None:
            others = tuple(None if _same(each, target) else each for each in inputs)
            key.append(_layout(target))
            return self._written(
                tuple(key), (ufunc,), target, others, lambda given, _: by_ufunc(ufunc, given[1:], given[0])
            )
        call = self._found(tuple(key), (ufunc,), inputs, lambda given, _: by_ufunc(ufunc, given))
        return NotImplemented if call is None else call(inputs)

    def create(self, op: OpDef, attrs: Mapping[str, Any], numbers: tuple[Any, ...] = ()) -> Any:
        """The result of an op that makes an array, of numbers at most; NotImplemented as `operation`."""
        names, values = _by_value(op, attrs)
        fixed = {name: value for name, value in attrs.items() if name not in names}
        operands = (*numbers, *values)
        key = (op, "made", *map(type, operands), _of_attributes(fixed))
        call = self._found(key, None, operands, lambda given, _: created(op, given, names, fixed))
        return NotImplemented if call is None else call(operands)

    def in_place(self, op: OpDef, target: DeviceArray, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """Makes the elements of `target` those of an op of `operands`, in its dtype. NotImplemented as above, and where
        the result has another shape."""
        others = tuple(None if _same(each, target) else each for each in operands)
        found = _of_attributes(attrs) if attrs else ()
        key = ("in place", op, _layout(target), *map(_layout, others), found)
        return self._written(key, ("in place", op, found), target, others, lambda given, _: in_place(op, given, attrs))

    def assign(self, target: DeviceArray, value: Any) -> Any:
        """Makes the elements of `target` those of `value`, broadcast and cast. NotImplemented as above."""
        key = ("assign", _layout(target), _layout(value))
        return self._written(key, ("assign",), target, (value,), lambda given, _: assigned(given))

    def copy(self, array: DeviceArray, strides: tuple[int, ...], dtype: DType | None = None) -> Any:
        """A copy with such strides, in bytes, which leave no gaps, in another dtype if one is given."""
        key = ("copy", _layout(array), strides, dtype)
        call = self._found(key, None, (array,), lambda given, _: copied(given, strides, dtype))
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
        what = (rules, names, tuple(dtypes), _of_attributes(attrs))
        key = (what, tuple(shapes), *map(_layout, operands))

        def make(given: list[EagerOperand], sized: Sequence[Ints]) -> EagerGraph:
            return gradients(rules, given, names, sized, dtypes, attrs)

        call = self._found(key, what, operands, make, shapes)
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
        call = self._found(key, None, given, lambda found, _: stepped(body, found, len(rows), columns, written))
        return NotImplemented if call is None else call(given)

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

        call = self._found(key, what, (target, *given), over)
        if call is None:
            return NotImplemented
        found = call((target, *given))
        if found is NotImplemented:
            apart = tuple(
                each.copy() if type(each) is DeviceArray and overlap(each, target) else each for each in given
            )
            if any(one is not other for one, other in zip(apart, given)):
                call = self._found((key, *map(_layout, apart)), what, (target, *apart), over)
                found = NotImplemented if call is None else call((target, *apart))
        return found

    def _found(
        self, key: Any, what: Any, operands: tuple[Any, ...], make: Make, shapes: Sequence[Ints] = ()
    ) -> EagerCall | None:
        """The call of a key, made where it is not known; None for what has no kernel.

        what: the part of the key that stays when sizes change; None where one program is not to serve many sizes.
        shapes: those that `make` is told, symbolic where the operands are."""
        try:
            return self._calls[key]
        except KeyError:
            pass
        except TypeError:  # an attribute is not hashable
            return None
        if len(self._calls) >= MOST_CALLS:
            for old in list(self._calls)[: MOST_CALLS // 4]:
                self._calls.pop(old, None)
        found = self._calls[key] = self._made(what, operands, make, shapes)
        return found

    def _made(self, what: Any, operands: tuple[Any, ...], make: Make, shapes: Sequence[Ints]) -> EagerCall | None:
        given: list[EagerOperand] = []
        for each in operands:
            made = array_operand(each) if type(each) is DeviceArray else number_operand(each)
            if made is None:
                return None
            given.append(replace(made, number=len(given)))
        try:
            found = self._for_sizes(what, given, make, shapes) if what is not None else None
            if found is None:
                made_of = make(given, shapes)
                found = made_of, compiled_graph(made_of, given)
            call = build(found[1], device=self._device, by_value=True)
        except _REFUSALS as error:
            if isinstance(error, CudaError):
                raise
            return None
        except (ValueError, TypeError, IndexError, NotImplementedError):
            if config.raise_internal_errors:
                raise
            return None
        convert = tuple(found[0].convert.get(k, each.convert) for k, each in enumerate(given))
        return EagerCall(call, convert, found[0].form)

    def _for_sizes(
        self, what: Any, given: list[EagerOperand], make: Make, shapes: Sequence[Ints]
    ) -> tuple[EagerGraph, CompiledGraph] | None:
        """The program of an operation for many sizes, bound to these; None where it is to be made for these alone."""
        sized = SizedOperands.of(given, shapes)
        if sized is None:
            return None
        key = (what, sized.pattern)
        programs = self._programs.get(key, ())
        for each in programs:
            bound = each.at(sized.values)
            if bound is not None:
                return each.made, bound
        if len(programs) == MOST_PROGRAMS or key in self._for_these_alone:
            return None
        try:
            program = sized_program(given, sized, shapes, make)
        except Exception as error:
            if isinstance(error, CudaError) or is_asynchronous(error):
                raise
            program = None  # there is lowering that knows ints alone; whether these are refused, the next attempt says
        bound = None if program is None else program.at(sized.values)
        if program is None or bound is None:
            self._for_these_alone.add(key)
            return None
        self._programs[key] = (*programs, program)
        return program.made, bound


def _inserted(given: list[EagerOperand], others: tuple[Any, ...]) -> list[EagerOperand]:
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
