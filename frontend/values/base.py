"""The base of all traced values, and the registry from Python types to the classes that wrap them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from ...guards.guard import Is, TypeIs
from ...guards.sources import Attribute, Source
from ..breaks import SIDE_EFFECT, UNKNOWN_VALUE, BreakKind, GraphBreak, Unwinding
from .python_operators import OperatorRank

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace
    from .effects.external_objects import ExternalObjects


class Value:
    """A traced value: it stands for one Python object during a trace. The defaults break the graph."""

    source: Source | None = None
    is_one_object: ClassVar[bool] = False
    """Whether the trace made the object, knows it by this value alone, and its class compares by identity."""
    operator_rank: ClassVar[OperatorRank] = OperatorRank.OTHER
    """The rank by which one of two operands is asked first about an operator."""

    @property
    def python_type(self) -> type:
        """The type the real object has."""
        raise NotImplementedError

    def describe(self) -> str:
        """A few words for messages."""
        return str(self.source) if self.source else f"a {self.python_type.__name__}"

    def unsupported(self, operation: str) -> GraphBreak:
        """The break for an operation this value has no rule for."""
        return UNKNOWN_VALUE.stop(operation=operation, name=f"{self.describe()} (a {self.python_type.__name__})")

    def is_constant(self) -> bool:
        """Whether the value is known and immutable."""
        return False

    def constant(self, trace: Trace) -> Any:
        """The value as a Python object, specialising on it when it came from outside."""
        raise self.unsupported("the value of it as a constant")

    def truth(self, trace: Trace) -> bool:
        """`bool(value)`; may specialise on the outcome."""
        raise self.unsupported("a branch")

    def attribute(self, trace: Trace, name: str) -> Value:
        """`value.name`."""
        raise self.unsupported(f"the attribute {name!r}")

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        """`self.name = value`."""
        raise SIDE_EFFECT.stop(name=f"{self.describe()}.{name}")

    def delete_attribute(self, trace: Trace, name: str) -> None:
        """`del self.name`."""
        raise SIDE_EFFECT.stop(name=f"{self.describe()}.{name}")

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """`value(*args, **kwargs)`."""
        raise self.unsupported("a call")

    def item(self, trace: Trace, key: Value) -> Value:
        """`value[key]`."""
        raise self.unsupported("a subscript")

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        """`self[key] = value`."""
        raise self.unsupported("a subscript assignment")

    def delete_item(self, trace: Trace, key: Value) -> None:
        """`del value[key]`."""
        raise self.unsupported("a subscript deletion")

    def elements(self, trace: Trace) -> list[Value]:
        """The values iteration gives."""
        raise self.unsupported("iteration")

    def iterate(self, trace: Trace) -> Iterator[Value]:
        """The elements that `iter(value)` gives, one by one as the loop asks for them."""
        return iter(self.elements(trace))

    def length(self, trace: Trace) -> int:
        """`len(value)`."""
        raise self.unsupported("len()")

    def contains(self, trace: Trace, element: Value) -> bool:
        """`element in value`."""
        raise self.unsupported("the operator `in`")

    def unary(self, trace: Trace, name: str) -> Value:
        """`-value`, `+value` or `~value`."""
        raise self.unsupported(f"the operator `{name}`")

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        """`left <name> right` of two operands, this one and one of no higher rank; None where it has no rule."""
        return None

    def compare(self, trace: Trace, name: str, left: Value, right: Value) -> Value | None:
        """`left <name> right` for a comparison, likewise."""
        return self.binary(trace, name, left, right, in_place=False)

    def whole_number(self, trace: Trace) -> Value:
        """An int64 of NumPy's as the Python int that it converts to, where Python computes it from arguments.

        Any other value is itself: where NumPy computes with an argument in Python, narrower integers wrap around."""
        return self

    def index_number(self, trace: Trace) -> Value:
        """A NumPy integer of any dtype likewise, for what converts it at once: subscripts, slices and ranges."""
        return self

    def spelled(self, trace: Trace, conversion: Callable[[Any], Any]) -> Value:
        """The text that `str`, `repr` or `ascii` gives."""
        from .text import text_of

        return text_of(conversion, [self.constant(trace)], {})

    def formatted(self, trace: Trace, spec: Value) -> Value:
        """The text that `format(value, spec)` gives."""
        from .text import pure_format

        wanted = spec.constant(trace)
        return pure_format(self.constant(trace), wanted) if wanted else self.spelled(trace, str)

    def enter(self, trace: Trace) -> tuple[Value, Value]:
        """The bound `__exit__` for a `with` statement, and the result of `__enter__`."""
        from .objects.context_managers import enter_by_class

        return enter_by_class(trace, self)

    def rebuild(self, writer: EntryWriter) -> str:
        """The expression that makes the object after the plan has run; one from outside is read where it was found."""
        if self.source is None:
            raise self.unsupported("a return")
        return self.source.text(writer.pool)


_CHANGES = threading.local()


class MutableValue(Value):
    """A mutable object, which others may know too: one from outside has one traced value, whatever leads to it.

    home:          where the trace keeps those from outside whose changes can be carried out after the plan.
    identity_kind: objects of different kinds are never the same one; "" where that is not asked.
    held_by:       of what an object of a subclass holds, the built-in type that it is below: see Note [Held values].
    """

    met_once: ClassVar[bool] = True
    identity_kind: ClassVar[str] = ""
    home: ExternalObjects | None = None
    held_by: type | None = None

    @property
    def altered(self) -> MutableValue:
        """The traced object that is among the trace's effects once this one is changed."""
        return self

    @staticmethod
    def changes_noted() -> int:
        """The number of changes that this thread's traces have made."""
        return getattr(_CHANGES, "count", 0)

    @staticmethod
    def changes_outside() -> int:
        """The number of changes that this thread's traces have made to objects that existed before the call."""
        return getattr(_CHANGES, "outside", 0)

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = super().__new__(cls)
        born = getattr(_CHANGES, "born", None)
        if born is not None:
            born[id(made)] = made
        return made

    @staticmethod
    @contextmanager
    def changes_only_of_new(otherwise: BreakKind) -> Iterator[None]:
        """A context in which only objects made in it may change: what is done there stands for many iterations.

        otherwise: the break at a change of another object."""
        before = getattr(_CHANGES, "born", None), getattr(_CHANGES, "otherwise", None)
        _CHANGES.born, _CHANGES.otherwise = {}, otherwise
        try:
            yield
        finally:
            _CHANGES.born, _CHANGES.otherwise = before

    def note_change(self) -> None:
        """To be called before a change. Errors: a break for an object from outside that cannot be changed later."""
        born = getattr(_CHANGES, "born", None)
        if born is not None and id(self) not in born:
            raise _CHANGES.otherwise.stop(name=self.describe())
        _CHANGES.count = self.changes_noted() + 1
        if self.source is not None:
            _CHANGES.outside = self.changes_outside() + 1
            if self.home is None:
                raise SIDE_EFFECT.stop(name=self.source)
            self.home.note(self, str(self.source))

    def replay(self, writer: EntryWriter) -> list[str]:
        """The statements that bring the real object into the state that the traced one has now."""
        assert self.source is not None
        return self.changes(writer, writer.fetched(self.source.text(writer.pool)))

    def changes(self, writer: EntryWriter, owner: str) -> list[str]:
        """The statements that bring the object in the variable `owner` into the state that the traced one has now."""
        raise self.unsupported("a change")


Wrapper = Callable[["Trace", Any, Source], Value]
_WRAPPERS: dict[type, Wrapper] = {}
_BEFORE_TYPES: list[tuple[Callable[[Any], bool], Wrapper]] = []
_FALLBACKS: list[tuple[Callable[[Any], bool], Wrapper]] = []


def wraps(*kinds: type) -> Callable[[Wrapper], Wrapper]:
    """Registers how objects of exactly these types are wrapped."""

    def register(wrapper: Wrapper) -> Wrapper:
        for kind in kinds:
            assert kind not in _WRAPPERS, kind
            _WRAPPERS[kind] = wrapper
        return wrapper

    return register


def wraps_when(
    accepts: Callable[[Any], bool], *, first: bool = False, before_types: bool = False
) -> Callable[[Wrapper], Wrapper]:
    """Registers how other objects that `accepts` says yes to are wrapped; asked in order of registration.

    `first`: asked before those that take any object of a user's class. `before_types`: asked before the types are.
    """

    def register(wrapper: Wrapper) -> Wrapper:
        table = _BEFORE_TYPES if before_types else _FALLBACKS
        table.insert(0 if first else len(table), (accepts, wrapper))
        return wrapper

    return register


def wrap(trace: Trace, value: Any, source: Source) -> Value:
    """The traced value for an object read at `source`, with the guards its kind needs."""
    known = trace.effects.external.met(value, source)
    if known is not None:
        return known
    wrapper = next((candidate for accepts, candidate in _BEFORE_TYPES if accepts(value)), _WRAPPERS.get(type(value)))
    if wrapper is None:
        wrapper = next((candidate for accepts, candidate in _FALLBACKS if accepts(value)), _refuse)
    try:
        found = wrapper(trace, value, source)
    except Unwinding:
        # The plain entry that follows is for values of this type only.
        trace.guard(TypeIs, source, expected=type(value))
        if type(value) is np.ndarray:
            trace.guard(Is, Attribute(source, "dtype"), expected=value.dtype)
        raise
    if isinstance(found, MutableValue) and found.met_once:
        trace.effects.external.meet(value, found)
    return found


class OpaqueValue(Value):
    """An object the tracer knows nothing about.

    It can be passed on, returned and compared with None; other uses break the graph.
    """

    __slots__ = ("kind", "source")

    def __init__(self, kind: type, source: Source) -> None:
        self.kind = kind
        self.source: Source | None = source

    @property
    def python_type(self) -> type:
        raise self.unsupported("the type")  # `isinstance` may ask the object itself

    def unsupported(self, operation: str) -> GraphBreak:
        return UNKNOWN_VALUE.stop(operation=operation, name=f"{self.source} (a {self.kind.__name__})")

    def rebuild(self, writer: EntryWriter) -> str:
        assert self.source is not None
        return self.source.text(writer.pool)


class Sentinel(Value):
    """An `object()`: it is itself, and nothing else can be asked of it."""

    def __init__(self, value: object, source: Source) -> None:
        self.value = value
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return object

    def truth(self, trace: Trace) -> bool:
        return True

    def is_same(self, trace: Trace, other: Sentinel) -> bool:
        """`self is other`."""
        for each in (self, other):
            trace.guard(Is, each.source, expected=each.value)
        return self.value is other.value


@wraps(object)
def wrap_sentinel(trace: Trace, value: Any, source: Source) -> Value:
    """An `object()`, which is guarded to be this very one once somebody compares it."""
    trace.guard(TypeIs, source, expected=object)
    return Sentinel(value, source)


def _refuse(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(TypeIs, source, expected=type(value))
    return OpaqueValue(type(value), source)
