"""Objects of classes written in Python: what the language asks of an object is answered by its class's methods."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from collections.abc import Iterator as Iterating
from typing import TYPE_CHECKING, Any

from ...breaks import ProgramRaised
from .. import protocols
from ..base import Value, wrap
from ..constant import Constant
from ..containers.iterators import IndexSteps, Iterator, OwnIterator
from ..python_operators import OperatorRank
from .classes import ABSENT, class_attribute, shown_name
from .descriptors import read_attribute, remove_attribute, write_attribute
from .wrong_answers import wrong_answer, wrong_type

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class UserObject(Value):
    """An object whose attributes are read by the ordinary rules. Where it keeps its own is a subclass's matter."""

    __slots__ = ()
    operator_rank = OperatorRank.USER_OBJECT

    # Its own attributes.
    def own(self, trace: Trace, name: str) -> Value | None:
        """The value under a name in the object's own dict; None where it has no such key. Guarded either way."""
        raise NotImplementedError

    def put(self, trace: Trace, name: str, value: Value) -> None:
        """Put an attribute into the object's own dict."""
        raise NotImplementedError

    def remove(self, trace: Trace, name: str) -> None:
        """Take one out of it. Errors: AttributeError when there is none."""
        raise NotImplementedError

    def slot(self, trace: Trace, descriptor: Any, name: str) -> Value:
        """The content of one of its slots. Errors: AttributeError for an empty one."""
        raise NotImplementedError

    def put_slot(self, trace: Trace, descriptor: Any, name: str, value: Value | None) -> None:
        """Fill a slot; None empties it."""
        raise NotImplementedError

    def takes_new_attributes(self, trace: Trace) -> bool:
        """Whether `put` has a rule here."""
        return False

    def namespace(self, trace: Trace) -> Value:
        """`vars(self)`."""
        raise self.unsupported("the attribute '__dict__'")

    # Operators.
    def unary(self, trace: Trace, name: str) -> Value:
        return protocols.unary_by_dunder(trace, name, self)

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        return protocols.operate_by_dunder(trace, name, left, right, in_place=in_place)

    def compare(self, trace: Trace, name: str, left: Value, right: Value) -> Value | None:
        return protocols.compare_by_dunder(trace, name, left, right)

    # The attribute protocol.
    def attribute(self, trace: Trace, name: str) -> Value:
        return read_attribute(trace, self, name)

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        write_attribute(trace, self, name, value)

    def delete_attribute(self, trace: Trace, name: str) -> None:
        remove_attribute(trace, self, name)

    # Special methods.
    def special(self, trace: Trace, name: str, *args: Value) -> Value | None:
        """The result of a method looked up on the type, as the interpreter does it; None where there is none.

        Errors: a break for methods that are not functions in Python.
        """
        found, source = class_attribute(trace, self.python_type, name)
        if found is ABSENT:
            return None
        if not isinstance(found, types.FunctionType):
            raise self.unsupported(f"the method {name}")
        return wrap(trace, found, source).call(trace, [self, *args], {})

    def _required(self, trace: Trace, name: str, error: str, *args: Value) -> Value:
        result = self.special(trace, name, *args)
        if result is None:
            raise ProgramRaised(TypeError(f"{shown_name(self.python_type)!r} object {error}"))
        return result

    def truth(self, trace: Trace) -> bool:
        answer = self.special(trace, "__bool__")
        if answer is not None:
            if answer.python_type is not bool:
                raise wrong_type(self.python_type, "__bool__", answer.python_type, bool)
            return answer.truth(trace)
        if class_attribute(trace, self.python_type, "__len__")[0] is not ABSENT:
            return self.length(trace) > 0
        return True

    def length(self, trace: Trace) -> int:
        found = self._required(trace, "__len__", "has no len()").constant(trace)
        if type(found) not in (int, bool):
            raise self.unsupported("len()")
        if found < 0:
            raise wrong_answer(self.python_type, "__len__", found, len)
        return int(found)

    def item(self, trace: Trace, key: Value) -> Value:
        return self._required(trace, "__getitem__", "is not subscriptable", key)

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        self._required(trace, "__setitem__", "does not support item assignment", key, value)

    def delete_item(self, trace: Trace, key: Value) -> None:
        self._required(trace, "__delitem__", "does not support item deletion", key)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        found, source = class_attribute(trace, self.python_type, "__call__")
        if found is ABSENT:
            raise ProgramRaised(TypeError(f"{shown_name(self.python_type)!r} object is not callable"))
        if not isinstance(found, types.FunctionType):
            raise self.unsupported("a call")
        return wrap(trace, found, source).call(trace, [self, *args], kwargs)

    def contains(self, trace: Trace, element: Value) -> bool:
        if class_attribute(trace, self.python_type, "__contains__")[0] is not ABSENT:
            answer = self.special(trace, "__contains__", element)
            assert answer is not None
            return protocols.truth(trace, answer)
        return any(protocols.is_or_equals_by_dunder(trace, each, element) for each in self.iterate(trace))

    def elements(self, trace: Trace) -> list[Value]:
        """The items for a new list or tuple, which asks for their number first (CPython's PyObject_LengthHint)."""
        steps = self.iterate(trace)
        self._ask_for_length(trace)
        return list(steps)

    def _ask_for_length(self, trace: Trace) -> None:
        for name in ("__len__", "__length_hint__"):
            try:
                answer = self.special(trace, name)
            except ProgramRaised as raised:
                if not isinstance(raised.error, TypeError):
                    raise
                continue
            if answer is None or name == "__length_hint__" and protocols.is_declined(answer):
                continue
            if answer.python_type not in (int, bool):
                raise self.unsupported("a length that is not an int")
            if (number := answer.constant(trace)) < 0:
                raise wrong_answer(self.python_type, name, number, operator.length_hint)
            return

    def spelled(self, trace: Trace, conversion: Callable[[Any], Any]) -> Value:
        text = protocols.as_text(trace, self, "__str__" if conversion is str else "__repr__")
        return text if conversion is not ascii else Constant(_escaped(text.constant(trace)))

    def formatted(self, trace: Trace, spec: Value) -> Value:
        return protocols.as_text(trace, self, "__format__", spec)

    def iterate(self, trace: Trace) -> Iterating[Value]:
        return self.iterator(trace)

    def iterator(self, trace: Trace) -> Iterator:
        """The iterator that `iter(self)` gives."""
        if class_attribute(trace, self.python_type, "__iter__")[0] is not ABSENT:
            made = self.special(trace, "__iter__")
            if isinstance(made, UserObject):
                return made.as_iterator(trace, lambda: wrong_type(self.python_type, "__iter__", made.python_type, iter))
            if not isinstance(made, Iterator):
                raise self.unsupported("iteration through __iter__")
            return made
        if class_attribute(trace, self.python_type, "__getitem__")[0] is ABSENT:
            raise ProgramRaised(TypeError(f"{self.python_type.__name__!r} object is not iterable"))
        return Iterator(IndexSteps(trace, self))

    def as_iterator(self, trace: Trace, otherwise: Callable[[], ProgramRaised]) -> OwnIterator:
        """The object as an iterator by its own `__next__`. Errors: `otherwise`, when it has none."""
        if class_attribute(trace, self.python_type, "__next__")[0] is ABSENT:
            raise otherwise()
        return OwnIterator(trace, self)


def _escaped(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode()
