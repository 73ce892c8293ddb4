"""Operators where a side is an object of a user's class: which of two methods Python asks first, and what it raises.

`2 * v` asks `int`, which does not know, then `v.__rmul__`; `v == w` for a `w` of a subclass asks `w.__eq__` first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...guards.guard import Different, Same
from ..breaks import RAISES, ProgramRaised
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import TRUE, Constant
from ..values.containers.builtin_subclasses import BuiltinSubclassInstance
from ..values.containers.element_protocol import same_value
from ..values.containers.named_tuples import NamedTupleValue
from ..values.numbers import input_scalar
from ..values.objects.classes import ABSENT, SLOT_WRAPPERS, class_attribute, shown_name
from ..values.objects.objects import Instance
from ..values.objects.user_object import UserObject

if TYPE_CHECKING:
    from ..tracing.trace import Trace

METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "<<": "lshift", ">>": "rshift", "&": "and", "|": "or", "^": "xor",
    "divmod()": "divmod",
}  # fmt: skip
COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
UNARY = {"-": "neg", "+": "pos", "~": "invert"}

NOT_IMPLEMENTED = Constant(NotImplemented)
_MODEST = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, deque, range, type(None), slice)
"""Types that answer NotImplemented to every operator with an object of a user's class that is no subclass."""


_SEQUENCES = (list, tuple, str, bytes)


def concerns(left: Value, right: Value) -> bool:
    """Whether an operator is up to methods of users' classes."""
    return isinstance(left, UserObject) or isinstance(right, UserObject)


def _act_as_built_in(trace: Trace, methods: list[str], *sides: Value) -> bool:
    """Whether the objects of users' classes among the operands leave these methods to a built-in type."""
    return all(
        isinstance(each, NamedTupleValue)
        and each.acts_as_tuple(trace, *methods)
        or isinstance(each, BuiltinSubclassInstance)
        and each.is_built_in(trace, *methods)
        for each in sides
        if isinstance(each, UserObject)
    )


def _plain(value: Value) -> Value:
    if isinstance(value, BuiltinSubclassInstance):
        return value.held  # type: ignore[no-any-return]
    return value.plain() if isinstance(value, NamedTupleValue) else value


def without_names(operation: Callable[[], Value]) -> Value:
    """The result of an operation on plain values. Errors: of a TypeError only that it comes: its words name classes."""
    try:
        return operation()
    except ProgramRaised as raised:
        if isinstance(raised.error, TypeError):
            raise RAISES.stop(error=f"TypeError: {raised.error}") from None
        raise


def _are_known(*sides: Value) -> bool:
    """Whether each operand is of a type that knows no others than such: an array, say, would have a say."""
    return all(isinstance(each, UserObject) or each.python_type in _MODEST for each in sides)


def answers(kind: type, other: Value) -> bool:
    """Whether the operators of a built-in type have an answer for an operand, subclasses counted."""
    found = other.plain_type if isinstance(other, BuiltinSubclassInstance) else other.python_type
    return found in {bool: (bool, int), int: (bool, int), float: (bool, int, float)}.get(kind, (kind,))


def is_declined(value: Value) -> bool:
    """Whether a special method answered NotImplemented."""
    return isinstance(value, Constant) and value.value is NotImplemented


# Arithmetic.
def operate(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value:
    """`left <name> right`, or the in-place form."""
    method = METHODS[name]
    names = [f"__{prefix}{method}__" for prefix in ("", "r", "i")]
    if _are_known(left, right) and _act_as_built_in(trace, names, left, right):
        return _operate_plainly(trace, name, left, right, in_place=in_place)
    if in_place and isinstance(left, UserObject):
        answer = _ask(trace, left, f"__i{method}__", right)
        if not is_declined(answer):
            return answer
    if not isinstance(left, UserObject):
        _leaves_it(trace, left, name)
        if in_place and left.python_type in (list, dict, deque):
            raise left.unsupported(f"the operator `{name}=`")  # these take any iterable
    for owner, asked, other in _order(trace, method, left, right):
        answer = _ask(trace, owner, asked, other)
        if not is_declined(answer):
            return answer
    if (
        not isinstance(left, UserObject)
        and isinstance(right, BuiltinSubclassInstance)
        and answers(left.python_type, right)
    ):
        return _operate_plainly(trace, name, left, right)
    _check_no_others(trace, name, left, right)
    shown = f"{name}=" if in_place else "** or pow()" if name == "**" else name
    types_ = [f"'{shown_name(each.python_type)}'" for each in (left, right)]
    raise ProgramRaised(TypeError(f"unsupported operand type(s) for {shown}: {' and '.join(types_)}"))


def _operate_plainly(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool = False) -> Value:
    """The operator of the built-in types on what the operands hold; in place, the object itself comes out."""
    from . import operators

    held = _plain(left)
    if name == "divmod()":
        return without_names(lambda: BuiltinCallable(divmod).call(trace, [held, _plain(right)], {}))
    answer = without_names(lambda: operators.operate(trace, name, held, _plain(right), in_place=in_place))
    return left if in_place and answer is held and held.python_type in (list, dict) else answer


def _order(trace: Trace, method: str, left: Value, right: Value) -> list[tuple[Value, str, Value]]:
    """The methods to ask, in Python's order: a subclass with another reflected method comes before its base."""
    direct, reflected = (left, f"__{method}__", right), (right, f"__r{method}__", left)
    if not isinstance(left, UserObject):
        return [reflected]
    if isinstance(left, BuiltinSubclassInstance) and left.plain_type in _SEQUENCES and isinstance(right, UserObject):
        own, _ = class_attribute(trace, left.python_type, direct[1])
        if type(own) in SLOT_WRAPPERS and method in ("add", "mul"):
            return [reflected, direct]  # a sequence's own `+` and `*` come after all methods of this kind
    if not isinstance(right, UserObject) or left.python_type is right.python_type:
        return [direct]
    if left.python_type in right.python_type.__mro__:
        own, _ = class_attribute(trace, right.python_type, reflected[1])
        base, _ = class_attribute(trace, left.python_type, reflected[1])
        if own is not ABSENT and own is not base:
            return [reflected, direct]
    return [direct, reflected]


def _leaves_it(trace: Trace, value: Value, name: str) -> None:
    """Make sure a built-in operand on the left answers NotImplemented. Errors: a break for arrays, which do not."""
    if isinstance(value, input_scalar.InputNumber):
        input_scalar.rely_on_type(trace, value)
    if value.python_type not in _MODEST or name == "%" and value.python_type in (str, bytes):
        raise value.unsupported(f"the operator `{name}`")


def _ask(trace: Trace, owner: Value, name: str, *args: Value) -> Value:
    """The answer of a special method; NotImplemented where there is none."""
    assert isinstance(owner, UserObject)
    answer = owner.special(trace, name, *args)
    return NOT_IMPLEMENTED if answer is None else answer


def _check_no_others(trace: Trace, name: str, left: Value, right: Value) -> None:
    """Errors: a break where a built-in operand may have an answer of its own after all."""
    for each in (left, right):
        if not isinstance(each, UserObject):
            _leaves_it(trace, each, name)
        if name == "*" and each.python_type in (list, tuple, str, bytes):
            raise each.unsupported(f"the operator `{name}`")


# Comparisons.
def compare(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` for a comparison."""
    if _are_known(left, right) and _act_as_built_in(
        trace, [f"__{each}__" for each in COMPARISONS.values()], left, right
    ):
        from . import operators

        return without_names(lambda: operators.compare(trace, name, _plain(left), _plain(right)))
    sides = [(left, name, right), (right, SWAPPED[name], left)]
    if left.python_type is not right.python_type and left.python_type in right.python_type.__mro__:
        sides.reverse()
    for owner, asked, other in sides:
        answer = _compare_half(trace, asked, owner, other)
        if not is_declined(answer):
            return answer
    if name in ("==", "!="):
        return Constant(is_same(trace, left, right) is (name == "=="))
    first, second = shown_name(left.python_type), shown_name(right.python_type)
    raise ProgramRaised(TypeError(f"'{name}' not supported between instances of '{first}' and '{second}'"))


def _compare_half(trace: Trace, name: str, owner: Value, other: Value) -> Value:
    """The answer of one side to a comparison."""
    if not isinstance(owner, UserObject):
        _leaves_it(trace, owner, name)
        if isinstance(other, BuiltinSubclassInstance) and answers(owner.python_type, other):
            from . import operators

            return without_names(lambda: operators.compare(trace, name, owner, _plain(other)))
        return NOT_IMPLEMENTED
    method = f"__{COMPARISONS[name]}__"
    found, _ = class_attribute(trace, owner.python_type, method)
    if found is not vars(object)[method]:
        return _ask(trace, owner, method, other)
    if name == "==":
        return TRUE if is_same(trace, owner, other) else NOT_IMPLEMENTED
    if name == "!=":
        answer = _compare_half(trace, "==", owner, other)
        return answer if is_declined(answer) else Constant(not answer.truth(trace))
    return NOT_IMPLEMENTED


def is_or_equals(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right or left == right`, as containers ask it."""
    from .operators import truth

    if not concerns(left, right):
        return same_value(trace, left, right)
    return is_same(trace, left, right) or truth(trace, compare(trace, "==", left, right))


def is_same(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right`, where one at least is an object of a user's class."""
    if left is right:
        return True
    if isinstance(left, Instance) and isinstance(right, Instance):
        same = left.value is right.value
        if left.source != right.source:
            trace.guard(Same if same else Different, left.source, other=right.source)
        return same
    if isinstance(left, NamedTupleValue) and isinstance(right, NamedTupleValue) and left.source and right.source:
        raise left.unsupported("the operator `is`")
    for each in (left, right):
        if isinstance(each, input_scalar.InputNumber):
            input_scalar.rely_on_type(trace, each)
    if isinstance(left, UserObject) and isinstance(right, UserObject):
        return False  # the call made one of them
    left.python_type, right.python_type  # noqa: B018 - a break where it is not known what the object is
    return False


# Others.
def operate_unary(trace: Trace, name: str, value: UserObject) -> Value:
    """`-value`, `+value` or `~value`."""
    answer = value.special(trace, f"__{UNARY[name]}__")
    if answer is None:
        raise ProgramRaised(TypeError(f"bad operand type for unary {name}: '{shown_name(value.python_type)}'"))
    return answer
