"""A formula as a list of NumPy calls that write where something is no longer needed: what eager steps run.

A formula (see `formulas`) is followed once for each combination of its booleans, with values that note down what is
done with them. Between scalars that is arithmetic to be done once in a step; between arrays, a ufunc to be called for
each piece of the parameters (see `pieces`), each with a place for its result.
"""

# Note [Places]
# The places are the columns of a row (the parameter, its gradient, its state), then work arrays. A place is free when
# nothing reads what it holds after the call; the gradient's never is. A result goes to the column that it is the new
# value of, if that is free, else to any free place, a column that is written later among them. All operations are
# element by element, so that a result may lie where an operand lies. What a comparison gives lies there as 1.0 and 0.0.
# New values that could not go to their column are copied there in the end.

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices.arrays import kernels_for
from ..core.dtypes import DType
from ..core.records import dataclass
from ..ops.emitter import Emitter, ufunc_of
from ..ops.registry import OPS, OpDef
from ..tensor.host_kernels import step_row
from .pieces import SHORT, Row, check_alike, pieces

_BETWEEN_SCALARS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "power": operator.pow,
    "negative": operator.neg,
}
"""The operators of Python's numbers and NumPy's scalars, by the op's name; one costs less than a ufunc."""


class Noted:
    """A value of a formula that is being noted down: an array of the piece, or a scalar of the step."""

    __slots__ = ("dtype", "is_array")

    def __init__(self, dtype: DType, is_array: bool) -> None:
        self.dtype = dtype
        self.is_array = is_array


Operand = Noted | float
Call = tuple[Callable[..., Any], tuple[Operand, ...], Noted]


@dataclass
class UpdateRecorder(Emitter):
    """An emitter that notes down operations: those between scalars, and those with an array among their operands."""

    between_scalars: list[Call] = field(default_factory=list)
    on_arrays: list[Call] = field(default_factory=list)

    def apply(self, op: OpDef, *operands: Any, **attrs: object) -> Noted:
        """A value that stands for what `op` will give."""
        noted = [each for each in operands if isinstance(each, Noted)]
        arrays = [each for each in noted if each.is_array]
        if op is OPS["cast"]:
            return self._cast(noted[0], attrs["dtype"])
        result = Noted((arrays or noted)[0].dtype, bool(arrays))
        if op is OPS["where"]:
            (self.on_arrays if arrays else self.between_scalars).append(
                (_choose if arrays else _chosen, operands, result)
            )
            return result
        ufunc = ufunc_of(op)
        assert ufunc is not None, op
        if arrays:
            self.on_arrays.append((ufunc, operands, result))
        else:
            self.between_scalars.append((_BETWEEN_SCALARS.get(op.name, ufunc), operands, result))
        return result

    def _cast(self, value: Noted, dtype: Any) -> Noted:
        assert not value.is_array, "a formula computes in the parameter's dtype"
        result = Noted(dtype, False)
        convert = float if dtype is dtypes.float64 else dtype.numpy.type
        self.between_scalars.append((convert, (value,), result))
        return result

    def dtype(self, value: Any) -> DType:
        """The dtype of a value."""
        found: DType = value.dtype
        return found


@dataclass(frozen=True)
class StepProgram:
    """A formula for parameters of one dtype.

    columns: the names of the arrays of a row, and written: the numbers of those that are changed.
    scalars: calls (function, operands, number of the result) over a list that begins with the step's own scalars, and
    singles: the new value of each of them that is remembered, by name.   body: the same over a piece and the scalars.
    """

    columns: tuple[str, ...]
    written: tuple[int, ...]
    given: tuple[str, ...]
    constants: tuple[float, ...]
    scalars: tuple[tuple[Any, ...], ...]
    singles: dict[str, int]
    work: int
    body: tuple[tuple[Any, ...], ...]

    def run(self, rows: Sequence[Row], values: dict[str, Any]) -> dict[str, Any]:
        """Steps all rows in place; gives the new value of every scalar that is remembered."""
        numbers = self._numbers(values)
        body = self.body
        used, calls = self._calls
        read = [numbers[each] for each in used]

        def by_kernel(row: Row) -> bool:
            return step_row(calls, row, read, self.written)

        columns = len(self.columns)
        for piece in pieces(rows, self.written, self.work, by_kernel):
            if piece[0].size > SHORT and piece[0].ndim == 1 and by_kernel(piece[:columns]):
                continue
            places = [*piece, *numbers]
            for function, operands, out in body:
                function(*[places[each] for each in operands], out=places[out])
        return {name: numbers[place] for name, place in self.singles.items()}

    def run_by_kernels(self, rows: Sequence[Row], values: dict[str, Any]) -> tuple[Sequence[Row], dict[str, Any]]:
        """As `run`, by kernels of the device on which rows lie, in whatever dtype of floats. Gives the rows that no
        kernel has stepped, and the new values."""
        kernels = kernels_for(rows[0])
        if kernels is None:
            return rows, {}
        for row in rows:
            check_alike(row)
        numbers = self._numbers(values)
        used, calls = self._calls
        left = kernels.step(calls, rows, [numbers[each] for each in used], self.written)
        return left, {name: numbers[place] for name, place in self.singles.items()}

    def _numbers(self, values: dict[str, Any]) -> list[Any]:
        """The scalars of a step: those given, the constants, and what is computed of them."""
        numbers = [*[values[name] for name in self.given], *self.constants]
        for function, operands, _ in self.scalars:
            numbers.append(function(*[numbers[each] for each in operands]))
        return numbers

    @cached_property
    def _calls(self) -> tuple[tuple[int, ...], tuple[tuple[OpDef | None, tuple[int, ...], int], ...]]:
        """The scalars that the body reads, and the body in ops, which read these behind the columns of a row."""
        columns = len(self.columns)
        first = columns + self.work
        used = tuple(sorted({each - first for _, operands, _ in self.body for each in operands if each >= first}))
        place = {each: each for each in range(columns)}
        place.update({first + number: columns + k for k, number in enumerate(used)})
        place.update({columns + k: columns + len(used) + k for k in range(self.work)})
        ops: dict[Any, OpDef | None] = {_choose: OPS["where"], _copy: None}
        return used, tuple(
            (
                ops[function] if function in ops else OPS[function.__name__],
                tuple(place[each] for each in operands),
                place[out],
            )
            for function, operands, out in self.body
        )


def _choose(condition: Any, chosen: Any, other: Any, *, out: Any) -> None:
    """`where` in place; a condition of each element comes as 1.0 or 0.0, as comparisons leave it in a place."""
    np.copyto(out, np.where(condition, chosen, other))


def _chosen(condition: Any, chosen: Any, other: Any) -> Any:
    return chosen if condition else other


def _copy(source: Any, *, out: Any) -> None:
    out[...] = source


def program(
    formula: Callable[..., dict[str, Any]],
    columns: Sequence[str],
    scalars: dict[str, DType],
    dtype: DType,
    missing: Sequence[str],
    flags: dict[str, bool],
) -> StepProgram:
    """The program of `formula`: `columns` are arrays of `dtype`, those of `missing` not there yet."""
    recorder = UpdateRecorder()
    arrays = {name: Noted(dtype, True) for name in columns if name not in missing}
    given = {name: Noted(of, False) for name, of in scalars.items()}
    new = formula(recorder, **arrays, **given, **flags)
    numbers: dict[Any, int] = {each: place for place, each in enumerate(given.values())}
    constants: list[float] = []
    for _, operands, _ in (*recorder.between_scalars, *recorder.on_arrays):
        for each in operands:
            if not isinstance(each, Noted) and each not in constants:
                constants.append(each)
    numbers.update({each: len(given) + place for place, each in enumerate(constants)})
    prologue = []
    for function, operands, result in recorder.between_scalars:
        prologue.append((function, tuple(numbers[each] for each in operands), len(numbers)))
        numbers[result] = len(numbers)
    results = {name: value for name, value in new.items() if name in columns}
    work, body = _placed(recorder.on_arrays, [arrays.get(name) for name in columns],
                         {columns.index(name): value for name, value in results.items()}, numbers)  # fmt: skip
    return StepProgram(
        columns=tuple(columns),
        written=tuple(place for place, name in enumerate(columns) if name in results),
        given=tuple(given),
        constants=tuple(constants),
        scalars=tuple(prologue),
        singles={name: numbers[value] for name, value in new.items() if name not in columns},
        work=work,
        body=body,
    )


def _nearest(free: list[int], operands: set[int]) -> int | None:
    """The place to write: where an operand lies, as that is in the cache; None if there is none."""
    return min(free, key=lambda each: (each not in operands, each), default=None)


def _placed(
    calls: list[Call], columns: list[Noted | None], results: dict[int, Noted], numbers: dict[Any, int]
) -> tuple[int, tuple[tuple[Any, ...], ...]]:
    """The number of work arrays, and the calls with places; see Note [Places]."""
    last = {each: at for at, (_, operands, _) in enumerate(calls) for each in operands if isinstance(each, Noted)}
    target = {value: column for column, value in results.items()}
    last.update(dict.fromkeys(target, len(calls)))  # read by whoever wants the new value
    place: dict[Noted, int] = {each: column for column, each in enumerate(columns) if each is not None}
    holds: dict[int, Noted] = {column: value for value, column in place.items()}
    places = set(results)
    most = len(columns)
    placed: list[tuple[Any, tuple[Operand, ...], int]] = []
    for at, (function, operands, result) in enumerate(calls):
        free = [each for each in places if each not in holds or last.get(holds[each], -1) <= at]
        wanted, chosen = target.get(result), None
        if wanted in free:
            chosen = wanted
        else:
            if wanted is not None:  # it stays until the end, where it is copied
                free = [each for each in free if each >= len(columns)]
            chosen = _nearest(free, {place[each] for each in operands if isinstance(each, Noted) and each.is_array})
        if chosen is None:
            chosen = most
            most += 1
            places.add(chosen)
        place[result] = chosen
        holds[chosen] = result
        placed.append((function, operands, chosen))
    for column, value in results.items():
        if place[value] != column:
            placed.append((_copy, (value,), column))
    total = most  # behind the places of arrays come the scalars
    return most - len(columns), tuple(
        (
            function,
            tuple(
                place[each] if isinstance(each, Noted) and each.is_array else total + numbers[each] for each in operands
            ),
            out,
        )  # fmt: skip
        for function, operands, out in placed
    )
