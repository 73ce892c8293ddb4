"""Sets of known elements: made during the trace, or read from outside, where what they hold is guarded."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from collections.abc import Iterator as Iterating
from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ....guards.containers import SetElements, is_plain
from ....guards.guard import TypeIs
from ....guards.sources import Source
from ...breaks import SIDE_EFFECT, UNKNOWN_VALUE, ProgramRaised
from ..base import MutableValue, Value, wraps
from ..constant import Constant
from .dicts import DictValue, DictView, dict_key
from .element_protocol import constant_value, key_for, key_of, method_of
from .object_keys import objects_in

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class SetValue(Value):
    """A set or frozenset. `real` is one that went through the same steps as the program's, so its order is Python's."""

    __slots__ = ("_changes", "_function", "_parts", "real", "source")

    def __init__(self, real: Any, function: Callable[..., Any], parts: tuple[Any, ...], source: Source | None = None):
        self.real = real
        self.source = source
        self._function, self._parts = function, parts
        self._changes: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []

    @property
    def python_type(self) -> type:
        return type(self.real)

    @property
    def history(self) -> SetHistory | Source:
        """The way to have such a set again: where it is, or the steps up to now."""
        return self.source or SetHistory(self._function, self._parts, tuple(self._changes))

    def change(self, trace: Trace, step: Callable[..., Any], *operands: tuple[Any, Any]) -> None:
        """Do one step in place; `step` gives back the set. Errors: the break for what it raises."""
        try:
            step(self.real, *(real for real, _ in operands))
        except (KeyError, TypeError) as error:
            raise ProgramRaised(error) from None
        self._changes.append((step, tuple(part for _, part in operands)))

    def rely_on_order(self, trace: Trace) -> None:
        """Make sure that `real` has its elements in Python's order. Errors: a break where that cannot be known."""
        for found in self._objects():
            if found.hashed is None and len(self.real) > 1:
                raise found.value.unsupported("the order in a set of it")
        if self.source is not None:
            trace.guard(SetElements, self.source, expected=tuple(self.real), ordered=True)
        elif next(self.history.sources(), None) is not None:  # type: ignore[union-attr]
            raise self.unsupported("the order of what was computed from a set that existed before the call")

    def _objects(self) -> list[Any]:
        return [found for each in self.real for found in objects_in(each)]

    def is_constant(self) -> bool:
        return type(self.real) is frozenset

    def constant(self, trace: Trace) -> Any:
        for found in self._objects():
            raise found.value.unsupported("the value of it as a constant")
        self.rely_on_order(trace)
        return self.real  # no copy, which might have another order

    def truth(self, trace: Trace) -> bool:
        return bool(self.real)

    def length(self, trace: Trace) -> int:
        return len(self.real)

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.iterate(trace))

    def iterate(self, trace: Trace) -> Iterating[Value]:
        self.rely_on_order(trace)
        return (constant_value(each) for each in self.real)  # one that changes meanwhile raises as Python's does

    def contains(self, trace: Trace, element: Value) -> bool:
        return element_of(trace, element, lookup=True) in self.real

    def attribute(self, trace: Trace, name: str) -> Value:
        return method_of(self, name)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.container(self)

    def literal(self, writer: EntryWriter) -> str:
        """The expression that makes the set anew, once it is known to be needed."""
        history = self.history
        assert isinstance(history, SetHistory)
        return made_anew(writer, history)


class OutsideSet(SetValue, MutableValue):
    """A set from outside. Once the call has changed it, its order is unknown: the true set is not to be touched yet."""

    __slots__ = ("_iterated",)
    identity_kind = "set"

    def __init__(self, real: Any, source: Source) -> None:
        super().__init__(real, set, (), source)
        self._iterated = False

    @property
    def history(self) -> SetHistory | Source:
        if self._changes:
            raise self.unsupported("a set made of it after a change")
        return super().history

    def change(self, trace: Trace, step: Callable[..., Any], *operands: tuple[Any, Any]) -> None:
        if self._iterated:  # whoever iterates over it would have to notice
            raise SIDE_EFFECT.stop(name=f"{self.source}, which was iterated over,")
        self.note_change()
        if not self._changes:
            self.real = set(self.real)
        super().change(trace, step, *operands)

    def rely_on_order(self, trace: Trace) -> None:
        if self._changes:
            raise self.unsupported("the order of what was changed")
        super().rely_on_order(trace)

    def iterate(self, trace: Trace) -> Iterating[Value]:
        self._iterated = True
        return super().iterate(trace)

    def changes(self, writer: EntryWriter, owner: str) -> list[str]:
        # Sets that were computed from others are made before any of these changes.
        return [
            f"{writer.pool.add(step)}({', '.join([owner, *(_fetched(writer, part) for part in parts)])})"
            for step, parts in self._changes
        ]


def _fetched(writer: EntryWriter, part: Any) -> str:
    if isinstance(part, Source):
        return writer.fetched(part.text(writer.pool))
    if isinstance(part, SetHistory):
        return writer.fetched(made_anew(writer, part))
    return writer.fetched(part_text(writer, part)) if has_objects(part) else writer.pool.add(part)


def made_anew(writer: EntryWriter, history: SetHistory) -> str:
    """The expression for a set that came to be like this."""
    outside = "".join(f"{source.text(writer.pool)}, " for source in history.sources())
    made: list[str] = []

    def given(part: Any) -> Any:
        if isinstance(part, Source) or not has_objects(part):
            return part
        made.append(f"{part_text(writer, part)}, ")
        return SetContents(len(made) - 1)

    steps = writer.pool.add(history.with_objects(given))
    return f"{writer.pool.add(make)}({steps}, ({outside}), ({''.join(made)}))"


def has_objects(part: Any) -> bool:
    """Whether a part of a set's history is an object, or holds some. See Note [Object keys]."""
    return bool(objects_in(tuple(part) if type(part) in _OF_KEYS else part))


def part_text(writer: EntryWriter, part: Any) -> str:
    """The expression for such a part."""
    if type(part) is dict:
        return f"{{{', '.join(f'{dict_key(writer, key)}: None' for key in part)}}}"
    if type(part) in _OF_KEYS:
        raise UNKNOWN_VALUE.stop(operation="a return", name="a set made of a view of a dict with objects as keys")
    return dict_key(writer, part)


_OF_KEYS: tuple[type, ...] = (dict, type({}.keys()), type({}.items()))


def element_of(trace: Trace, element: Value, *, lookup: bool = False) -> Any:
    """An element as a Python object. Errors: a break for what cannot be known, or where Python raises.

    lookup: of `in`, `discard` and `remove`, which take a set for the frozenset of its elements.
    """
    if lookup and isinstance(element, SetValue) and type(element.real) is set:
        return frozenset(element.real)
    return key_for(trace, element, "set element")


def made(trace: Trace, function: Callable[..., Any], *operands: tuple[Any, Any]) -> SetValue:
    """The set that `function` makes of the operands."""
    try:
        real = function(*(real for real, _ in operands))
    except TypeError as error:
        raise ProgramRaised(error) from None
    return SetValue(real, function, tuple(part for _, part in operands))


def operand(trace: Trace, value: Value) -> tuple[Any, Any]:
    """The real object that a set's method gets for an iterable, and that object as a part of a history."""
    if isinstance(value, SetValue):
        return value.real, value.history
    if isinstance(value, DictValue):
        keys = dict.fromkeys(value.items)
        return keys, keys
    if isinstance(value, DictView):
        return _view(trace, value)
    elements = tuple(element_of(trace, each) for each in value.iterate(trace))
    return elements, elements


def _view(trace: Trace, view: DictView) -> tuple[Any, Any]:
    items = view.owner.items
    keys = dict.fromkeys(items) if view.name == "keys" else {k: key_of(trace, each) for k, each in items.items()}
    real = getattr(keys, view.name)()
    return real, real


def known_frozenset(value: frozenset[Any]) -> SetValue:
    """The traced value of a frozenset from a code object."""
    return SetValue(value, _itself, (value,))


def _itself(value: frozenset[Any]) -> frozenset[Any]:
    return value


def literal(trace: Trace, elements: list[Value]) -> SetValue:
    """`{first, second, ...}`: an empty set to which they are added in turn."""
    result = made(trace, set)
    for each in elements:
        add(trace, result, each)
    return result


def _add(target: set[Any], element: Any) -> set[Any]:
    target.add(element)
    return target


def _update(target: set[Any], elements: Any) -> set[Any]:
    target.update(elements)
    return target


def add(trace: Trace, target: SetValue, element: Value) -> None:
    """`target.add(element)`."""
    known = element_of(trace, element)
    target.change(trace, _add, (known, known))


def extend(trace: Trace, target: SetValue, elements: Value) -> None:
    """`target.update(elements)`: what is neither a set nor a dict comes element by element."""
    if isinstance(elements, (SetValue, DictValue)):
        target.change(trace, _update, operand(trace, elements))
        return
    for each in elements.iterate(trace):
        add(trace, target, each)


IN_PLACE: dict[str, Callable[..., Any]] = {
    "|": operator.ior,
    "&": operator.iand,
    "-": operator.isub,
    "^": operator.ixor,
}
NEW: dict[str, Callable[..., Any]] = {"|": operator.or_, "&": operator.and_, "-": operator.sub, "^": operator.xor}


def set_operator(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value:
    """`left <name> right` for sets and views of dicts. Errors: a break for any other operator."""
    if name not in NEW:
        raise left.unsupported(f"the operator `{name}`")
    if in_place and isinstance(left, SetValue) and left.python_type is set:
        left.change(trace, IN_PLACE[name], operand(trace, right))
        return left
    return made(trace, NEW[name], operand(trace, left), operand(trace, right))


def compare_sets(trace: Trace, compare: Callable[..., Any], left: Value, right: Value) -> Value | None:
    """A comparison of sets and views of dicts; None when one of them is neither."""
    if not all(isinstance(each, (SetValue, DictView)) for each in (left, right)):
        return None
    return Constant(compare(operand(trace, left)[0], operand(trace, right)[0]))


@wraps(set, frozenset)
def wrap_set(trace: Trace, value: Any, source: Source) -> Value:
    """A set or frozenset of constants."""
    trace.guard(TypeIs, source, expected=type(value))
    # A copy that gives the elements in another order is of no use, so the set itself stands for what it holds now.
    found = OutsideSet(value, source) if type(value) is set else SetValue(value, frozenset, (), source)
    if not all(map(is_plain, value)):
        raise found.unsupported("elements that are no constants")
    trace.guard(SetElements, source, expected=tuple(value))
    return found


@dataclass(frozen=True, slots=True)
class SetHistory:
    """`function(*arguments)`, then `changes` in place. A part may be a constant, another history, or where a set is."""

    function: Callable[..., Any]
    parts: tuple[Any, ...] = ()
    changes: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = ()

    def with_objects(self, given: Callable[[Any], Any]) -> SetHistory:
        """A history of the same steps, in which `given` has replaced each part that is no history itself."""
        parts = tuple(part.with_objects(given) if isinstance(part, SetHistory) else given(part) for part in self.parts)
        changes = [
            (
                change,
                tuple(each.with_objects(given) if isinstance(each, SetHistory) else given(each) for each in operands),
            )
            for change, operands in self.changes
        ]
        return SetHistory(self.function, parts, tuple(changes))

    def sources(self) -> Iterator[Source]:
        """The sets from outside that the steps read, in order."""
        for part in (*self.parts, *(part for _, parts in self.changes for part in parts)):
            if isinstance(part, Source):
                yield part
            elif isinstance(part, SetHistory):
                yield from part.sources()


@dataclass(frozen=True, slots=True)
class SetContents:
    """A part that the entry code makes: number `place` of those."""

    place: int


def make(history: SetHistory, outside: tuple[Any, ...], given: tuple[Any, ...] = ()) -> Any:
    """A new set, made by the steps; `outside` are the sets at `history.sources()`, `given` the parts made for it."""
    return _made(history, iter(outside), given)


def _made(part: Any, outside: Iterator[Any], given: tuple[Any, ...]) -> Any:
    if isinstance(part, Source):
        return next(outside)
    if isinstance(part, SetContents):
        return given[part.place]
    if not isinstance(part, SetHistory):
        return part
    result = part.function(*[_made(each, outside, given) for each in part.parts])
    for change, parts in part.changes:
        result = change(result, *[_made(each, outside, given) for each in parts])
    return result
