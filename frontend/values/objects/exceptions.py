"""Exception objects as traced values: made by the program, or by an operation that raises."""

# Note [Shadows]
# An exception travels through the tracer's own code as a `ProgramRaised` with a real exception as `error`:
# the one that Python's operation gave, or, for an object that the traced program made, an instance of the built-in
# class below its class. That real one, its shadow, stands for the traced one: `Trace.exceptions` leads to the value.

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....guards.constants import is_short_int
from ....guards.guard import Equals
from ....guards.sources import Attribute, ConstantSource
from ...breaks import UNKNOWN_VALUE, GraphBreak, ProgramRaised
from ..base import Value
from ..constant import FALSE, NONE, TRUE, Constant, is_none
from ..containers.dicts import DictValue
from ..containers.sequences import TupleValue
from .classes import class_attribute, class_itself
from .descriptors import missing
from .type_flags import HEAP_TYPE
from .user_object import UserObject

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

_VALUE_OF = {StopIteration: "value", SystemExit: "code"}
"""The name of the attribute in which these classes give the first argument alone."""
_PLAIN = (str, bytes, int, float, bool, complex, type(None))


class ExceptionValue(UserObject):
    """An exception object made in the trace.

    kind:   its class; `layout` is the first built-in class of its MRO.
    table:  its own attributes, as set by the program.
    raised: the `ProgramRaised` that carries it, once it was raised.
    shadow: the real exception that stands for it, see Note [Shadows].
    traceback: its `__traceback__`; None where that is not known.
    """

    def __init__(self, kind: type[BaseException], args: list[Value], shadow: BaseException | None = None) -> None:
        self.kind = kind
        self.layout = layout_of(kind)
        self.args = TupleValue(args)
        self.table = DictValue({})
        self.cause: ExceptionValue | None = None
        self.context: ExceptionValue | None = None
        self.suppresses_context = False
        self.context_is_known = True
        self.raised: ProgramRaised | None = None
        self.traceback: Value | None = NONE
        self.shadow: BaseException = self.layout.__new__(self.layout, *args) if shadow is None else shadow

    @property
    def python_type(self) -> type:
        return self.kind

    def describe(self) -> str:
        return self.kind.__name__

    # Its own attributes.
    def own(self, trace: Trace, name: str) -> Value | None:
        return self.table.items.get(name)

    def put(self, trace: Trace, name: str, value: Value) -> None:
        self.table.items[name] = value

    def remove(self, trace: Trace, name: str) -> None:
        if name not in self.table.items:
            raise missing(self, name)
        del self.table.items[name]

    def takes_new_attributes(self, trace: Trace) -> bool:
        return True

    def namespace(self, trace: Trace) -> Value:
        return self.table

    def slot(self, trace: Trace, descriptor: Any, name: str) -> Value:
        raise self.unsupported(f"the slot {name!r}")

    def put_slot(self, trace: Trace, descriptor: Any, name: str, value: Value | None) -> None:
        raise self.unsupported(f"the slot {name!r}")

    # The fields of the built-in class.
    def attribute(self, trace: Trace, name: str) -> Value:
        if self._is_field(trace, name):
            return self._field(trace, name)
        return super().attribute(trace, name)

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        if not self._is_field(trace, name):
            super().set_attribute(trace, name, value)
        elif isinstance(class_attribute(trace, self.kind, "__setattr__")[0], types.FunctionType):
            raise self.unsupported("a __setattr__ of its own")
        elif name == "__cause__" and (is_none(value) or isinstance(value, ExceptionValue)):
            self.set_cause(value)
        elif name == "__suppress_context__" and value.python_type is bool:
            self.suppresses_context = value.truth(trace)
        elif name == "__traceback__":
            self.set_traceback(value)
        elif name == "args" and not issubclass(self.layout, SyntaxError):  # whose text is a field of its own
            self.args = TupleValue(value.elements(trace))
        else:
            raise self.unsupported(f"a write of the attribute {name!r}")

    def _is_field(self, trace: Trace, name: str) -> bool:
        # Those of `object` (`__class__`, `__dict__`) are not among them.
        found = class_attribute(trace, self.kind, name)[0]
        known = type(found) in (types.GetSetDescriptorType, types.MemberDescriptorType)
        return known and name != "__dict__" and issubclass(found.__objclass__, BaseException)

    def _field(self, trace: Trace, name: str) -> Value:
        if name == "args":
            return self.args
        if name == "__cause__":
            return self.cause or NONE
        if name == "__context__" and self._context_is_known(trace):
            return self.context or NONE
        if name == "__suppress_context__":
            return TRUE if self.suppresses_context else FALSE
        if name == "__traceback__" and self.traceback is not None:
            return self.traceback
        own_init = isinstance(class_attribute(trace, self.kind, "__init__")[0], types.FunctionType)
        if name == _VALUE_OF.get(self.layout) and len(self.args.items) <= 1 and not own_init:
            return self.args.items[0] if self.args.items else NONE
        raise self.unsupported(f"the attribute {name!r}")

    def _context_is_known(self, trace: Trace) -> bool:
        from .raise_exception import nothing_is_handled

        self.context_is_known = self.context_is_known or nothing_is_handled(trace)
        return self.context_is_known

    def set_cause(self, cause: Value) -> None:
        """Sets the cause as `raise … from cause` does."""
        self.cause = cause if isinstance(cause, ExceptionValue) else None
        self.suppresses_context = True

    def set_traceback(self, traceback: Value) -> None:
        """Sets the traceback as `with_traceback` does."""
        if isinstance(traceback, Constant) and not is_none(traceback):
            raise ProgramRaised(TypeError("__traceback__ must be a traceback or None"))
        if not isinstance(traceback, Traceback) and not is_none(traceback):
            raise traceback.unsupported("with_traceback")
        self.traceback = traceback

    def information(self) -> list[Value]:
        """The exception as `sys.exc_info` and `__exit__` tell of it: class, object, traceback."""
        if self.traceback is None:
            raise self.unsupported("the traceback")
        return [class_itself(self.kind), self, self.traceback]

    # Text.
    def special(self, trace: Trace, name: str, *args: Value) -> Value | None:
        found = class_attribute(trace, self.kind, name)[0]
        if name in ("__str__", "__repr__") and not isinstance(found, types.FunctionType):
            return self.text(trace) if name == "__str__" else self.representation(trace)
        return super().special(trace, name, *args)

    def text(self, trace: Trace) -> Value:
        """The text that the `__str__` of the built-in class gives."""
        return text_by_class(trace, self, self.kind, self.args, "__str__")

    def representation(self, trace: Trace) -> Value:
        """The text that the `__repr__` of the built-in class gives."""
        return text_by_class(trace, self, self.kind, self.args, "__repr__")

    def rebuild(self, writer: EntryWriter) -> str:
        """A new object for each call. One that was raised carries a traceback, which cannot be made."""
        if not self.is_as_made():
            raise self.unsupported("returning an exception that was raised")
        return writer.once(self, lambda: self._new(writer))

    def is_as_made(self) -> bool:
        """Whether nothing has become of it that cannot be made anew."""
        return self._bears_no_marks() and not self.suppresses_context

    def _bears_no_marks(self) -> bool:
        found = self.raised, self.cause, self.context
        return found == (None, None, None) and isinstance(self.traceback, Constant)

    def _new(self, writer: EntryWriter) -> str:
        pool = writer.pool
        own = "".join(f"{name!r}: {value.rebuild(writer)}, " for name, value in self.table.items.items())
        return f"{pool.add(new_exception)}({pool.add(self.kind)}, {self.args.rebuild(writer)}, {{{own}}})"


def text_by_class(trace: Trace, owner: Value, kind: type[BaseException], given: TupleValue, method: str) -> Value:
    """The text that the `__str__` or `__repr__` of the built-in class gives for these `args`.

    Errors: a break for other objects than plain ones, whose texts may run code of the user's, or change.
    """
    args, name = tuple(each.constant(trace) for each in given.items), kind.__name__
    if not _is_plain(args):
        raise owner.unsupported("the text")
    if method == "__str__":
        return Constant(str(layout_of(kind)(*args)))
    if kind.__flags__ & HEAP_TYPE:
        trace.guard(Equals, Attribute(ConstantSource(kind, name), "__name__"), expected=name)
    return Constant(f"{name}({args[0]!r})" if len(args) == 1 else f"{name}{args!r}")


def _is_plain(value: Any) -> bool:
    """Whether `str` and `repr` of a value are CPython's own and say nothing that may change."""
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) in _PLAIN and (type(value) is not int or is_short_int(value))  # long ones may be refused


def new_exception(kind: type[BaseException], args: tuple[Any, ...], own: dict[str, Any]) -> BaseException:
    """An exception as the traced program made it; no `__init__` of the user's runs again."""
    layout = layout_of(kind)
    made = layout.__new__(kind, *args)
    layout.__init__(made, *args)
    vars(made).update(own)
    return made


class Traceback(Value):
    """The traceback of a traced exception: to be passed on, to be put into an exception, to be compared, to be cleared.

    Each frame that an exception comes through gives it a new one, which leads to the one before.
    """

    is_one_object = True

    @property
    def python_type(self) -> type:
        return types.TracebackType

    def truth(self, trace: Trace) -> bool:
        return True


class Unraised(Value):
    """An exception object that is not followed, on its way to a `raise`; every other use breaks the graph."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    @property
    def python_type(self) -> type:
        return self.kind

    def describe(self) -> str:
        return self.kind.__name__

    def unsupported(self, operation: str) -> GraphBreak:
        return UNKNOWN_VALUE.stop(operation=operation, name=f"the exception {self.kind.__name__}")


def layout_of(kind: type[BaseException]) -> type[BaseException]:
    """The first class of the MRO that is written in C."""
    found = next(base for base in kind.__mro__ if not base.__flags__ & HEAP_TYPE)
    assert issubclass(found, BaseException)
    return found
