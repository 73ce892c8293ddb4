"""Known immutable values: literals of the code, results of folding, and things from outside that are guarded whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from ...core.devices import Device
from ...core.dtypes import DType
from ...guards.constants import constant_text
from ...guards.describe import describe
from ...guards.guard import Equals, Is
from ...guards.sources import Source
from ..breaks import RAISES, ProgramRaised
from .base import Value, wraps, wraps_when
from .python_operators import BINARY, UNARY, OperatorRank

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace

LITERALS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), Device)


def _not_iterable(value: Any) -> TypeError:
    """The error for a search in what holds nothing, as Python words it."""
    try:
        None in value  # noqa: B015
    except TypeError as error:
        return TypeError(*error.args)
    raise AssertionError(f"{value!r} was searched")


def _no_attribute(value: Any, name: str) -> AttributeError:
    """The error for an attribute that a constant has not, as Python words it."""
    try:
        getattr(value, name)
    except AttributeError as error:
        return AttributeError(*error.args)
    raise AssertionError(f"{value!r} has no attribute {name!r}, and yet it has")


_OF_DTYPES = frozenset(
    "alignment base byteorder char fields hasobject isalignedstruct isnative itemsize kind name names ndim num shape "
    "str subdtype type".split()
)
"""The attributes of a number's dtype that nobody can change."""


class Constant(Value):
    """A value known while tracing."""

    __slots__ = ("source", "value")
    operator_rank = OperatorRank.CONSTANT

    def __init__(self, value: Any, source: Source | None = None) -> None:
        self.value = value
        self.source = source

    @property
    def python_type(self) -> type:
        return type(self.value)

    def describe(self) -> str:
        return str(self.source) if self.source else describe(self.value)

    def is_constant(self) -> bool:
        return True

    def constant(self, trace: Trace) -> Any:
        return self.value

    def truth(self, trace: Trace) -> bool:
        if type(self.value) not in LITERALS:
            raise self.unsupported("a branch")
        return bool(self.value)

    def length(self, trace: Trace) -> int:
        return len(self.checked((str, bytes), "len()"))

    def elements(self, trace: Trace) -> list[Value]:
        from .containers.element_protocol import constant_value

        return [constant_value(each) for each in self.checked((str, bytes), "iteration")]

    def contains(self, trace: Trace, element: Value) -> bool:
        if type(self.value) in LITERALS and not hasattr(self.value, "__contains__"):
            raise ProgramRaised(_not_iterable(self.value))
        container = self.checked((str, bytes), "the operator `in`")
        from .containers.builtin_subclasses import plain

        try:
            return plain(element).constant(trace) in container
        except TypeError as error:
            raise ProgramRaised(error) from None

    def item(self, trace: Trace, key: Value) -> Value:
        from .containers.builtin_subclasses import plain

        index = plain(key).constant(trace)
        text = self.checked((str, bytes), "a subscript")
        try:
            picked = text[index]
            return self if picked is text else Constant(picked)
        except (IndexError, TypeError) as error:
            raise ProgramRaised(error) from None

    def attribute(self, trace: Trace, name: str) -> Value:
        from .containers.element_protocol import constant_value
        from .text import attribute_of

        found = attribute_of(self, name)
        if found is not None:
            return found
        if isinstance(self.value, np.dtype) and name in _OF_DTYPES:
            return constant_value(getattr(self.value, name))
        if isinstance(self.value, Device) and name in ("type", "index"):
            return Constant(getattr(self.value, name))
        if isinstance(self.value, DType) and type(getattr(self.value, name, None)) in LITERALS and hasattr(DType, name):
            return Constant(getattr(self.value, name))
        if isinstance(self.value, np.dtype) and name == "metadata" and self.value.metadata is None:
            return NONE
        known = type(self.value) in LITERALS or isinstance(self.value, (DType, np.dtype))
        if known and not hasattr(self.value, name):
            raise ProgramRaised(_no_attribute(self.value, name))
        raise self.unsupported(f"the attribute {name!r}")

    def checked(self, kinds: tuple[type, ...], operation: str) -> Any:
        """The value, if it is of one of these kinds; else the break for `operation`."""
        if type(self.value) not in kinds:
            raise self.unsupported(operation)
        return self.value

    def unary(self, trace: Trace, name: str) -> Value:
        if name == "~" and self.python_type is bool:
            raise self.unsupported("the operator `~`")  # Python warns of it, at the user's line
        return fold(UNARY[name][0], self)

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        if is_known_number(left) and is_known_number(right) and name in BINARY:
            return fold(BINARY[name][0], left, right)
        return None

    def rebuild(self, writer: EntryWriter) -> str:
        if type(self.value) in (str, bytes) and self.source is not None:
            return self.source.text(writer.pool)  # the caller's own object, as in Python
        return constant_text(self.value, writer.pool)


NONE, TRUE, FALSE = Constant(None), Constant(True), Constant(False)
"""The constants that rules have as defaults of their parameters, among other uses."""


@wraps(type(None), type(Ellipsis), type(NotImplemented), bool)
def wrap_singleton(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return Constant(value, source)


@wraps(str, bytes, Device)
def wrap_text(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Equals, source, expected=value)
    return Constant(value, source)


@wraps_when(lambda value: issubclass(type(value), np.dtype))
def wrap_dtype(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return Constant(value, source)


def is_pure_type(value: object) -> bool:
    """Whether a class object may stand in a trace as itself."""
    return isinstance(value, type) and (issubclass(value, np.generic) or value in (bool, int, float, complex, str))


def is_known_number(value: Value) -> TypeGuard[Constant]:
    """Whether a value is a known bool, int or float."""
    return isinstance(value, Constant) and value.python_type in (bool, int, float)


def fold(function: Callable[..., Any], *operands: Constant) -> Constant:
    """The value of an operator on known numbers. Errors: the exception that Python raises."""
    try:
        return Constant(function(*(each.value for each in operands)))
    except (ArithmeticError, ValueError) as error:
        raise ProgramRaised(error) from None
    except TypeError as error:  # whose words are others for the in-place form
        raise RAISES.stop(error=f"TypeError: {error}") from None


def is_none(value: Value) -> bool:
    """Whether a value is None itself."""
    return isinstance(value, Constant) and value.python_type is type(None)


def is_singleton(value: object) -> bool:
    """Whether a value is the only one of its kind, so that `is` can be answered by it."""
    return value is None or isinstance(value, bool) or value is Ellipsis or value is NotImplemented


__all__ = [
    *("FALSE", "LITERALS", "NONE", "TRUE", "Constant", "fold", "is_known_number", "is_none", "is_pure_type"),
    "is_singleton",
]
