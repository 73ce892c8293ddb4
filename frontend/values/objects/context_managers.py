"""Context managers as traced values: those of contextlib, and objects of users' classes."""

from __future__ import annotations

import contextlib
import types
from typing import TYPE_CHECKING

from ...breaks import RAISES, ProgramRaised
from ...tracing.rules import checked_call
from ..base import Value, wrap
from ..builtin_callable import BuiltinCallable
from ..constant import FALSE, LITERALS, NONE, TRUE, is_none
from ..containers.iterators import Iterator
from ..functions.functions import BoundMethod
from ..numbers.input_scalar import InputNumber, rely_on_type
from .classes import ABSENT, class_attribute, class_itself
from .exceptions import ExceptionValue
from .raise_exception import carried
from .type_flags import HEAP_TYPE

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from ..functions.generators import GeneratorValue


_PROTOCOL = ("__enter__", "__exit__")


def enter_by_class(trace: Trace, manager: Value) -> tuple[Value, Value]:
    """The bound `__exit__` for a `with` statement and the result of `__enter__`, both methods of the object's class."""
    enter, leave = (_method(trace, manager, name) for name in _PROTOCOL)
    if enter is None or leave is None:
        raise ProgramRaised(_no_manager(manager.python_type))
    return leave, enter.call(trace, [], {})


def _no_manager(cls: type) -> TypeError:
    """The error that Python raises for an object of a class that lacks a method of the protocol.

    It is raised on an object of a class of that name, so its words are those of the running version.
    """
    protocols = (*_PROTOCOL, "__aenter__", "__aexit__")
    methods = {name: len for name in protocols if any(name in vars(each) for each in cls.__mro__)}
    names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
    try:
        with type(cls.__name__, (), {**names, **methods})():
            raise AssertionError(f"{cls} has a method that was not found")
    except TypeError as error:
        return TypeError(*error.args)


class PendingExit(Value):
    """The end of a `with` statement, which is looked up before the context is entered: Note [Two lookups]."""

    def __init__(self, manager: Value) -> None:
        self.manager = manager
        self.leave: Value | None = None
        """The function to call, known once the context was entered."""

    @property
    def python_type(self) -> type:
        return types.MethodType

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        assert self.leave is not None, "the context was not entered"
        return self.leave.call(trace, args, kwargs)


class PendingEnter(Value):
    """The beginning of a `with` statement, looked up behind its end."""

    def __init__(self, manager: Value, leave: PendingExit) -> None:
        self.manager = manager
        self.leave = leave

    @property
    def python_type(self) -> type:
        return types.MethodType

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        self.leave.leave, result = self.manager.enter(trace)
        return result


def _method(trace: Trace, owner: Value, name: str) -> Value | None:
    """A method looked up on the class; None where it has none. Errors: a break for what is no function in Python."""
    cls = owner.python_type
    if isinstance(owner, InputNumber):
        rely_on_type(trace, owner)
    if not cls.__flags__ & HEAP_TYPE and cls not in (*LITERALS, tuple, list, dict):
        raise owner.unsupported("a with statement")
    found, source = class_attribute(trace, cls, name)
    if found is ABSENT:
        return None
    if not isinstance(found, types.FunctionType):
        raise owner.unsupported(f"the method {name}")
    return BoundMethod(wrap(trace, found, source), owner)


class Manager(Value):
    """A context manager of contextlib, made in the trace."""

    kind: type = object

    @property
    def python_type(self) -> type:
        return self.kind

    def truth(self, trace: Trace) -> bool:
        return True

    def enter(self, trace: Trace) -> tuple[Value, Value]:
        return ExitCall(self), self.entered(trace)

    def entered(self, trace: Trace) -> Value:
        """The result of `__enter__`."""
        raise NotImplementedError

    def left(self, trace: Trace, exception: ExceptionValue | None) -> bool:
        """Whether the exception ends here, as `__exit__` says. Errors: the break for what it raises."""
        raise NotImplementedError


class ExitCall(Value):
    """The bound `__exit__` of such a manager."""

    def __init__(self, manager: Manager) -> None:
        self.manager = manager

    @property
    def python_type(self) -> type:
        return types.MethodType

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        exception = args[1] if len(args) == 3 else None
        if kwargs or exception is None or not (isinstance(exception, ExceptionValue) or is_none(exception)):
            raise self.unsupported("a call of __exit__ with these arguments")
        return TRUE if self.manager.left(trace, exception if isinstance(exception, ExceptionValue) else None) else FALSE


class Null(Manager):
    """`nullcontext(result)`."""

    kind = contextlib.nullcontext

    def __init__(self, result: Value) -> None:
        self.result = result

    def entered(self, trace: Trace) -> Value:
        return self.result

    def left(self, trace: Trace, exception: ExceptionValue | None) -> bool:
        return False


class Suppress(Manager):
    """`suppress(*kinds)`."""

    kind = contextlib.suppress

    def __init__(self, kinds: Value) -> None:
        self.kinds = kinds

    def entered(self, trace: Trace) -> Value:
        return NONE

    def left(self, trace: Trace, exception: ExceptionValue | None) -> bool:
        if exception is None:
            return False
        asked = [class_itself(exception.kind), self.kinds]  # not as an `except` clause asks
        return BuiltinCallable(issubclass).call(trace, asked, {}).truth(trace)


class Closing(Manager):
    """`closing(thing)`."""

    kind = contextlib.closing

    def __init__(self, thing: Value) -> None:
        self.thing = thing

    def entered(self, trace: Trace) -> Value:
        return self.thing

    def left(self, trace: Trace, exception: ExceptionValue | None) -> bool:
        self.thing.attribute(trace, "close").call(trace, [], {})
        return False


class GeneratorManager(Manager):
    """The result of a function under `@contextmanager`: a generator that stands at its `yield` while the block runs."""

    kind = contextlib._GeneratorContextManager

    def __init__(self, generator: GeneratorValue) -> None:
        self.generator = generator
        self.used = False

    def entered(self, trace: Trace) -> Value:
        if self.used:
            raise self.unsupported("a second with statement")
        self.used = True
        value = self.generator.advance()
        if value is None:
            error = RuntimeError("generator didn't yield")
            error.__suppress_context__ = True
            raise ProgramRaised(error)
        return value

    def left(self, trace: Trace, exception: ExceptionValue | None) -> bool:
        if exception is None:
            if self.generator.advance() is None:
                return False
            raise self._still_there("generator didn't stop")
        assert exception.raised is not None
        try:
            self.generator.throw(exception.raised)
        except StopIteration:
            return True
        except ProgramRaised as raised:
            found = carried(trace, raised)
            wrapped = found.kind is RuntimeError and issubclass(exception.kind, StopIteration)
            if found is exception or wrapped and found.cause is exception:
                return False
            raise
        raise self._still_there("generator didn't stop after throw()")

    def _still_there(self, text: str) -> ProgramRaised:
        self.generator.close()
        return ProgramRaised(RuntimeError(text))


class Stack(Manager):
    """`ExitStack()`: what is to be called when it is left, the last one first."""

    kind = contextlib.ExitStack
    METHODS = frozenset({"callback", "close", "enter_context", "pop_all", "push"})

    def __init__(self) -> None:
        self.exits: list[Value] = []

    def entered(self, trace: Trace) -> Value:
        return self

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in self.METHODS:
            raise self.unsupported(f"the attribute {name!r}")
        return StackMethod(self, name)

    def left(self, trace: Trace, exception: ExceptionValue | None) -> bool:
        current, pending = exception, False
        while self.exits:
            leave = self.exits.pop()
            try:
                if leave.call(trace, exit_arguments(current), {}).truth(trace):
                    current, pending = None, False
            except ProgramRaised as raised:
                found = carried(trace, raised)
                _chain(found, current, exception)
                current, pending = found, True
        if pending:
            assert current is not None and current.raised is not None
            raise current.raised.with_traceback(None)
        return exception is not None and current is None


def _chain(new: ExceptionValue, old: ExceptionValue | None, handled: ExceptionValue | None) -> None:
    """Put the exception before into the contexts of a new one, in place of the one that the block was left with."""
    each = new
    while each.context is not None and each.context is not old:
        if each.context is handled:
            each.context = old
            return
        each = each.context


def exit_arguments(exception: ExceptionValue | None) -> list[Value]:
    """The arguments of a call of `__exit__`: three times None without an exception."""
    return [NONE] * 3 if exception is None else exception.information()


class StackMethod(Value):
    """A bound method of an ExitStack."""

    def __init__(self, stack: Stack, name: str) -> None:
        self.stack = stack
        self.name = name

    @property
    def python_type(self) -> type:
        return types.MethodType

    def describe(self) -> str:
        return f"ExitStack.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return checked_call(self.describe(), getattr(self, f"_{self.name}"), trace, *args, **kwargs)

    def _enter_context(self, trace: Trace, manager: Value, /) -> Value:
        if type(manager).enter is Value.enter and None in (_method(trace, manager, each) for each in _PROTOCOL):
            raise RAISES.stop(error="TypeError: no context manager")  # in other words than those of a with statement
        leave, result = manager.enter(trace)
        self.stack.exits.append(leave)
        return result

    def _push(self, trace: Trace, exit: Value, /) -> Value:
        if isinstance(exit, Manager):
            leave: Value = ExitCall(exit)
        elif isinstance(exit, (BoundMethod, Iterator)) or exit.python_type is types.FunctionType:
            leave = exit
        else:
            found = _method(trace, exit, "__exit__")
            leave = exit if found is None else found
        self.stack.exits.append(leave)
        return exit

    def _callback(self, trace: Trace, function: Value, /, *args: Value, **kwargs: Value) -> Value:
        self.stack.exits.append(Callback(function, list(args), kwargs))
        return function

    def _pop_all(self, trace: Trace) -> Value:
        moved = Stack()
        moved.exits, self.stack.exits = self.stack.exits, []
        return moved

    def _close(self, trace: Trace) -> Value:
        self.stack.left(trace, None)
        return NONE


class Callback(Value):
    """The function that `ExitStack.callback` registers: it is not told about the exception and cannot end it."""

    def __init__(self, function: Value, args: list[Value], kwargs: dict[str, Value]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    @property
    def python_type(self) -> type:
        return types.FunctionType

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        self.function.call(trace, self.args, self.kwargs)
        return NONE
