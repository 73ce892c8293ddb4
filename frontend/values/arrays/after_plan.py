"""Arrays whose size is known at run time only: NumPy makes them when the plan has run, if nothing computes with them.

Until then they are an expression over what the plan gives. Where more is asked of one than a copy, the trace is made
anew, in which the call finds the elements before its plan runs (see `mask_places`); where it cannot, the graph breaks
there, and the array is made before the break.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ....graph.node import Node
from ....ops.pointwise import NOT_EQUAL, WHERE
from ...breaks import DATA_SHAPE, GraphBreak
from ...tracing.nodes import constant_node
from ...tracing.restarts import RestartFromStart
from .. import protocols
from ..base import Value
from ..constant import is_none
from .array import ArrayValue, result
from .mask_places import can_be_found, places_of
from .view_steps import reshape

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ..containers.ranges import SliceValue

Text = Callable[["EntryWriter"], str]


class LateArray(Value):
    """The array that an expression gives, evaluated once, behind the plan.

    sources: the arrays that it reads.
    """

    asked_again: Callable[[], None] | None = None
    """A function that has the trace made anew, with the array in the plan; None where it cannot be there."""

    def __init__(self, name: str, text: Text, sources: tuple[ArrayValue, ...]) -> None:
        self.name = name
        self.text = text
        self.sources = sources
        for each in sources:
            each.storage.is_read_late = True

    @property
    def python_type(self) -> type:
        return np.ndarray

    def describe(self) -> str:
        return f"the result of {self.name}"

    def unsupported(self, operation: str) -> GraphBreak:
        if self.asked_again is not None:
            self.asked_again()
        return DATA_SHAPE.stop(name=self.name)

    def truth(self, trace: Trace) -> bool:
        raise self.unsupported("a branch")

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        if name == "shape":
            raise self.unsupported("a new shape")
        super().set_attribute(trace, name, value)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.once(self, lambda: self.text(writer))


class LateCopy(Value):
    """The method `copy` of a slice."""

    def __init__(self, owner: LateSlice) -> None:
        self.owner = owner

    @property
    def python_type(self) -> type:
        return type(len)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if args or kwargs:
            raise self.owner.unsupported("copy")
        return late(
            trace,
            self.owner.name,
            lambda writer, arrays: self.owner.sliced(writer, arrays[0]) + ".copy()",
            self.owner.sources,
        )


class LateSlice(LateArray):
    """`array[start:stop:step]` with a bound that the plan computes."""

    def __init__(self, array: ArrayValue, key: SliceValue) -> None:
        self.key = key
        super().__init__(
            "a slice whose bounds are computed", lambda writer: self.sliced(writer, array.rebuild(writer)), (array,)
        )

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "copy" and trace.region is None:
            return LateCopy(self)
        raise self.unsupported(f"the attribute {name!r}")

    def sliced(self, writer: EntryWriter, array: str) -> str:
        """The slice of what an expression gives."""
        bounds = ["" if is_none(part) else part.rebuild(writer) for part in self.key.parts]
        return f"{array}[{':'.join(bounds)}]"


class LateSelection(LateArray):
    """`array[mask]`; its sum needs no array."""

    def __init__(self, made: LateArray, array: ArrayValue, mask: Node) -> None:
        super().__init__(made.name, made.text, made.sources)
        self.array = array
        self.mask = mask

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "sum" and trace.region is None:
            return LateSum(self)
        return super().attribute(trace, name)


class LateSum(Value):
    """The method `sum` of what a mask picks."""

    def __init__(self, owner: LateSelection) -> None:
        self.owner = owner

    @property
    def python_type(self) -> type:
        return type(len)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        array = self.owner.array
        if args or kwargs or array.dtype.is_complex:
            raise self.owner.unsupported("sum")
        nothing = -0.0 if array.dtype.is_float else 0  # what changes no sum, one of zeros neither
        left = constant_node(trace, nothing, array.shape, array.dtype)
        return protocols.array_sum(trace, result(trace, trace.add(WHERE, self.owner.mask, array.read(trace), left)))


def late(
    trace: Trace, name: str, text: Callable[[EntryWriter, list[str]], str], sources: tuple[ArrayValue, ...]
) -> LateArray:
    """A new array that is made behind the plan, of what the sources hold now."""
    then = [(each, each.storage.version, result(trace, each.read(trace))) for each in sources]

    def written(writer: EntryWriter) -> str:
        now = [array if array.storage.version == version else kept for array, version, kept in then]
        return text(writer, [each.rebuild(writer) for each in now])

    return LateArray(name, written, sources)


def late_selection(trace: Trace, array: ArrayValue, mask: ArrayValue) -> Value:
    """`array[mask]`, the mask of the array's shape or that of its first axes: late, or made if the plan needs it."""
    return _or_in_plan(trace, lambda: _late_selection(trace, array, mask), lambda: _selected(trace, array, mask), mask)


def _selected(trace: Trace, array: ArrayValue, mask: ArrayValue) -> Value | None:
    """`array[mask]` in the plan, for a mask of all axes or of the first one; None for others, or unknown places."""
    in_rows = len(mask.shape) == 1 or mask.shape == array.shape
    places = places_of(trace, mask.read(trace)) if in_rows else None
    if places is None:
        return None
    if len(mask.shape) > 1:
        array = result(trace, reshape(trace, array.read(trace), (array.type.size,)))
    return array.item(trace, result(trace, places))


def _or_in_plan(
    trace: Trace, late: Callable[[], LateArray], in_plan: Callable[[], Value | None], mask: ArrayValue
) -> Value:
    """The late array, or the one in the plan if an earlier trace has found that it is computed with."""

    def found() -> list[Value] | None:
        made = in_plan()
        return None if made is None else [made]

    return all_or_in_plan(trace, lambda: [late()], found, mask)[0]


def all_or_in_plan(
    trace: Trace, late: Callable[[], Sequence[LateArray]], in_plan: Callable[[], list[Value] | None], mask: ArrayValue
) -> list[Value]:
    """The late arrays that follow from one mask, or those in the plan if one of them is computed with."""
    known = trace.inputs.masks
    known.asked += 1
    number = known.asked
    if number in trace.speculation.computed_with:
        found = in_plan()
        if found is not None:
            return found
    made = late()
    if number not in trace.speculation.computed_with and can_be_found(trace, mask.read(trace)):
        for each in made:
            each.asked_again = lambda: _restart(trace, number)
    return [*made]


def _restart(trace: Trace, number: int) -> NoReturn:
    trace.speculation.computed_with.add(number)
    raise RestartFromStart("an array whose size only the call knows is computed with")


def _late_selection(trace: Trace, array: ArrayValue, mask: ArrayValue) -> LateArray:
    made = late(trace, "indexing with a boolean mask", lambda writer, texts: f"{texts[0]}[{texts[1]}]", (array, mask))
    if mask.shape != array.shape:
        return made
    now = result(trace, array.read(trace))
    return LateSelection(made, now, mask.read(trace))


def late_nonzero(trace: Trace, array: ArrayValue, columns: Callable[[ArrayValue], list[Value]]) -> list[Value]:
    """The elements of `np.nonzero(array)`, late, or in the plan if that needs them.

    columns: gives those of an array with several axes for the places, counted row by row.
    """
    whole = late_call(trace, np.nonzero, array)

    def axis(number: int) -> LateArray:
        return LateArray(whole.name, lambda writer: f"{whole.rebuild(writer)}[{number}]", whole.sources)

    if len(array.shape) == 1:
        return [late_places(trace, array, lambda: axis(0))]

    def in_plan() -> list[Value] | None:
        places = places_of(trace, mask.read(trace)) if mask is not None else None
        return None if places is None else columns(result(trace, places))

    mask, every = mask_of(trace, array), [axis(number) for number in range(len(array.shape))]
    return [*every] if mask is None else all_or_in_plan(trace, lambda: every, in_plan, mask)


def mask_of(trace: Trace, array: ArrayValue) -> ArrayValue | None:
    """The bools that say where an array is not zero; None where no call finds them ahead of its plan."""
    if array.dtype.is_bool:
        return array
    if array.dtype.is_complex or array.dtype.is_narrow:
        return None
    zeros = constant_node(trace, 0, array.shape, array.dtype)
    return result(trace, trace.add(NOT_EQUAL, array.read(trace), zeros))


def late_places(trace: Trace, array: ArrayValue, late: Callable[[], LateArray]) -> Value:
    """The places, counted row by row, of what is not 0 in an array: `late`, or made if the plan needs them."""
    mask = mask_of(trace, array)
    return late() if mask is None else late_by_places(trace, mask, late, lambda places: places)


def late_by_places(
    trace: Trace, mask: ArrayValue, late: Callable[[], LateArray], picked: Callable[[ArrayValue], Value]
) -> Value:
    """A late array, or what `picked` gives for the places, row by row, where a mask holds, if the plan needs it."""

    def in_plan() -> Value | None:
        places = places_of(trace, mask.read(trace))
        return None if places is None else picked(result(trace, places))

    return _or_in_plan(trace, late, in_plan, mask)


def late_call(trace: Trace, function: Callable[..., Any], *arrays: ArrayValue) -> LateArray:
    """The array that a function of NumPy's without effects gives, called behind the plan."""
    return late(
        trace,
        f"np.{function.__name__}",
        lambda writer, texts: f"{writer.pool.add(function)}({', '.join(texts)})",
        arrays,
    )
