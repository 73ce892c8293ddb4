"""Records of CPython itself, such as `sys.float_info` and `sys.flags`: immutable, and known by identity."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....guards.guard import Is
from ....guards.sources import Source
from ..base import Value, wraps_when
from ..constant import LITERALS, Constant
from .element_protocol import constant_value
from .sequences import TupleValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class StructSequence(Value):
    """A record from outside whose fields are all texts and numbers."""

    __slots__ = ("source", "value")

    def __init__(self, value: Any, source: Source) -> None:
        self.value = value
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return type(self.value)

    def plain(self) -> TupleValue:
        """The tuple of its items."""
        return TupleValue(list(map(constant_value, self.value)))

    def truth(self, trace: Trace) -> bool:
        return len(self.value) > 0

    def length(self, trace: Trace) -> int:
        return len(self.value)

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.plain().items)

    def item(self, trace: Trace, key: Value) -> Value:
        return self.plain().item(trace, key)

    def attribute(self, trace: Trace, name: str) -> Value:
        if type(vars(type(self.value)).get(name)) is types.MemberDescriptorType:
            return Constant(getattr(self.value, name))
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: EntryWriter) -> str:
        return self.source.text(writer.pool)


def _is_record(value: Any) -> bool:
    kind = type(value)
    if type(kind) is not type or kind.__base__ is not tuple or "n_sequence_fields" not in vars(kind):
        return False
    fields = [name for name, found in vars(kind).items() if type(found) is types.MemberDescriptorType]
    return all(type(getattr(value, name)) in LITERALS for name in fields) and all(type(x) in LITERALS for x in value)


@wraps_when(_is_record, first=True)
def wrap_record(trace: Trace, value: Any, source: Source) -> Value:
    """A record from outside."""
    trace.guard(Is, source, expected=value)
    return StructSequence(value, source)
