"""The base of all traced values, and the registry from Python types to the classes that wrap them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...guards.guard import Is, TypeIs
from ...guards.sources import Attribute, Source
from ..breaks import SIDE_EFFECT, UNKNOWN_VALUE, GraphBreak

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace


class Value:
    """What stands for one Python object during a trace. The defaults break the graph."""

    source: Source | None = None

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
        """What `iter(value)` gives, element by element as the loop asks for them."""
        return iter(self.elements(trace))

    def length(self, trace: Trace) -> int:
        """`len(value)`."""
        raise self.unsupported("len()")

    def contains(self, trace: Trace, element: Value) -> bool:
        """`element in value`."""
        raise self.unsupported("the operator `in`")

    def enter(self, trace: Trace) -> tuple[Value, Value]:
        """What a `with` statement gets: the bound `__exit__`, and the result of `__enter__`."""
        from .contexts import enter_by_class

        return enter_by_class(trace, self)

    def rebuild(self, writer: Writer) -> str:
        """The expression that makes the object after the plan has run."""
        raise self.unsupported("a return")


Wrapper = Callable[["Trace", Any, Source], Value]
_WRAPPERS: dict[type, Wrapper] = {}
_FALLBACKS: list[tuple[Callable[[Any], bool], Wrapper]] = []


def wraps(*kinds: type) -> Callable[[Wrapper], Wrapper]:
    """Registers how objects of exactly these types are wrapped."""

    def register(wrapper: Wrapper) -> Wrapper:
        for kind in kinds:
            assert kind not in _WRAPPERS, kind
            _WRAPPERS[kind] = wrapper
        return wrapper

    return register


def wraps_when(accepts: Callable[[Any], bool], *, first: bool = False) -> Callable[[Wrapper], Wrapper]:
    """Registers how other objects that `accepts` says yes to are wrapped; asked in order of registration.

    `first`: asked before those that take any object of a user's class.
    """

    def register(wrapper: Wrapper) -> Wrapper:
        _FALLBACKS.insert(0 if first else len(_FALLBACKS), (accepts, wrapper))
        return wrapper

    return register


def wrap(trace: Trace, value: Any, source: Source) -> Value:
    """The traced value for an object read at `source`, with the guards its kind needs."""
    wrapper = _WRAPPERS.get(type(value))
    if wrapper is None:
        wrapper = next((candidate for accepts, candidate in _FALLBACKS if accepts(value)), _refuse)
    try:
        return wrapper(trace, value, source)
    except GraphBreak:
        # The plain entry that follows is for values of this type only.
        trace.guard(TypeIs, source, expected=type(value))
        if type(value) is np.ndarray:
            trace.guard(Is, Attribute(source, "dtype"), expected=value.dtype)
        raise


class Opaque(Value):
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

    def rebuild(self, writer: Writer) -> str:
        assert self.source is not None
        return self.source.text(writer.pool)


def _refuse(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(TypeIs, source, expected=type(value))
    return Opaque(type(value), source)
