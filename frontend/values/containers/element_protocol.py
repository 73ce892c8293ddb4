"""The questions that containers ask of their elements (key, index, equality), and the containers' methods."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator as Iterating
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ....core.sizes import Size
from ...breaks import ARRAY_VALUE, RAISES, UNKNOWN_VALUE, ProgramRaised
from ...bytecode.versions import current
from .. import protocols
from ..base import Value
from ..builtin_callable import BuiltinCallable
from ..constant import LITERALS, Constant
from ..numbers.symbolic_int import SymInt
from ..objects.builtin_methods import ContainerMethod
from ..objects.user_object import UserObject

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def method_of(owner: Value, name: str) -> Value:
    """The bound method of a container. Errors: a break where there is no rule for it."""
    if (owner.python_type, name) not in protocols.SEQUENCE_METHODS.load():
        if not hasattr(owner.python_type, name):
            raise ProgramRaised(AttributeError(f"{owner.python_type.__name__!r} object has no attribute {name!r}"))
        raise owner.unsupported(f"the attribute {name!r}")
    return ContainerMethod(owner, name)


def index_of(trace: Trace, key: Value) -> int | slice:
    """A subscript of a sequence as a Python int or slice."""
    index = protocols.as_index(trace, key) if isinstance(key, UserObject) else key.index_number(trace).constant(trace)
    if not isinstance(index, (int, slice)):
        if not isinstance(index, (*LITERALS, tuple, list)):
            raise key.unsupported("a subscript")
        raise RAISES.stop(error=f"TypeError: indices must be integers or slices, not {type(index).__name__}")
    return index


def key_for(trace: Trace, key: Value, use: Literal["dict key", "set element"]) -> Any:
    """A key as a Python object. Errors: TypeError of the program where it has no hash, in the words for this use."""
    try:
        return key_of(trace, key)
    except ProgramRaised as raised:
        if type(raised.error) is not TypeError or id(raised.error) in trace.exceptions:
            raise  # a method `__hash__` of the user's raised it
        cls = key.python_type
        kind = (
            cls.__qualname__ if cls.__module__ in ("builtins", "__main__") else f"{cls.__module__}.{cls.__qualname__}"
        )
        text = current().unhashable.format(kind=kind, use=use, error=raised.error)
        raise ProgramRaised(TypeError(text)) from None


def key_of(trace: Trace, key: Value) -> Any:
    """The Python object that is hashed. Errors: TypeError of the program where it has no hash, as for a list."""
    from .object_keys import object_key
    from .sequences import TupleValue

    found = object_key(trace, key)
    if found is not None:
        return found
    if issubclass(key.python_type, np.generic):  # its type is kept in the container
        raise ARRAY_VALUE.stop(wanted="key")
    wanted = tuple(key_of(trace, each) for each in key.items) if type(key) is TupleValue else key.constant(trace)
    try:
        hash(wanted)
    except TypeError as error:
        raise ProgramRaised(error) from None
    if _holds_nan(wanted):
        raise key.unsupported("NaN, which no lookup finds but by identity, as a key")
    return wanted


def _holds_nan(key: Any) -> bool:
    if type(key) in (tuple, frozenset):
        return any(map(_holds_nan, key))
    return type(key) in (float, complex) and key != key


def same_value(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right or left == right`, as containers ask it."""
    return protocols.is_or_equals(trace, left, right)


def constant_value(value: Any) -> Value:
    """The traced value of a literal from a code object; tuples become tuples of values."""
    from .object_keys import ObjectKey

    if isinstance(value, ObjectKey):
        return value.value
    if isinstance(value, Size):
        return SymInt(value)
    if type(value) is tuple:
        from .sequences import TupleValue

        return TupleValue([constant_value(each) for each in value])
    if isinstance(value, type):
        return BuiltinCallable(value)
    if type(value) is frozenset:
        from .sets import known_frozenset

        return known_frozenset(value)
    if type(value) is range:
        from .ranges import RangeValue

        return RangeValue(value)
    if type(value) is slice:
        from .ranges import SliceValue

        start, stop, step = map(constant_value, (value.start, value.stop, value.step))
        return SliceValue(start, stop, step)
    if isinstance(value, Enum):
        from ..objects.enums import member

        return member(value)
    return Constant(value)


@contextmanager
def looking_into(trace: Trace, value: Any, kind: type, name: object) -> Iterating[None]:
    """A context for looking at the elements of `value`, a `kind`. Errors: a break when the container holds itself."""
    if id(value) in trace.wrapping:
        raise UNKNOWN_VALUE.stop(operation="any use", name=f"{name} (a {kind.__name__} that holds itself)")
    trace.wrapping.add(id(value))
    try:
        yield
    finally:
        trace.wrapping.discard(id(value))


def constant_elements(trace: Trace, owner: Value, elements: Iterable[Value]) -> list[Any]:
    """The elements of a container as Python objects. Errors: a break when it holds itself."""
    with looking_into(trace, owner, owner.python_type, owner.describe()):
        return [each.constant(trace) for each in elements]
