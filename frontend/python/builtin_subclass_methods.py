"""The methods of built-in types on objects of subclasses. See Note [Held values]."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..breaks import RAISES, UNKNOWN_CALL, ProgramRaised
from ..tracing.rules import Rule, checked_call, traces_family
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import Constant
from ..values.containers.builtin_subclasses import PLAIN, BuiltinSubclassInstance, plain
from ..values.containers.element_protocol import key_for, key_of
from ..values.containers.iterators import Iterator
from ..values.containers.named_tuples import NamedTupleValue
from ..values.containers.object_keys import known_hash
from ..values.containers.sequences import TupleValue
from ..values.objects.classes import SLOT_WRAPPERS
from . import operators
from .container_operators import extend_list
from .conversions import as_text
from .dunder_operators import COMPARISONS, NOT_IMPLEMENTED, UNARY, answers, without_names
from .dunder_operators import METHODS as ARITHMETIC
from .iteration import iterator_of
from .reversed import reversed_
from .sequence_methods import METHODS

if TYPE_CHECKING:
    from ..tracing.trace import Trace

RULES: dict[tuple[type, str], Rule] = {}
"""Rules for one type's method."""
GENERAL: dict[str, Rule] = {}
"""Rules for a special method, whatever the type."""


def native_method(name: str, *kinds: type) -> Callable[[Rule], Rule]:
    """Registers what a method does on an object of a subclass: of these types, or of any."""

    def register(rule: Rule) -> Rule:
        if not kinds:
            GENERAL[name] = rule
        for kind in kinds:
            RULES[kind, name] = rule
        return rule

    return register


def call_native(
    trace: Trace, found: Any, owner: BuiltinSubclassInstance, args: list[Value], kwargs: dict[str, Value]
) -> Value:
    """`found(owner, *args)`, for a method in C that a built-in type defines."""
    kind, name = found.__objclass__, found.__name__
    latest = next(vars(base)[name] for base in owner.native.__mro__ if name in vars(base))
    if latest is not found and owner.native is OrderedDict:
        raise UNKNOWN_CALL.stop(name=f"{kind.__name__}.{name} of an OrderedDict")  # which is not told of changes
    rule = RULES.get((kind, name)) or GENERAL.get(name)
    label = f"{kind.__name__}.{name}"
    if rule is not None:
        return checked_call(label, rule, trace, owner, *args, **kwargs)
    rule = METHODS.get((PLAIN[kind], name))
    if rule is not None:
        return checked_call(label, rule, trace, owner.held, *args, **kwargs)
    if PLAIN[kind] in (list, dict, tuple):
        raise UNKNOWN_CALL.stop(name=label)
    return plain(owner).attribute(trace, name).call(trace, [plain(each) for each in args], kwargs)


@traces_family
def find_native(function: Any) -> Rule | None:
    """The rule for a method of a built-in type that is called on an object: `list.append(row, 1)`."""
    if type(function) not in SLOT_WRAPPERS or function.__objclass__ not in PLAIN:
        return None

    def rule(trace: Trace, owner: Value, /, *args: Value, **kwargs: Value) -> Value:
        if isinstance(owner, BuiltinSubclassInstance) and issubclass(owner.native, function.__objclass__):
            return call_native(trace, function, owner, list(args), kwargs)
        owner = owner.plain() if isinstance(owner, NamedTupleValue) else owner
        if (owner.python_type, function.__name__) not in METHODS:
            raise UNKNOWN_CALL.stop(name=f"{function.__objclass__.__name__}.{function.__name__}")
        return owner.attribute(trace, function.__name__).call(trace, list(args), kwargs)

    return rule


# Items.
@native_method("__getitem__", dict)
def get_item(trace: Trace, owner: BuiltinSubclassInstance, key: Value, /) -> Value:
    """`dict.__getitem__`, which asks `__missing__` in the end."""
    known = key_for(trace, key, "dict key")
    value: Value | None = owner.held.items.get(known)
    if value is None:
        value = owner.special(trace, "__missing__", key)
    if value is None:
        raise ProgramRaised(KeyError(known))
    return value


@native_method("__getitem__")
def subscript(trace: Trace, owner: BuiltinSubclassInstance, key: Value, /) -> Value:
    """`list.__getitem__` and its like."""
    return owner.held.item(trace, plain(key))  # type: ignore[no-any-return]


@native_method("__len__")
def length(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`len`."""
    return Constant(owner.held.length(trace))


@native_method("__contains__")
def contains(trace: Trace, owner: BuiltinSubclassInstance, element: Value, /) -> Value:
    """`in`."""
    return Constant(owner.held.contains(trace, plain(element) if owner.plain_type in (str, bytes) else element))


def _own(inner: Iterator) -> Iterator:
    """An iterator over a held value, which cannot be made anew outside."""
    return Iterator(inner.steps, inner.kind)


@native_method("__iter__")
def iterate(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`iter`."""
    return _own(iterator_of(trace, owner.held))


@native_method("__reversed__")
def backwards(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`reversed`."""
    made = reversed_(trace, owner.held)
    assert isinstance(made, Iterator)
    return _own(made)


# Texts and numbers.
@native_method("__repr__")
def spell(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`repr`."""
    if owner.native is not owner.plain_type:
        raise owner.unsupported("repr()")
    return owner.held.spelled(trace, repr)  # type: ignore[no-any-return]


@native_method("__str__", str)
def text(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`str.__str__`."""
    return plain(owner)


@native_method("__format__", int, float, str)
def spell_formatted(trace: Trace, owner: BuiltinSubclassInstance, spec: Value, /) -> Value:
    """`format`; without a specification it is `str`."""
    return owner.held.formatted(trace, spec) if spec.constant(trace) else as_text(trace, owner)


@native_method("__hash__")
def hashed(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`hash`."""
    return Constant(known_hash(owner, key_of(trace, owner.held)))


@native_method("__bool__")
def truth(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`bool`."""
    return Constant(operators.truth(trace, owner.held))


@native_method("__getnewargs__")
def arguments(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """The arguments of which copying and pickling make the object."""
    return TupleValue([owner.held])


def _by_function(function: Any) -> Rule:
    return lambda trace, owner, /, *args: BuiltinCallable(function).call(trace, [owner.held, *args], {})


for _name, _function in {
    "__int__": int, "__float__": float, "__abs__": abs, "__round__": round, "__trunc__": math.trunc,
    "__floor__": math.floor, "__ceil__": math.ceil,
}.items():  # fmt: skip
    native_method(_name, int, float)(_by_function(_function))
native_method("__index__", int)(_by_function(int))


# Operators.
def _binary(sign: str, *, swapped: bool = False, in_place: bool = False) -> Rule:
    def rule(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
        kind, right = owner.plain_type, plain(other)
        if owner.native is not kind:
            raise owner.unsupported(f"the operator `{sign}`")
        repeats = sign == "*" and kind in (list, tuple, str, bytes)
        extends = in_place and kind is list and sign == "+"
        spells = sign == "%" and kind in (str, bytes)
        if not repeats and not extends and not spells and not answers(kind, other):
            if kind in (int, float, dict):
                return NOT_IMPLEMENTED
            raise RAISES.stop(error=f"TypeError: the operator `{sign}`")
        if in_place and kind not in (list, dict):
            raise owner.unsupported(f"the operator `{sign}=`")
        if extends:
            extend_list(trace, owner.held, other)
            return owner
        left, right = (right, owner.held) if swapped else (owner.held, right)
        found = without_names(lambda: operators.operate(trace, sign, left, right, in_place=in_place))
        return owner if in_place else found

    return rule


for _sign, _name in ARITHMETIC.items():
    if _sign != "divmod()":
        native_method(f"__{_name}__")(_binary(_sign))
        native_method(f"__r{_name}__")(_binary(_sign, swapped=True))
        native_method(f"__i{_name}__")(_binary(_sign, in_place=True))


def _comparison(sign: str) -> Rule:
    def rule(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
        if not answers(owner.plain_type, other):
            return NOT_IMPLEMENTED
        if owner.plain_type is dict and sign not in ("==", "!="):
            return NOT_IMPLEMENTED
        return without_names(lambda: operators.compare(trace, sign, owner.held, plain(other)))

    return rule


for _sign, _name in COMPARISONS.items():
    native_method(f"__{_name}__")(_comparison(_sign))
for _sign, _name in UNARY.items():
    native_method(f"__{_name}__", int, float)(
        lambda trace, owner, sign=_sign, /: operators.operate_unary(trace, sign, owner.held)
    )
