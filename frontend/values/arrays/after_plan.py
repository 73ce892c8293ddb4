"""Arrays whose size is known at run time only: NumPy makes them when the plan has run, if nothing computes with them.

Until then they are an expression over what the plan gives. Whoever asks for more than a copy breaks the graph there,
and the array is made before the break.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....graph.node import Node
from ....ops.pointwise import WHERE
from ...breaks import DATA_SHAPE, GraphBreak
from ...tracing.nodes import constant_node
from .. import protocols
from ..base import Value
from ..constant import is_none
from .array import ArrayValue, result

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ..containers.ranges import SliceValue

Text = Callable[["EntryWriter"], str]


class LateArray(Value):
    """The array that an expression gives, evaluated once, behind the plan.

    sources: the arrays that it reads.
    """

    def __init__(self, name: str, text: Text, sources: tuple[ArrayValue, ...]) -> None:
        self.name = name
        self.text = text
        self.sources = sources

    @property
    def python_type(self) -> type:
        return np.ndarray

    def describe(self) -> str:
        return f"the result of {self.name}"

    def unsupported(self, operation: str) -> GraphBreak:
        return DATA_SHAPE.stop(name=self.name)

    def truth(self, trace: Trace) -> bool:
        raise self.unsupported("a branch")

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


def late_selection(trace: Trace, array: ArrayValue, mask: ArrayValue) -> LateArray:
    """`array[mask]`, the mask of the array's shape or that of its first axes."""
    made = late(trace, "indexing with a boolean mask", lambda writer, texts: f"{texts[0]}[{texts[1]}]", (array, mask))
    if mask.shape != array.shape:
        return made
    now = result(trace, array.read(trace))
    return LateSelection(made, now, mask.read(trace))


def late_call(trace: Trace, function: Callable[..., Any], *arrays: ArrayValue) -> LateArray:
    """The array that a function of NumPy's without effects gives, called behind the plan."""
    return late(
        trace,
        f"np.{function.__name__}",
        lambda writer, texts: f"{writer.pool.add(function)}({', '.join(texts)})",
        arrays,
    )
