"""Complex numbers from outside: run-time inputs where arrays compute with them, else known by their value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.types import TensorType
from ....graph.node import Node
from ....guards.guard import Equals, TypeIs
from ....guards.sources import Attribute, Source
from ..base import Value, wraps
from ..constant import Constant
from .input_scalar import InputNumber

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class InputComplex(Constant):
    """A Python complex number read at `source`; whoever asks for its value relies on that."""

    __slots__ = ("_example", "_trace")

    def __init__(self, trace: Trace, source: Source, example: complex) -> None:
        self.source: Source = source
        self._trace = trace
        self._example = example

    @property
    def value(self) -> Any:  # type: ignore[override]
        self._trace.guard(Equals, self.source, expected=self._example)
        return self._example

    @property
    def python_type(self) -> type:
        return complex

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in ("real", "imag"):
            return self._part(trace, name)
        return Constant(self.value).attribute(trace, name)

    def rebuild(self, writer: EntryWriter) -> str:
        return self.source.text(writer.pool)

    def parts(self, trace: Trace) -> tuple[Node, Node]:
        """The real and the imaginary part as float64 inputs of rank 0."""
        real, imag = (self._part(trace, name).node(trace) for name in ("real", "imag"))
        return real, imag

    def _part(self, trace: Trace, name: str) -> InputNumber:
        trace.guard(TypeIs, self.source, expected=complex)
        source = Attribute(self.source, name)
        trace.inputs.scalar_types[source] = float
        return InputNumber(source, getattr(self._example, name))


@wraps(complex)
def wrap_complex(trace: Trace, value: Any, source: Source) -> Value:
    """A number whose value is free to change as long as only arrays compute with it."""
    if source.may_vanish:
        trace.guard(Equals, source, expected=value)
        return Constant(value, source)
    return InputComplex(trace, source, value)


def scalar_parts(trace: Trace, value: Any, source: Source, kind: type) -> tuple[Node, Node]:
    """The parts of a NumPy complex number as inputs of rank 0."""
    trace.guard(TypeIs, source, expected=kind)
    dtype = dtypes.PART[dtypes.in_memory(value.dtype)]  # type: ignore[index]
    real, imag = (
        trace.scalar_input("numpy_scalar", TensorType((), dtype), Attribute(source, name), getattr(value, name))
        for name in ("real", "imag")
    )
    return real, imag
