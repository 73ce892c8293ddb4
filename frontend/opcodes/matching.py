"""The match statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...guards.computed_sources import Computed
from ...guards.containers import LacksKey
from ...guards.guard import Outcome
from ...guards.sources import Attribute, ConstantSource, Named
from ..breaks import ProgramRaised, Unwinding
from ..bytecode.opcode_table import opcode
from ..values.base import Value, wrap
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import NONE, Constant
from ..values.containers.dicts import DictValue
from ..values.containers.element_protocol import constant_value
from ..values.containers.sequences import TupleValue
from ..values.numbers import input_scalar
from ..values.objects.objects import ABSENT, Instance, class_attribute
from ..values.objects.type_flags import HEAP_TYPE, MAPPING, MATCH_SELF, SEQUENCE
from ..values.objects.user_object import UserObject

if TYPE_CHECKING:
    from ..interpreter.frame import Frame
    from ..tracing.trace import Trace


@opcode("GET_LEN", stack="subject -- same length")
def get_len(frame: Frame, arg: Any, subject: Value) -> tuple[Value, Value]:
    """The subject again, and its length."""
    return subject, constant_value(subject.length(frame.trace))


@opcode("MATCH_SEQUENCE", stack="subject -- same matches")
def match_sequence(frame: Frame, arg: Any, subject: Value) -> tuple[Value, Value]:
    """The subject again, and whether a sequence pattern may match it."""
    return subject, Constant(_has_flag(frame.trace, subject, SEQUENCE))


@opcode("MATCH_MAPPING", stack="subject -- same matches")
def match_mapping(frame: Frame, arg: Any, subject: Value) -> tuple[Value, Value]:
    """The subject again, and whether a mapping pattern may match it."""
    return subject, Constant(_has_flag(frame.trace, subject, MAPPING))


def _has_flag(trace: Trace, subject: Value, flag: int) -> bool:
    if isinstance(subject, input_scalar.InputNumber):
        input_scalar.rely_on_type(trace, subject)
    cls = subject.python_type
    has = bool(cls.__flags__ & flag)
    if cls.__flags__ & HEAP_TYPE:  # a class that is registered as a Sequence or Mapping gets the flag later
        flags = Attribute(ConstantSource(cls, cls.__qualname__), "__flags__")
        trace.guard(Outcome, Computed("{} & {}", (flags, flag)), expected=has)
    return has


@opcode("MATCH_KEYS", stack="subject keys -- same_subject same_keys values")
def match_keys(frame: Frame, arg: Any, subject: Value, keys: Value) -> tuple[Value, Value, Value]:
    """The subject and the keys again, and the values under these keys: None when one is missing."""
    wanted = keys.constant(frame.trace)
    if len(set(wanted)) != len(wanted):
        twice = next(key for place, key in enumerate(wanted) if key in wanted[:place])
        raise ProgramRaised(ValueError(f"mapping pattern checks duplicate key ({twice!r})"))
    if isinstance(subject, UserObject):
        return subject, keys, _got(frame.trace, subject, keys)
    if not isinstance(subject, DictValue):
        raise subject.unsupported("a mapping pattern")
    if not all(key in subject.items for key in wanted):
        return subject, keys, NONE
    return subject, keys, TupleValue([subject.items[key] for key in wanted])


class _Nothing(Value):
    """The default handed to an object's `get`, which gives it for a key that it has not."""

    @property
    def python_type(self) -> type:
        return object


def _got(trace: Trace, subject: UserObject, keys: Value) -> Value:
    """The values that an object's own `get` gives for the keys; None once a key is missing."""
    nothing, found = _Nothing(), []
    known = keys.elements(trace)
    get = subject.attribute(trace, "get") if known else nothing
    for key in known:
        found.append(get.call(trace, [key, nothing], {}))
        if found[-1] is nothing:
            return NONE
    return TupleValue(found)


@opcode("MATCH_CLASS", stack="subject cls names -- attributes")
def match_class(frame: Frame, arg: int, subject: Value, cls: Value, names: Value) -> Value:
    """The attributes that a class pattern asks for, positional ones first: None when it does not match."""
    trace = frame.trace
    if not isinstance(cls, BuiltinCallable) or not isinstance(cls.function, type) or type(cls.function) is not type:
        raise cls.unsupported("a class pattern")
    if isinstance(subject, input_scalar.InputNumber):
        input_scalar.rely_on_type(trace, subject)
    if not issubclass(subject.python_type, cls.function):
        return NONE
    by_name = list(names.constant(trace))
    found: list[Value] = []
    if arg and not _is_own_part(trace, cls.function):
        by_name = [*_positional_names(trace, cls, arg, by_name), *by_name]
    elif arg:
        _check_count(cls.function, arg, 1)
        found.append(subject)
    for name in by_name:
        value = _attribute(trace, subject, name)
        if value is None:
            return NONE
        found.append(value)
    return TupleValue(found)


def _is_own_part(trace: Trace, cls: type) -> bool:
    defined = class_attribute(trace, cls, "__match_args__")[0]
    return defined is ABSENT and bool(cls.__flags__ & MATCH_SELF)


def _positional_names(trace: Trace, cls: BuiltinCallable, count: int, by_name: list[str]) -> list[str]:
    found, source = class_attribute(trace, cls.function, "__match_args__")
    names: Any = () if found is ABSENT else wrap(trace, found, source).constant(trace)
    if type(names) is not tuple:
        raise cls.unsupported("a __match_args__ that is no tuple")
    _check_count(cls.function, count, len(names))
    for place, name in enumerate(names[:count]):
        if type(name) is not str:
            kind = type(name).__name__
            raise ProgramRaised(TypeError(f"__match_args__ elements must be strings (got {kind})"))
        if name in names[:place] or name in by_name:
            raise ProgramRaised(
                TypeError(f"{cls.function.__name__}() got multiple sub-patterns for attribute {name!r}")
            )
    return list(names[:count])


def _check_count(cls: type, count: int, allowed: int) -> None:
    if count > allowed:
        plural = "" if allowed == 1 else "s"
        raise ProgramRaised(
            TypeError(f"{cls.__name__}() accepts {allowed} positional sub-pattern{plural} ({count} given)")
        )


def _attribute(trace: Trace, subject: Value, name: str) -> Value | None:
    """An attribute of the subject; None when it has none of that name."""
    try:
        return subject.attribute(trace, name)
    except Unwinding as stop:
        if not stop.program_raises or not str(dict(stop.as_break().details).get("error")).startswith("AttributeError"):
            raise
    if not isinstance(subject, Instance):
        raise subject.unsupported(f"the lack of an attribute {name!r}")
    own = Named(Attribute(subject.source, "__dict__"), f"vars({subject.source})")
    trace.guard(LacksKey, own, key=name)
    return None
