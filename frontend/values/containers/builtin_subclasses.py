"""Objects of classes below a built-in type, such as `class Row(list)`: they hold a value of that type.

`collections.OrderedDict` and `defaultdict` are such classes too, written in C.
"""

# Note [Held values]
# What a program asks of such an object goes by its class's MRO, as for any object. Where that leads to a method of the
# built-in type, the method acts on `held`, a traced value of that type which nothing else refers to. It never gets out:
# what the built-in's methods give is new and of the plain type, as in Python, or is the object itself. An object from
# outside is read and changed by the built-in type's own methods (`list.__getitem__(row, 0)`), since the dots and
# brackets of the language would ask the class.

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import TYPE_CHECKING, Any

from ....core.package import PACKAGE
from ....guards.computed_sources import CallSource
from ....guards.containers import DictKeys, is_plain
from ....guards.guard import Equals, Is, TypeIs
from ....guards.sources import Source
from ...breaks import RAISES, UNKNOWN_CALL
from .. import protocols
from ..base import MutableValue, Value, wrap, wraps_when
from ..constant import NONE
from ..objects.classes import ABSENT, ORDINARY_METACLASSES, SLOT_WRAPPERS, class_attribute, has_dict, reads_ordinarily
from ..objects.new_instance import ABSTRACT, NewInstance
from ..objects.objects import Instance, dict_of
from ..objects.type_flags import HEAP_TYPE, IMMUTABLE_TYPE
from ..objects.user_object import UserObject
from .dicts import DictValue, dict_key
from .element_protocol import looking_into
from .sequences import ListValue, TupleValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

PLAIN: dict[type, type] = {
    **{kind: kind for kind in (list, dict, tuple, int, float, str, bytes)},
    OrderedDict: dict,
    defaultdict: dict,
}
"""The built-in types whose subclasses are followed, and of what type the held value is."""
IN_C = (OrderedDict, defaultdict)
"""The types of `PLAIN` whose own objects, not only those of subclasses, hold a value of another built-in type."""
FACTORY = vars(defaultdict)["default_factory"]
_AS_PLAIN: dict[type, Any] = {
    int: int.__int__, float: float.__float__, str: str.__str__, bytes: vars(bytes).get("__bytes__"),
}  # fmt: skip
"""The functions that give the number or text as one of the plain type."""


def native(cls: type) -> type | None:
    """The built-in type below which a class is, where the classes above that one are the user's; else None."""
    for base in cls.__mro__:
        if base in PLAIN:
            return base
        flags = base.__flags__
        if not flags & HEAP_TYPE or flags & IMMUTABLE_TYPE or "n_sequence_fields" in vars(base):
            return None
    return None


def is_held(cls: type) -> bool:
    """Whether objects of this class hold a built-in value and read attributes in the ordinary way."""
    kind = native(cls)
    if kind is None or cls in PLAIN and cls not in IN_C or type(cls) not in ORDINARY_METACLASSES:
        return False
    modules = [vars(base).get("__module__", "") for base in cls.__mro__]
    ours = any(type(each) is str and each.partition(".")[0] in (PACKAGE, "numpy") for each in modules)
    return not ours and reads_ordinarily(cls)


class BuiltinSubclassInstance(UserObject):
    """An object of such a class. See Note [Held values]."""

    __slots__ = ()
    held: Any

    @property
    def native(self) -> type:
        """The built-in type whose methods act on what it holds."""
        kind = native(self.python_type)
        assert kind is not None
        return kind

    @property
    def plain_type(self) -> type:
        """The type of the held value."""
        return PLAIN[self.native]

    def special(self, trace: Trace, name: str, *args: Value) -> Value | None:
        found, _ = class_attribute(trace, self.python_type, name)
        if type(found) in SLOT_WRAPPERS and found.__objclass__ in PLAIN:
            return protocols.call_native(trace, found, self, list(args), {})
        return super().special(trace, name, *args)

    def is_built_in(self, trace: Trace, *names: str) -> bool:
        """Whether these special methods are those of the type of the held value, or are not there."""
        for name in names:
            found, _ = class_attribute(trace, self.python_type, name)
            if found is not ABSENT and found is not None:
                owner = getattr(found, "__objclass__", None)
                if type(found) not in SLOT_WRAPPERS or owner not in (self.plain_type, object):
                    return False
        return True


class NewHolder(BuiltinSubclassInstance, NewInstance):
    """One that the trace made."""

    def __init__(self, cls: type, held: Value) -> None:
        NewInstance.__init__(self, cls)
        self.held = held
        if isinstance(held, MutableValue):
            held.held_by = self.native
        if self.native is defaultdict:
            self.slots[FACTORY] = NONE

    def rebuild(self, writer: EntryWriter) -> str:
        if isinstance(self.held, MutableValue):
            return writer.made_object(self)
        if not writer.is_made(self):
            text = f"{writer.pool.add(self.native.__new__)}({writer.pool.add(self.cls)}, {self.held.rebuild(writer)})"
            name = writer.once(self, lambda: text)
            writer.statements += NewInstance.fill(self, writer, name)
        return str(writer.name_of(self))

    def maker(self, writer: EntryWriter) -> str:
        return f"{writer.pool.add(self.native.__new__)}({writer.pool.add(self.cls)})"

    def fill(self, writer: EntryWriter, name: str) -> list[str]:
        lines = NewInstance.fill(self, writer, name)
        if isinstance(self.held, ListValue):
            text = writer.literal(self.held)
            return [*lines, f"{writer.pool.add(list.extend)}({name}, {text})"] if self.held.items else lines
        put = writer.pool.add(vars(dict if self.native is defaultdict else self.native)["__setitem__"])
        items = [(dict_key(writer, key), each.rebuild(writer)) for key, each in self.held.items.items()]
        return [*lines, *(f"{put}({name}, {key}, {text})" for key, text in items)]


class OutsideHolder(BuiltinSubclassInstance, Instance):
    """One from outside."""

    def __init__(self, value: Any, source: Source, held: Value) -> None:
        Instance.__init__(self, value, source)
        self.held = held
        if isinstance(held, MutableValue):
            held.held_by = self.native

    @property
    def identity_kind(self) -> str:  # type: ignore[override]
        """Two objects of one class may be the same one."""
        return f"{self.native.__name__} below"

    @property
    def altered(self) -> MutableValue:
        return self.held if isinstance(self.held, MutableValue) else self


def plain(value: Value) -> Value:
    """The held value of an object of a subclass, as a function in C takes it; any other value as it is."""
    return value.held if isinstance(value, BuiltinSubclassInstance) else value


def new_holder(trace: Trace, cls: type, held: Value) -> Value:
    """A new object of a class below a built-in type. Errors: a break for a class that has a say in that."""
    if not is_held(cls):
        raise UNKNOWN_CALL.stop(name=f"__new__ of a built-in type, for {cls.__name__},")
    made = NewHolder(cls, held)
    class_attribute(trace, cls, "__getattribute__")  # guards that no class comes to define one
    if class_attribute(trace, cls, "__del__")[0] is not ABSENT:
        raise made.unsupported("the finalizer")
    abstract, source = class_attribute(trace, cls, "__abstractmethods__")
    if abstract is not ABSENT:
        trace.guard(Is, source, expected=abstract)
    if cls.__flags__ & ABSTRACT:
        raise RAISES.stop(error=f"TypeError: {cls.__name__} is abstract")
    return made


@wraps_when(lambda value: is_held(type(value)))
def wrap_holder(trace: Trace, value: Any, source: Source) -> Value:
    """An object from outside; what it holds is looked at when somebody asks, where it can change."""
    cls = type(value)
    trace.guard(TypeIs, source, expected=cls)
    if has_dict(cls):
        trace.guard(TypeIs, dict_of(source), expected=dict)
    class_attribute(trace, cls, "__getattribute__")
    kind = native(cls)
    assert kind is not None
    held = _HELD.get(PLAIN[kind], _held_plain)(trace, value, source, kind)
    return OutsideHolder(value, source, held)


def _held_list(trace: Trace, value: Any, source: Source, kind: type) -> Value:
    return ListValue([], source, lambda: _elements(trace, value, source, list))


def _held_tuple(trace: Trace, value: Any, source: Source, kind: type) -> Value:
    with looking_into(trace, value, type(value), source):
        return TupleValue(_elements(trace, value, source, tuple))


def _elements(trace: Trace, value: Any, source: Source, kind: Any) -> list[Value]:
    trace.guard(
        Equals, CallSource(kind.__len__, f"len({source})", (source,), is_read=True), expected=kind.__len__(value)
    )
    return [
        wrap(trace, each, CallSource(kind.__getitem__, f"{source}[{place}]", (source, place), is_read=True))
        for place, each in enumerate(kind.__iter__(value))
    ]


def _held_dict(trace: Trace, value: Any, source: Source, kind: Any) -> Value:
    def read() -> dict[Any, Value]:
        keys = tuple(kind.__iter__(value))
        if not all(map(is_plain, keys)):
            raise DictValue({}, source).unsupported("keys that are no constants")
        trace.guard(DictKeys, CallSource(kind.keys, f"list({source})", (source,), is_read=True), expected=keys)
        return {
            key: wrap(
                trace, dict.get(value, key), CallSource(dict.get, f"{source}[{key!r}]", (source, key), is_read=True)
            )
            for key in keys
        }

    return DictValue(empty_items(kind), source, read)


def empty_items(kind: type) -> dict[Any, Value]:
    """An empty dict for a traced dict's items: an OrderedDict for that `kind`, whose order is another than a dict's."""
    return OrderedDict() if kind is OrderedDict else {}


def _held_plain(trace: Trace, value: Any, source: Source, kind: type) -> Value:
    convert = _AS_PLAIN[kind]
    return wrap(trace, convert(value), CallSource(convert, str(source), (source,), is_read=True))


_HELD: dict[type, Any] = {list: _held_list, tuple: _held_tuple, dict: _held_dict}
