"""Classes that a call makes, and their objects: known by the class statement, and by nothing else."""

# Note [Classes of calls]
# A class statement in a jitted function breaks the graph, and Python runs it. Behind the split the class is an object
# from outside, and classes from outside are known by identity. This one is another at each call: facts about it would
# fail at the next call, and keep it alive in the meantime. So it is known by its statement alone, and Python does
# whatever asks more of it, or of an object of it.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....guards.class_statements import OfStatement, statement_of
from ....guards.sources import Source
from ...breaks import LOCAL_CLASS, GraphBreak
from ..base import OpaqueValue, Value, wraps_when

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class ObjectOfCall(OpaqueValue):
    """A class that a call makes, an object of one, or a method of either. See Note [Classes of calls]."""

    __slots__ = ("statement",)

    def __init__(self, kind: type, source: Source, statement: str) -> None:
        super().__init__(kind, source)
        self.statement = statement

    def unsupported(self, operation: str) -> GraphBreak:
        return LOCAL_CLASS.stop(operation=operation, name=self.source, statement=self.statement)

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        raise self.unsupported(f"a new value of the attribute {name!r}")

    def delete_attribute(self, trace: Trace, name: str) -> None:
        raise self.unsupported(f"the deletion of the attribute {name!r}")


@wraps_when(lambda value: statement_of(value) is not None, before_types=True)
def wrap_object_of_call(trace: Trace, value: Any, source: Source) -> ObjectOfCall:
    """An object of a call, by the statement of its class."""
    statement = statement_of(value)
    assert statement is not None
    trace.guard(OfStatement, source, statement=statement)
    return ObjectOfCall(type(value), source, statement)
