"""Exception groups as traced values, and what `split`, `subgroup` and `except*` take out of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ....guards.guard import Equals
from ....guards.sources import Attribute, ConstantSource
from ...breaks import ProgramRaised
from ..base import Value
from ..constant import LITERALS, Constant
from ..containers.sequences import ListValue, TupleValue
from ..created.class_templates import class_text
from .exceptions import ExceptionValue, layout_of
from .type_flags import HEAP_TYPE

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

Test = Callable[[ExceptionValue], bool]


class GroupValue(ExceptionValue):
    """An exception group made in the trace.

    message: its `message`.
    members: its `exceptions`, a tuple; `args` keeps the sequence that it was made of.
    """

    def __init__(self, kind: type[BaseException], args: list[Value], message: Value, members: TupleValue) -> None:
        layout = layout_of(kind)
        assert issubclass(layout, BaseExceptionGroup)
        inside = [Exception() if issubclass(layout, ExceptionGroup) else BaseException()]
        super().__init__(kind, args, layout.__new__(layout, "", inside))
        self.message = message
        self.members = members

    @property
    def exceptions(self) -> list[ExceptionValue]:
        """The members, each an exception."""
        return [each for each in self.members.items if isinstance(each, ExceptionValue)]

    def _field(self, trace: Trace, name: str) -> Value:
        if name == "message":
            return self.message
        return self.members if name == "exceptions" else super()._field(trace, name)

    def text(self, trace: Trace) -> Value:
        if self.message.python_type is not str:
            raise self.unsupported("the text")
        count = len(self.members.items)
        end = "s" if count > 1 else ""
        return Constant(f"{self.message.constant(trace)} ({count} sub-exception{end})")

    def representation(self, trace: Trace) -> Value:
        if self.kind.__flags__ & HEAP_TYPE:
            pinned = ConstantSource(self.kind, self.kind.__name__)
            trace.guard(Equals, Attribute(pinned, "__name__"), expected=self.kind.__name__)
        parts = ", ".join(self._shown(trace, each) for each in self.args.items)
        comma = "," if len(self.args.items) == 1 else ""
        return Constant(f"{self.kind.__name__}({parts}{comma})")

    def _shown(self, trace: Trace, part: Value) -> str:
        if type(part) is ListValue:
            return f"[{', '.join(self._shown(trace, each) for each in part.items)}]"
        if isinstance(part, ExceptionValue) or type(part) is Constant and type(part.value) in LITERALS:
            return str(part.spelled(trace, repr).constant(trace))
        if type(part) is TupleValue and len(part.items) > 1:
            return f"({', '.join(self._shown(trace, each) for each in part.items)})"
        if type(part) is TupleValue and part.items:
            return f"({self._shown(trace, part.items[0])},)"
        raise self.unsupported("the text")

    def _new(self, writer: EntryWriter) -> str:
        pool = writer.pool
        parts = [self.message, self.members, self.args, self.table]
        written = ", ".join(part.rebuild(writer) for part in parts)
        return f"{pool.add(new_group)}({class_text(writer, self.kind)}, {written}, {self.suppresses_context})"

    def is_as_made(self) -> bool:
        return self._bears_no_marks() and self.context_is_known  # parts of a group suppress their context


def new_group(
    kind: Any, message: str, members: tuple[Any, ...], args: tuple[Any, ...], own: dict[str, Any], suppresses: bool
) -> BaseException:
    """A group as the traced program made it; no code of the user's runs again."""
    layout = layout_of(kind)
    made = layout.__new__(kind, message, members)
    made.args = args
    made.__suppress_context__ = suppresses
    vars(made).update(own)
    return made


@dataclass(frozen=True)
class GroupParts:
    """The result of a split: the part that matches and the rest; None for a part without exceptions."""

    match: ExceptionValue | None
    rest: ExceptionValue | None

    def values(self) -> tuple[Value, Value]:
        """The two as a program sees them."""
        return self.match or Constant(None), self.rest or Constant(None)


def split(trace: Trace, exception: ExceptionValue, test: Test, *, with_rest: bool) -> GroupParts:
    """An exception divided by a test; groups inside keep their shape. `with_rest`: whether the rest is made as well."""
    if test(exception):
        return GroupParts(exception, None)
    if not isinstance(exception, GroupValue):
        return GroupParts(None, exception if with_rest else None)
    inside = [split(trace, each, test, with_rest=with_rest) for each in exception.exceptions]
    matching = [each.match for each in inside if each.match is not None]
    others = [each.rest for each in inside if each.rest is not None]
    return GroupParts(_derived(trace, exception, matching), _derived(trace, exception, others))


def _derived(trace: Trace, group: GroupValue, members: list[ExceptionValue]) -> ExceptionValue | None:
    """A group like this one with fewer members, as its `derive` makes it; None where there are none."""
    if not members:
        return None
    made = group.attribute(trace, "derive").call(trace, [ListValue(list[Value](members))], {})
    if not isinstance(made, GroupValue):
        if not isinstance(made, ExceptionValue) and issubclass(made.python_type, BaseExceptionGroup):
            raise made.unsupported("a part of an exception group")
        raise ProgramRaised(TypeError("derive must return an instance of BaseExceptionGroup"))
    made.inherit(group)
    _copy_notes(trace, group, made)
    return made


def _copy_notes(trace: Trace, group: GroupValue, made: GroupValue) -> None:
    try:
        notes = group.attribute(trace, "__notes__")
    except ProgramRaised as raised:
        if not isinstance(raised.error, AttributeError):
            raise
        return
    if not isinstance(notes, (ListValue, TupleValue)):
        raise notes.unsupported("a copy of the notes")
    made.set_attribute(trace, "__notes__", ListValue(list(notes.items)))
