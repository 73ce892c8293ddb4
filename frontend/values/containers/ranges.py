"""Ranges and slices."""

from __future__ import annotations

from collections.abc import Iterator as Iterating
from typing import TYPE_CHECKING, Any

from ....core.sizes import count_of
from ....guards.constants import constant_text
from ....guards.guard import Equals, TypeIs
from ....guards.sources import Attribute, Source
from ...breaks import ProgramRaised
from ..base import Value, wrap, wraps
from ..constant import Constant
from ..numbers.symbolic_int import whole
from ..objects.builtin_methods import ContainerMethod
from .builtin_subclasses import plain
from .element_protocol import index_of, looking_into, method_of

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class RangeValue(Value):
    """A range with known bounds."""

    __slots__ = ("range", "source")

    def __init__(self, range: range, source: Source | None = None) -> None:
        self.range = range
        self.source = source

    @property
    def python_type(self) -> type:
        return range

    def is_constant(self) -> bool:
        return True

    def constant(self, trace: Trace) -> Any:
        return self.range

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in ("start", "stop", "step"):
            return Constant(getattr(self.range, name))
        if name in ("count", "index"):
            return ContainerMethod(self, name)
        raise self.unsupported(f"the attribute {name!r}")

    def truth(self, trace: Trace) -> bool:
        return bool(self.range)

    def length(self, trace: Trace) -> int:
        return len(self.range)

    def contains(self, trace: Trace, element: Value) -> bool:
        return element.constant(trace) in self.range

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.iterate(trace))

    def iterate(self, trace: Trace) -> Iterating[Value]:
        return map(Constant, self.range)

    def item(self, trace: Trace, key: Value) -> Value:
        try:
            picked = self.range[index_of(trace, key)]
        except (IndexError, TypeError, ValueError) as error:
            raise ProgramRaised(error) from None
        return RangeValue(picked) if isinstance(picked, range) else Constant(picked)

    def rebuild(self, writer: EntryWriter) -> str:
        if self.source is not None:
            return self.source.text(writer.pool)
        bounds = self.range.start, self.range.stop, self.range.step
        given = ", ".join(constant_text(each, writer.pool) for each in bounds)
        return writer.once(self, lambda: f"{writer.pool.add(range)}({given})")


class SizedRange(RangeValue):
    """A range with a bound that is a size. Who asks for `range` relies on its value."""

    __slots__ = ("bounds",)

    def __init__(self, start: Constant, stop: Constant, step: Constant) -> None:
        self.bounds = (start, stop, step)
        self.source = None

    @property
    def range(self) -> range:  # type: ignore[override]
        return range(*(each.value for each in self.bounds))

    def length(self, trace: Trace) -> int:
        start, stop, step = map(whole, self.bounds)
        return count_of(start, stop, int(step))  # type: ignore[no-any-return]


class SliceValue(Value):
    """A slice object."""

    __slots__ = ("parts", "source")

    def __init__(self, start: Value, stop: Value, step: Value, source: Source | None = None) -> None:
        self.parts = (start, stop, step)
        self.source = source

    @property
    def python_type(self) -> type:
        return slice

    def truth(self, trace: Trace) -> bool:
        return True

    def length(self, trace: Trace) -> int:
        raise ProgramRaised(TypeError("object of type 'slice' has no len()"))

    def is_constant(self) -> bool:
        return all(part.is_constant() for part in self.parts)

    def constant(self, trace: Trace) -> Any:
        return slice(*(plain(part).constant(trace) for part in self.parts))

    def attribute(self, trace: Trace, name: str) -> Value:
        names = ("start", "stop", "step")
        return self.parts[names.index(name)] if name in names else method_of(self, name)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.container(self)

    def literal(self, writer: EntryWriter) -> str:
        """The expression that makes the slice anew."""
        return f"{writer.pool.add(slice)}({', '.join(part.rebuild(writer) for part in self.parts)})"


@wraps(range)
def wrap_range(trace: Trace, value: Any, source: Source) -> Value:
    """A range, guarded whole by its three numbers."""
    trace.guard(TypeIs, source, expected=range)
    for name in ("start", "stop", "step"):
        trace.guard(Equals, Attribute(source, name), expected=getattr(value, name))
    return RangeValue(value, source)


@wraps(slice)
def wrap_slice(trace: Trace, value: Any, source: Source) -> Value:
    """A slice, its parts wrapped one by one."""
    trace.guard(TypeIs, source, expected=slice)
    with looking_into(trace, value, type(value), source):
        start, stop, step = (wrap(trace, getattr(value, k), Attribute(source, k)) for k in ("start", "stop", "step"))
    return SliceValue(start, stop, step, source)
