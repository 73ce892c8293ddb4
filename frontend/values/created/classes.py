"""Classes that the traced function makes: looked up through their templates, built anew when they leave the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...breaks import SIDE_EFFECT, ProgramRaised
from ...tracing.restarts import SplitEarlier
from .. import protocols
from ..base import Value
from ..builtin_callable import BuiltinCallable
from ..constant import NONE, Constant
from ..containers.dicts import DictValue
from ..containers.sequences import TupleValue
from ..functions.scopes import CellValue
from ..objects.classes import class_itself
from ..objects.descriptors import OF_METACLASS, read_class
from .class_templates import empty, new_template
from .template_entries import stand_in

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class NewClass(BuiltinCallable):
    """A class that the trace made; `function` is its template.

    body:    what the class statement gave it, in order; with the cell of `__class__`, if its methods have one.
    entries: what it has by now.
    changes: what was set after the statement; None where it was taken away.
    gone:    the names of the body that were taken away at some time: set again, they come last.
    """

    __slots__ = ("ancestors", "bases", "body", "changes", "entries", "gone", "name")

    def __init__(self, name: str, bases: list[BuiltinCallable], ancestors: list[type], body: dict[str, Value]) -> None:
        super().__init__(None)
        self.name = name
        self.bases = bases
        self.ancestors = ancestors
        self.body = body
        self.entries = {key: value for key, value in body.items() if key not in ("__classcell__", "__qualname__")}
        self.changes: dict[str, Value | None] = {}
        self.gone: dict[str, None] = {}

    def make_template(self, trace: Trace) -> None:
        """Make the class that stands for it. Errors: what `type` says; a break for entries without a stand-in."""
        real = {key: stand_in(trace, key, value) for key, value in self.entries.items()}
        qualified = self.body.get("__qualname__")
        if qualified is not None:
            real["__qualname__"] = qualified.constant(trace)
        self.function = new_template(self, real)

    def forget(self) -> None:
        """Let go of everything: see `Trace.forget`. A class and its methods lead to each other."""
        empty(self.function)
        for table in (self.body, self.entries, self.changes):
            table.clear()

    @property
    def python_type(self) -> type:
        return type

    def describe(self) -> str:
        return self.name

    def is_constant(self) -> bool:
        return False  # each call has another one

    def constant(self, trace: Trace) -> Any:
        raise self.unsupported("the value of it as a constant")

    def spelled(self, trace: Trace, conversion: Any) -> Value:
        if self.name.isidentifier() and type(self.entries.get("__module__")) is Constant:
            return Constant(conversion(self.function))
        raise self.unsupported("the text")

    # Attributes.
    def entry(self, name: str, real: Any) -> Value:
        """The class's own entry under a name, where its template has `real`."""
        if name in self.entries:
            return self.entries[name]
        if real is None:  # `__doc__`, and `__hash__` of a class with an `__eq__`
            return NONE
        raise self.unsupported(f"the attribute {name!r}")

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in ("__name__", "__qualname__"):
            return Constant(getattr(self.function, name))
        if name == "__class__":
            return BuiltinCallable(type)
        if name == "__bases__":
            return TupleValue(list(self.bases))
        if name == "__mro__":
            return TupleValue([self, *map(class_itself, self.ancestors)])
        if name in ("__module__", "__doc__", "__annotations__"):
            return self._word(trace, name)
        return read_class(trace, self, name)

    def _word(self, trace: Trace, name: str) -> Value:
        if name == "__annotations__" and name not in self.entries:
            self.put(trace, name, DictValue({}))  # Python makes it when it is asked for
        found = self.entries.get(name, NONE)
        if not isinstance(found, (Constant, DictValue)):
            raise self.unsupported(f"the attribute {name!r}")
        return found

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        if name in OF_METACLASS or name == "__del__" or self._has_of_itself(name):
            raise SIDE_EFFECT.stop(name=f"{self.name}.{name}")
        self.put(trace, name, value)

    def _has_of_itself(self, name: str) -> bool:
        """Whether `type` has put something there: a slot, or `__hash__`."""
        return name not in self.entries and name in vars(self.function)

    def put(self, trace: Trace, name: str, value: Value) -> None:
        """Set an attribute of the class itself."""
        type.__setattr__(self.function, name, stand_in(trace, name, value))
        if name in self.changes and self.changes[name] is None:
            del self.changes[name]  # it comes last
        self.entries[name] = self.changes[name] = value

    def delete_attribute(self, trace: Trace, name: str) -> None:
        if name in OF_METACLASS or self._has_of_itself(name):
            raise SIDE_EFFECT.stop(name=f"{self.name}.{name}")
        try:
            type.__delattr__(self.function, name)
        except AttributeError as error:
            raise ProgramRaised(AttributeError(*error.args)) from None
        del self.entries[name]
        if name in self.body:
            self.gone[name] = None
        self.changes[name] = None

    # Leaving the call.
    def rebuild(self, writer: EntryWriter) -> str:
        """The variable that holds a class which the call makes. See Note [Classes that are built].

        Errors: `SplitEarlier` at a split, see Note [Splits and classes].
        """
        known = writer.name_of(self)
        if known is not None:
            return known
        if writer.trace.progress.provenance is not None:
            assert writer.trace.class_began is not None
            raise SplitEarlier(writer.trace.class_began, inside=writer.trace.class_inside)
        return writer.made_class(self)

    def maker(self, writer: EntryWriter) -> str:
        """The expression that makes it as the class statement does."""
        bases = "".join(f"{each.rebuild(writer)}, " for each in self.bases)
        body = ", ".join(f"{key!r}: {_part(writer, value)}" for key, value in self.body.items())
        return f"{writer.pool.add(type)}({self.name!r}, ({bases}), {{{body}}})"

    def fill(self, writer: EntryWriter, name: str) -> list[str]:
        """The statements that change it as the program did afterwards; the class is in the variable `name`."""
        deleter, setter = writer.pool.add(type.__delattr__), writer.pool.add(type.__setattr__)
        put = [(key, value.rebuild(writer)) for key, value in self.changes.items() if value is not None]
        return [
            *(f"{deleter}({name}, {key!r})" for key in self.gone),
            *(f"{setter}({name}, {key!r}, {text})" for key, text in put),
        ]


def _part(writer: EntryWriter, value: Value) -> str:
    return protocols.cell_text(writer, value.cell) if isinstance(value, CellValue) else value.rebuild(writer)
