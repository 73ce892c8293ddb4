"""The result of `id`: good for telling whether two objects are one, as long as both are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import protocols
from ..base import Value
from ..functions.scopes import CellValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class IdentityValue(Value):
    """`id(owner)`. Its number is not known before the object is there."""

    __slots__ = ("owner",)

    def __init__(self, owner: Value) -> None:
        self.owner = owner

    @property
    def python_type(self) -> type:
        return int

    def describe(self) -> str:
        return f"id({self.owner.describe()})"

    def truth(self, trace: Trace) -> bool:
        return True

    def equals(self, trace: Trace, other: IdentityValue) -> bool:
        """`self == other`. Errors: a break where one of the objects may be gone, so that another has its number."""
        for each in (self.owner, other.owner):
            require_kept(trace, each)
        return protocols.identical(trace, self.owner, other.owner)

    def rebuild(self, writer: EntryWriter) -> str:
        return f"{writer.pool.add(id)}({self.owner.rebuild(writer)})"


def require_kept(trace: Trace, value: Value) -> None:
    """Errors: a break for an object that is neither from outside nor in a variable of a frame that is still there."""
    kept = (each for frame in trace.progress.frames for each in frame.variables.values())
    if value.source is None and not any(each is value or _holds(each, value) for each in kept):
        raise value.unsupported("id()")


def _holds(variable: Value | None, value: Value) -> bool:
    return isinstance(variable, CellValue) and variable.cell.value is value
