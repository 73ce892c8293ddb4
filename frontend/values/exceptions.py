"""Exception objects as traced values: made by the program, or by an operation that raises."""

# Note [Shadows]
# An exception travels through the tracer's own code as a `GraphBreak` of kind RAISES with a real exception as `error`:
# the one that Python's operation gave, or, for an object that the traced program made, an instance of the built-in
# class below its class. That real one, its shadow, stands for the traced one: `Trace.exceptions` leads to the value.

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...guards.guard import Equals, Is
from ...guards.sources import Attribute, Pinned
from ..breaks import UNKNOWN_VALUE, GraphBreak, raised
from .base import Value, wrap
from .constant import FALSE, NONE, TRUE, Constant
from .containers import TupleValue, constant_value
from .functions import BoundMethod, Known
from .objects import ABSENT, class_attribute, is_read_plainly

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace

_HEAP_TYPE = 1 << 9
_VALUE_OF = {StopIteration: "value", SystemExit: "code"}
"""What the first argument alone is called by these classes."""
_PLAIN = (str, bytes, int, float, bool, complex, tuple, type(None))


class ExceptionValue(Value):
    """An exception object made in the trace.

    kind:   its class; `layout` is the first built-in class of its MRO.
    own:    its own attributes, as set by the program.
    stop:   the break that carries it, once it was raised.
    shadow: the real exception that stands for it, see Note [Shadows].
    """

    def __init__(self, kind: type[BaseException], args: list[Value], shadow: BaseException | None = None) -> None:
        self.kind = kind
        self.layout = layout_of(kind)
        self.args = TupleValue(args)
        self.own: dict[str, Value] = {}
        self.cause: ExceptionValue | None = None
        self.context: ExceptionValue | None = None
        self.suppresses_context = False
        self.context_is_known = True
        self.stop: GraphBreak | None = None
        self.shadow: BaseException = self.layout.__new__(self.layout, *args) if shadow is None else shadow

    @property
    def python_type(self) -> type:
        return self.kind

    def describe(self) -> str:
        return self.kind.__name__

    def truth(self, trace: Trace) -> bool:
        for name in ("__bool__", "__len__"):
            if class_attribute(trace, self.kind, name)[0] is not ABSENT:
                raise self.unsupported("a branch")
        return True

    # Attributes.
    def attribute(self, trace: Trace, name: str) -> Value:
        found, source = class_attribute(trace, self.kind, name)
        if found is ABSENT:
            return self._own(trace, name)
        if isinstance(found, types.FunctionType):
            return self.own.get(name) or BoundMethod(wrap(trace, found, source), self)
        if type(found) is property and isinstance(found.fget, types.FunctionType):
            trace.guard(Is, source, expected=found)
            return wrap(trace, found.fget, Attribute(source, "fget")).call(trace, [self], {})
        if type(found) in (types.GetSetDescriptorType, types.MemberDescriptorType):
            return self._slot(trace, name)
        if type(found) in (types.WrapperDescriptorType, types.MethodDescriptorType):
            return BoundMethod(Known(found), self)
        if type(found) in (staticmethod, classmethod, property) or not is_read_plainly(trace, found):
            raise self.unsupported(f"the attribute {name!r}")
        return self.own.get(name) or wrap(trace, found, source)

    def _own(self, trace: Trace, name: str) -> Value:
        if name in self.own:
            return self.own[name]
        if class_attribute(trace, self.kind, "__getattr__")[0] is not ABSENT:
            raise self.unsupported(f"the attribute {name!r}")
        raise raised(AttributeError(f"{self.kind.__name__!r} object has no attribute {name!r}"))

    def _slot(self, trace: Trace, name: str) -> Value:
        """What a field of the built-in class holds."""
        if name == "args":
            return self.args
        if name == "__cause__":
            return self.cause or NONE
        if name == "__context__" and self.context_is_known:
            return self.context or NONE
        if name == "__suppress_context__":
            return TRUE if self.suppresses_context else FALSE
        if name == "__class__":
            return constant_value(self.kind)
        own_init = isinstance(class_attribute(trace, self.kind, "__init__")[0], types.FunctionType)
        if name == _VALUE_OF.get(self.layout) and len(self.args.items) <= 1 and not own_init:
            return self.args.items[0] if self.args.items else NONE
        raise self.unsupported(f"the attribute {name!r}")

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        setter = class_attribute(trace, self.kind, "__setattr__")[0]
        if isinstance(setter, types.FunctionType):
            raise self.unsupported("a __setattr__ of its own")
        if name == "__cause__" and (value is NONE or isinstance(value, ExceptionValue)):
            self.set_cause(value)
        elif name == "args":
            self.args = TupleValue(value.elements(trace))
        elif class_attribute(trace, self.kind, name)[0] is ABSENT:
            self.own[name] = value
        else:
            raise self.unsupported(f"a write of the attribute {name!r}")

    def set_cause(self, cause: Value) -> None:
        """What `raise … from cause` does."""
        self.cause = cause if isinstance(cause, ExceptionValue) else None
        self.suppresses_context = True

    # Text.
    def text(self, trace: Trace) -> Value:
        """`str(exception)`."""
        found, source = class_attribute(trace, self.kind, "__str__")
        if isinstance(found, types.FunctionType):
            return wrap(trace, found, source).call(trace, [self], {})
        return Constant(str(self.layout(*self._known_args(trace))))

    def representation(self, trace: Trace) -> Value:
        """`repr(exception)`."""
        found, source = class_attribute(trace, self.kind, "__repr__")
        if isinstance(found, types.FunctionType):
            return wrap(trace, found, source).call(trace, [self], {})
        args, name = self._known_args(trace), self.kind.__name__
        if self.kind.__flags__ & _HEAP_TYPE:
            trace.guard(Equals, Attribute(Pinned(self.kind, name), "__name__"), expected=name)
        return Constant(f"{name}({args[0]!r})" if len(args) == 1 else f"{name}{args!r}")

    def spelled(self, trace: Trace, conversion: Callable[[Any], Any]) -> Value:
        """What a conversion of an f-string gives: `repr`, `ascii`, or else `str`."""
        if conversion not in (repr, ascii):
            return self.text(trace)
        text = self.representation(trace)
        if conversion is ascii:
            return Constant(text.constant(trace).encode("ascii", "backslashreplace").decode())
        return text

    def _known_args(self, trace: Trace) -> tuple[Any, ...]:
        args = tuple(each.constant(trace) for each in self.args.items)
        if not all(type(each) in _PLAIN for each in args):
            raise self.unsupported("the text")
        return args

    def rebuild(self, writer: Writer) -> str:
        """A new object for each call. One that was raised carries a traceback, which cannot be made."""
        if self.stop is not None or self.cause is not None or self.suppresses_context:
            raise self.unsupported("returning an exception that was raised")
        return writer.once(self, lambda: self._new(writer))

    def _new(self, writer: Writer) -> str:
        pool = writer.pool
        own = "".join(f"{name!r}: {value.rebuild(writer)}, " for name, value in self.own.items())
        return f"{pool.add(new_exception)}({pool.add(self.kind)}, {self.args.rebuild(writer)}, {{{own}}})"


def new_exception(kind: type[BaseException], args: tuple[Any, ...], own: dict[str, Any]) -> BaseException:
    """An exception as the traced program made it; no `__init__` of the user's runs again."""
    layout = layout_of(kind)
    made = layout.__new__(kind, *args)
    layout.__init__(made, *args)
    vars(made).update(own)
    return made


class Traceback(Value):
    """The traceback of a traced exception, as `__exit__` gets it: to be passed on."""

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
    found = next(base for base in kind.__mro__ if not base.__flags__ & _HEAP_TYPE)
    assert issubclass(found, BaseException)
    return found
