"""The functions of `operator` over traced values, and its objects that stand for a call, such as `itemgetter`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....guards.guard import Is
from ....guards.sources import Source
from ...breaks import UNKNOWN_CALL, ProgramRaised
from ...tracing.rules import traces
from ...values.base import Value, wraps
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import LITERALS, Constant
from ...values.containers.element_protocol import constant_value
from ...values.containers.sequences import Sequence, TupleValue
from ...values.numbers import input_scalar
from ...values.numbers.symbolic_int import SymInt
from ...values.objects.wrong_answers import error_of
from ..iteration import iterator_of
from ..operators import compare, contains, equal, identical, operate, operate_unary, truth

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "lshift": "<<", "rshift": ">>", "and_": "&", "or_": "|", "xor": "^",
}  # fmt: skip
COMPARISONS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}
UNARY = {"neg": "-", "pos": "+", "invert": "~", "inv": "~", "not_": "not"}


def _binary(sign: str, *, in_place: bool = False) -> Callable[..., Value]:
    return lambda trace, a, b, /: operate(trace, sign, a, b, in_place=in_place)


def _comparison(sign: str) -> Callable[..., Value]:
    return lambda trace, a, b, /: compare(trace, sign, a, b)


def _unary(sign: str) -> Callable[..., Value]:
    return lambda trace, a, /: operate_unary(trace, sign, a)


for _name, _sign in BINARY.items():
    traces(getattr(operator, _name))(_binary(_sign))
    traces(getattr(operator, f"i{_name.rstrip('_')}"))(_binary(_sign, in_place=True))
for _name, _sign in COMPARISONS.items():
    traces(getattr(operator, _name))(_comparison(_sign))
for _name, _sign in UNARY.items():
    traces(getattr(operator, _name))(_unary(_sign))


@traces(operator.abs)
def absolute(trace: Trace, a: Value, /) -> Value:
    return BuiltinCallable(abs).call(trace, [a], {})


@traces(operator.truth)
def truth_(trace: Trace, a: Value, /) -> Value:
    return Constant(truth(trace, a))


@traces(operator.is_)
def is_(trace: Trace, a: Value, b: Value, /) -> Value:
    return Constant(identical(trace, a, b))


@traces(operator.is_not)
def is_not(trace: Trace, a: Value, b: Value, /) -> Value:
    return Constant(not identical(trace, a, b))


@traces(operator.index)
def index(trace: Trace, a: Value, /) -> Value:
    if type(a) is SymInt:
        return a
    if isinstance(a, input_scalar.InputNumber):
        input_scalar.rely_on_type(trace, a)
        if type(a.example) is float:
            raise ProgramRaised(error_of(lambda: operator.index(1.0)))  # type: ignore[arg-type]
        return input_scalar.apply(trace, operator.index, "index", [a])
    if isinstance(a, Constant) and type(a.value) in (bool, int, float):
        try:
            return Constant(operator.index(a.value))
        except TypeError as error:
            raise ProgramRaised(error) from None
    raise a.unsupported("operator.index()")


@traces(operator.concat)
def concat(trace: Trace, a: Value, b: Value, /) -> Value:
    return _concatenated(trace, a, b, in_place=False)


@traces(operator.iconcat)
def iconcat(trace: Trace, a: Value, b: Value, /) -> Value:
    return _concatenated(trace, a, b, in_place=True)


def _concatenated(trace: Trace, a: Value, b: Value, *, in_place: bool) -> Value:
    if isinstance(a, Sequence) or isinstance(a, Constant) and type(a.value) in (str, bytes):
        return operate(trace, "+", a, b, in_place=in_place)
    raise a.unsupported("operator.concat()")


@traces(operator.contains)
def contains_(trace: Trace, a: Value, b: Value, /) -> Value:
    return Constant(contains(trace, b, a))


@traces(operator.countOf)
def count_of(trace: Trace, a: Value, b: Value, /) -> Value:
    return Constant(sum(equal(trace, each, b) for each in iterator_of(trace, a)))


@traces(operator.indexOf)
def index_of(trace: Trace, a: Value, b: Value, /) -> Value:
    for place, each in enumerate(iterator_of(trace, a)):
        if equal(trace, each, b):
            return Constant(place)
    raise ProgramRaised(error_of(lambda: operator.indexOf([], 1)))


@traces(operator.getitem)
def getitem(trace: Trace, a: Value, b: Value, /) -> Value:
    return a.item(trace, b)


@traces(operator.setitem)
def setitem(trace: Trace, a: Value, b: Value, c: Value, /) -> Value:
    a.set_item(trace, b, c)
    return Constant(None)


@traces(operator.delitem)
def delitem(trace: Trace, a: Value, b: Value, /) -> Value:
    a.delete_item(trace, b)
    return Constant(None)


@traces(operator.call)
def call(trace: Trace, obj: Value, /, *args: Value, **kwargs: Value) -> Value:
    return obj.call(trace, list(args), kwargs)


class Getter(Value):
    """An `itemgetter`, `attrgetter` or `methodcaller`: `kind` and what it was made of."""

    def __init__(self, kind: type, args: list[Value], kwargs: dict[str, Value], source: Source | None = None) -> None:
        self.kind = kind
        self.args = args
        self.kwargs = kwargs
        self.source = source

    @property
    def python_type(self) -> type:
        return self.kind

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if len(args) != 1 or kwargs:
            raise UNKNOWN_CALL.stop(name=f"{self.describe()} with other than one argument")
        owner = args[0]
        if self.kind is operator.methodcaller:
            method = owner.attribute(trace, self.args[0].constant(trace))
            return method.call(trace, list(self.args[1:]), dict(self.kwargs))
        if self.kind is operator.itemgetter:
            found = [owner.item(trace, key) for key in self.args]
        else:
            found = [_attribute(trace, owner, name.constant(trace)) for name in self.args]
        return found[0] if len(found) == 1 else TupleValue(found)

    def rebuild(self, writer: EntryWriter) -> str:
        return self.source.text(writer.pool) if self.source else writer.once(self, lambda: self._made_again(writer))

    def _made_again(self, writer: EntryWriter) -> str:
        parts = [each.rebuild(writer) for each in self.args]
        parts += [f"{name}={each.rebuild(writer)}" for name, each in self.kwargs.items()]
        return f"{writer.pool.add(self.kind)}({', '.join(parts)})"


def _attribute(trace: Trace, owner: Value, path: str) -> Value:
    for name in path.split("."):
        owner = owner.attribute(trace, name)
    return owner


def _getter(kind: type) -> Callable[..., Value]:
    def rule(trace: Trace, first: Value, /, *more: Value, **kwargs: Value) -> Value:
        named = [first] if kind is operator.methodcaller else [] if kind is operator.itemgetter else [first, *more]
        if any(each.python_type is not str for each in named) or kwargs and kind is not operator.methodcaller:
            raise UNKNOWN_CALL.stop(name=f"{kind.__name__} with these arguments")
        return Getter(kind, [first, *more], kwargs)

    return rule


def _wrap_getter(trace: Trace, value: Any, source: Source) -> Value:
    """A getter from outside, which nothing can change."""
    trace.guard(Is, source, expected=value)
    kind, args = value.__reduce__()[:2]
    if kind is not type(value) or any(type(each) not in LITERALS for each in args):
        raise UNKNOWN_CALL.stop(name=str(source))
    return Getter(kind, [constant_value(each) for each in args], {}, source)


for _kind in (operator.itemgetter, operator.attrgetter, operator.methodcaller):
    traces(_kind)(_getter(_kind))
    wraps(_kind)(_wrap_getter)
