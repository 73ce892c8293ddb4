"""Exception groups: making them, their methods, and what `except*` does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...guards.guard import Equals
from ...guards.sources import Attribute, ConstantSource
from ..breaks import ProgramRaised, Unwinding
from ..bytecode.versions import current
from ..tracing.rules import traces
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import LITERALS, NONE, Constant, is_none
from ..values.containers.sequences import ListValue, TupleValue
from ..values.functions.functions import BoundMethod, FunctionValue
from ..values.objects.exception_groups import GroupValue, Test, split
from ..values.objects.exceptions import ExceptionValue, Unraised, layout_of
from ..values.objects.raise_exception import (
    check_classes,
    is_exception_class,
    listed,
    matches_class,
    nothing_is_handled,
)
from ..values.objects.type_flags import HEAP_TYPE
from .operators import truth

if TYPE_CHECKING:
    from ..tracing.trace import Trace


# Making one.
def make_group(trace: Trace, kind: type[BaseException], args: list[Value]) -> Value:
    """The result of `BaseExceptionGroup.__new__(kind, *args)`. Errors: the break for what it raises."""
    if len(args) == 2 and args[0].python_type is str and type(args[1]) in (ListValue, TupleValue):
        members = args[1].elements(trace)
        if all(isinstance(each, ExceptionValue) for each in members) and members:
            return _group(trace, kind, args, [each for each in members if isinstance(each, ExceptionValue)])
    raise _refused(kind, args)


def _group(trace: Trace, kind: type[BaseException], args: list[Value], members: list[ExceptionValue]) -> Value:
    if all(issubclass(each.kind, Exception) for each in members):
        made = ExceptionGroup if kind is BaseExceptionGroup else kind
    elif issubclass(kind, Exception):
        where = "an ExceptionGroup" if kind is ExceptionGroup else f"{kind.__name__!r}"
        if kind.__flags__ & HEAP_TYPE:
            trace.guard(Equals, Attribute(ConstantSource(kind, kind.__name__), "__name__"), expected=kind.__name__)
        raise ProgramRaised(TypeError(f"Cannot nest BaseExceptions in {where}"))
    else:
        made = kind
    tuple_made = args[1] if type(args[1]) is TupleValue else TupleValue(list[Value](members))
    assert isinstance(tuple_made, TupleValue)
    return GroupValue(made, args, args[0], tuple_made)


def _refused(kind: type[BaseException], args: list[Value]) -> Unwinding:
    """The error that the constructor raises over these arguments, asked of CPython on stand-ins for them."""
    layout = layout_of(kind)
    template_values = [_stand_in(each) for each in args]
    unknown = Unraised(kind).unsupported("a group of these exceptions")
    if _UNKNOWN in template_values:
        return unknown
    try:
        layout.__new__(layout, *template_values)
    except (TypeError, ValueError) as error:
        return ProgramRaised(error.with_traceback(None))
    return unknown


_UNKNOWN = object()


def _stand_in(value: Value) -> object:
    """Something that the constructor treats as it does the value; `_UNKNOWN` where that cannot be said."""
    if isinstance(value, ExceptionValue):
        return value.shadow
    if isinstance(value, Constant) and type(value.value) in LITERALS:
        return value.value
    if type(value) in (ListValue, TupleValue):
        parts = [_stand_in(each) for each in value.items]  # type: ignore[attr-defined]
        return _UNKNOWN if _UNKNOWN in parts else parts
    return value.function if isinstance(value, BuiltinCallable) and isinstance(value.function, type) else _UNKNOWN


# Its methods.
@traces(BaseExceptionGroup.derive)
def derive(trace: Trace, owner: Value, members: Value, /) -> Value:
    """`BaseExceptionGroup.derive`."""
    return BuiltinCallable(BaseExceptionGroup).call(trace, [_receiver(owner, "derive").message, members], {})


@traces(BaseExceptionGroup.split)
def split_group(trace: Trace, owner: Value, condition: Value, /) -> Value:
    """`BaseExceptionGroup.split`."""
    group = _receiver(owner, "split")
    return TupleValue(list(split(trace, group, _test(trace, condition), with_rest=True).values()))


@traces(BaseExceptionGroup.subgroup)
def subgroup(trace: Trace, owner: Value, condition: Value, /) -> Value:
    """`BaseExceptionGroup.subgroup`."""
    group = _receiver(owner, "subgroup")
    return split(trace, group, _test(trace, condition), with_rest=False).match or NONE


def _receiver(value: Value, name: str) -> GroupValue:
    if not isinstance(value, GroupValue):
        raise value.unsupported(name)
    return value


def _test(trace: Trace, condition: Value) -> Test:
    """The test that `split` makes of each exception: by its class, or by what a function says."""
    if isinstance(condition, FunctionValue):
        return lambda exception: truth(trace, condition.call(trace, [exception], {}))
    if type(condition) is TupleValue or isinstance(condition, BuiltinCallable):
        if all(is_exception_class(each) for each in listed(condition)):
            return lambda exception: matches_class(trace, exception, condition)
    if isinstance(condition, BoundMethod) or _stand_in(condition) is _UNKNOWN:
        raise condition.unsupported("a condition of an exception group")
    try:
        ExceptionGroup("", [Exception()]).split(_stand_in(condition))  # type: ignore[call-overload]
    except TypeError as error:
        raise ProgramRaised(error.with_traceback(None)) from None
    raise condition.unsupported("a condition of an exception group")


# `except*`.
def match_star(trace: Trace, exception: Value, kinds: Value) -> tuple[Value, Value]:
    """The rest of an exception behind an `except*` clause, and the part that the clause takes; None for nothing."""
    check_classes(kinds)
    if any(
        isinstance(each, BuiltinCallable) and issubclass(each.function, BaseExceptionGroup) for each in listed(kinds)
    ):
        raise ProgramRaised(TypeError("catching ExceptionGroup with except* is not allowed. Use except instead."))
    if not isinstance(exception, ExceptionValue):
        return NONE, NONE
    if matches_class(trace, exception, kinds):
        return NONE, exception if isinstance(exception, GroupValue) else _wrapped(trace, exception)
    if not isinstance(exception, GroupValue):
        return exception, NONE
    parts = exception.attribute(trace, "split").call(trace, [kinds], {})
    if type(parts) is not TupleValue or len(parts.items) != 2:
        raise parts.unsupported("an except* clause")
    match, rest = parts.items
    if is_none(match) and not current().star_splits_what_it_leaves:
        return exception, match
    return rest, match


def _wrapped(trace: Trace, exception: ExceptionValue) -> Value:
    """The group that an `except*` clause makes of an exception that is none."""
    made = make_group(trace, BaseExceptionGroup, [Constant(""), TupleValue([exception])])
    assert isinstance(made, GroupValue)
    made.traceback = None  # there may be one, by CPython's version
    return made


def raised_again(trace: Trace, caught: ExceptionValue, left: Value) -> Value:
    """The exception at the end of a `try` with `except*`: what clauses raised and what none took; None for nothing."""
    assert isinstance(left, ListValue)
    others = [each for each in left.items if isinstance(each, ExceptionValue)]
    if not isinstance(caught, GroupValue):
        return others[0] if others else NONE
    taken_on = [each for each in others if _was_raised_with(trace, each, caught)]
    fresh: list[Value] = [each for each in others if not any(each is same for same in taken_on)]
    again = _projection(trace, caught, taken_on)
    if again is not None:
        fresh.append(again)
    if not others:
        return NONE
    if len(fresh) == 1:
        return fresh[0]
    return make_group(trace, BaseExceptionGroup, [Constant(""), ListValue(fresh)])


def _projection(trace: Trace, group: GroupValue, kept: list[ExceptionValue]) -> ExceptionValue | None:
    """The group with those leaves alone that are among the kept ones."""
    leaves = {id(leaf) for each in kept for leaf in _leaves(each)}
    test: Test = lambda exception: id(exception) in leaves  # noqa: E731
    return split(trace, group, test, with_rest=False).match


def _leaves(exception: ExceptionValue) -> list[ExceptionValue]:
    if not isinstance(exception, GroupValue):
        return [exception]
    return [leaf for each in exception.exceptions for leaf in _leaves(each)]


def _was_raised_with(trace: Trace, part: ExceptionValue, whole: ExceptionValue) -> bool:
    """Whether an exception is the whole or a part of it that nothing raised anew: by traceback, cause and context."""
    if part is whole:
        return True
    if part.traceback is None or whole.traceback is None:
        raise part.unsupported("an except* clause")
    if part.traceback is not whole.traceback or part.cause is not whole.cause:
        return False
    if part.context_is_known != whole.context_is_known:
        for each in (part, whole):
            if not each.context_is_known and not nothing_is_handled(trace):
                raise each.unsupported("an except* clause")
    return part.context is whole.context
