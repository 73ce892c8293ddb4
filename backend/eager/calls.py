"""Calls of eager operations: small graphs that are compiled once, and kept by what they are of.

What no graph does is answered by NotImplemented, with nothing written: then NumPy computes it on the host.
"""

# Note [Kernels of eager mode]
# An operation is a graph of one node, a derivative rule one of a few, and goes through the same back end as a jitted
# function: one kernel, where the graph is one. The call is found by the operation, its attributes, and the dtypes,
# shapes and strides of its operands; numbers go to the kernel by value. For operands of other sizes that lie row by
# row, it is made of a program that was lowered once, see Note [Sizes of eager operations]. Errors are not told here:
# whatever a graph refuses, the host's NumPy is asked about, and has the words of eager mode on the CPU.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...core.asynchronous import is_asynchronous
from ...core.config import config
from ...core.dtypes import DType
from ...core.errors import CudaError, GraphError, KernelError, OpError
from ...core.rare_collections import RareCollections
from ...core.records import replace
from ..compile import CompiledGraph
from .operands import EagerOperand, Ints, array_operand, number_operand
from .programs import Call, EagerGraph, ResultForm, compiled_graph, gradients, operation, stepped
from .sized_programs import SizedOperands, SizedProgram, sized_program

if TYPE_CHECKING:
    from ...ops.derivative import Derivative
    from ...ops.registry import OpDef

Array = Any
"""An array of the kind that the calls are for."""
MOST_CALLS = 2048
"""The number of calls that are kept; then the oldest quarter of them is dropped."""
MOST_PROGRAMS = 6
"""The number of programs for one operation, for sizes of which other facts hold."""
_REFUSALS = (OpError, GraphError, KernelError)
"""The errors by which a graph says that it cannot be."""
Make = Callable[[list[EagerOperand], Sequence[Ints]], EagerGraph]
"""Makes the graph of an operation of its operands, and of further shapes."""


class EagerCall:
    """A compiled operation.

    run: gives the result for a tuple of operands; NotImplemented or Ellipsis where it does not.
    form: what becomes of its results; see `programs.ResultForm`."""

    __slots__ = ("convert", "form", "run")

    def __init__(self, run: Callable[[tuple[Any, ...]], Any], convert: tuple[Any, ...], form: ResultForm) -> None:
        self.run, self.form = run, form
        self.convert = convert if any(convert) else None

    def __call__(self, operands: tuple[Any, ...]) -> Any:
        """The result, or NotImplemented."""
        if self.convert is not None:
            try:
                operands = tuple([each if how is None else how(each) for each, how in zip(operands, self.convert)])
            except OverflowError:
                return NotImplemented
        found = self.run(operands)
        return NotImplemented if found is Ellipsis else found


class EagerCalls:
    """The operations of one device. A subclass says what its arrays are, and how a graph becomes a call."""

    array: ClassVar[type]
    """The type of its arrays; an operand of another type is a number."""
    most_sizes: ClassVar[int | None] = None
    """For how many sizes a graph is made of an operation, over equally many channels, that cannot be one program for
    many sizes; None for all."""

    def __init__(self) -> None:
        self._calls: dict[Any, EagerCall | None] = {}
        """None for what has no kernel."""
        self._programs: dict[Any, tuple[SizedProgram, ...]] = {}
        """By what they compute, and `sized_programs.Pattern`; they differ in the facts that they rely on."""
        self._for_these_alone: set[Any] = set()
        """The keys of what cannot be one program for many sizes."""
        self._made_for_sizes: dict[Any, set[Any]] = {}
        """By operation and channels the keys of what was made for one size each. They stay where a call is dropped, so
        that it is made again."""

    def built(self, compiled: CompiledGraph) -> Callable[[tuple[Any, ...]], Any]:
        """The function that runs a graph, see `EagerCall.run`. Errors: KernelError when a kernel does not compile."""
        raise NotImplementedError

    def refused(self, key: Any, reason: str) -> None:
        """Takes note of an operation that has no kernel, and why; here nothing comes of it."""

    def layout(self, value: Any) -> Any:
        """The part of a key that stands for an operand."""
        kind = type(value)
        if kind is self.array:
            return value.dtype, value.shape, value.strides
        return (kind, value.dtype, value.ndim) if kind is np.ndarray else kind

    def operation(self, op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """The result of an op, in memory of its own; NotImplemented where the host has to compute it.

        operands: arrays on the device, numbers, and arrays of the host without axes, which count as numbers."""
        key: list[Any] = [op, *map(self.layout, operands)]
        found = ()
        if attrs:
            found = of_attributes(attrs)
            key.append(found)
        known = tuple(key)
        try:
            call = self._calls[known]
        except (KeyError, TypeError):
            what = None if op.kernel_from.of_sizes else (op, found)
            call = self.found(known, what, operands, lambda given, _: operation(op, given, attrs), group=op)
        return NotImplemented if call is None else call(operands)

    def gradients(
        self,
        rules: Derivative,
        g: Array,
        values: Mapping[str, Any],
        shapes: Sequence[tuple[int, ...]],
        dtypes: Sequence[DType],
        attrs: Mapping[str, Any],
    ) -> Any:
        """The gradients that the rules of an op give: for each operand an array in its dtype, `g` itself, or None."""
        names = tuple(values)
        operands = (g, *values.values())
        what = (rules, names, tuple(dtypes), of_attributes(attrs))
        key = (what, tuple(shapes), *map(self.layout, operands))

        def make(given: list[EagerOperand], sized: Sequence[Ints]) -> EagerGraph:
            return gradients(rules, given, names, sized, dtypes, attrs)

        lasting = None if rules.kernel_from.of_sizes else what
        call = self.found(key, lasting, operands, make, shapes, group=rules)
        if call is None:
            return NotImplemented
        found = call(operands)
        return found if found is NotImplemented else call.form.filled(found, operands)

    def step(
        self,
        body: tuple[Call, ...],
        rows: Sequence[tuple[Array, ...]],
        numbers: Sequence[float],
        written: tuple[int, ...],
    ) -> Sequence[tuple[Array, ...]]:
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
        rows: Sequence[tuple[Array, ...]],
        numbers: Sequence[float],
        written: tuple[int, ...],
    ) -> Any:
        given = (*(each for row in rows for each in row), *map(float, numbers))
        key = ("step", body, len(rows), written, *map(self.layout, given))
        columns = len(rows[0])
        call = self.found(key, None, given, lambda found, _: stepped(body, found, len(rows), columns, written))
        return NotImplemented if call is None else call(given)

    def found(
        self,
        key: Any,
        what: Any,
        operands: tuple[Any, ...],
        make: Make,
        shapes: Sequence[Ints] = (),
        *,
        group: Any = None,
    ) -> EagerCall | None:
        """The call of a key, made where it is not known; None for what has no kernel.

        what: the part of the key that stays when sizes change; None where one program is not to serve many sizes.
        shapes: those that `make` is told, symbolic where the operands are.
        group: by which the sizes of what is made for each of them are counted, see `most_sizes`; None for no count."""
        try:
            return self._calls[key]
        except KeyError:
            pass
        except TypeError:  # an attribute is not hashable
            return None
        if len(self._calls) >= MOST_CALLS:
            for old in list(self._calls)[: MOST_CALLS // 4]:
                self._calls.pop(old, None)
        with RareCollections():
            found = self._calls[key] = self._made(key, what, operands, make, shapes, group)
        return found

    def _made(
        self, key: Any, what: Any, operands: tuple[Any, ...], make: Make, shapes: Sequence[Ints], group: Any
    ) -> EagerCall | None:
        given: list[EagerOperand] = []
        for each in operands:
            made = array_operand(each) if type(each) is self.array else number_operand(each)
            if made is None:
                self.refused(key, f"an operand is {described(each)}")
                return None
            given.append(replace(made, number=len(given)))
        try:
            found = self._for_sizes(what, given, make, shapes) if what is not None else None
            if found is None:
                if self.most_sizes is not None and group is not None:
                    if group.kernel_from.for_all_sizes:
                        self.refused(key, "no one program serves many sizes of operands that lie so")
                        return None
                    met = (group, *(each.type.shape[1:2] for each in given if each.kind == "array"))
                    made_before = self._made_for_sizes.setdefault(met, set())
                    if key not in made_before and len(made_before) >= self.most_sizes:
                        self.refused(key, f"kernels of it were made for {self.most_sizes} other sizes before")
                        return None
                    made_before.add(key)
                made_of = make(given, shapes)
                found = made_of, compiled_graph(made_of, given)
            run = self.built(found[1])
        except _REFUSALS as error:
            if isinstance(error, CudaError):
                raise
            self.refused(key, str(error))
            return None
        except (ValueError, TypeError, IndexError, NotImplementedError) as error:
            if config.raise_internal_errors:
                raise
            self.refused(key, f"{type(error).__name__}: {error}")
            return None
        convert = tuple(found[0].convert.get(k, each.convert) for k, each in enumerate(given))
        return EagerCall(run, convert, found[0].form)

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


def described(operand: Any) -> str:
    """An operand in a few words."""
    shape = getattr(operand, "shape", None)
    return type(operand).__name__ if shape is None else f"{operand.dtype}{list(shape)}"


def of_attributes(attrs: Mapping[str, Any]) -> Any:
    """The part of a key that stands for attributes: equal ones of another type, and zeros of another sign, differ."""
    return tuple([(name, _of_value(value)) for name, value in attrs.items()])


def _of_value(value: Any) -> Any:
    kind = type(value)
    if kind is tuple:
        kinds = tuple(map(type, value))
        return (kinds, value) if not kinds or set(kinds) == {int} else (kind, tuple(map(_of_value, value)))
    if kind is float and (not value or value != value):  # of two signs, and equal to nothing
        return kind, value.hex()
    return kind, value
