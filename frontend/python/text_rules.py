"""Built-in functions that turn known values into texts and constants: `str`, `format`, `bytes`, `hash`, `cmath`."""

from __future__ import annotations

import cmath
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..tracing.rules import Rule, traces
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers.element_protocol import key_of
from ..values.containers.named_tuples import NamedTupleValue
from ..values.containers.object_keys import known_hash
from ..values.containers.ranges import SliceValue
from ..values.objects.enums import EnumMember
from ..values.objects.user_object import UserObject
from ..values.text import pure
from .conversions import as_hash
from .sequence_methods import method

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def _of_known(function: Callable[..., Any]) -> Rule:
    """The rule of a pure function that wants to know its arguments."""

    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        named = {name: each.constant(trace) for name, each in kwargs.items()}
        return pure(function, [each.constant(trace) for each in args], named)

    return rule


def _spelling(function: Callable[..., Any]) -> Rule:
    """The rule of `str`, `repr` or `ascii`: of one object it is the object's to say."""
    of_known = _of_known(function)

    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        if len(args) == 1 and not kwargs:
            return args[0].spelled(trace, function)
        return of_known(trace, *args, **kwargs)

    return rule


for _function in (str, repr, ascii):
    traces(_function)(_spelling(_function))
_OTHERS: list[Callable[..., Any]] = [bin, oct, hex, chr, bytes, struct.pack, struct.unpack, struct.calcsize]
_OTHERS += [each for each in vars(cmath).values() if callable(each) and not isinstance(each, type)]
for _other in _OTHERS:
    traces(_other)(_of_known(_other))


@traces(format)
def format_(trace: Trace, value: Value, spec: Value = Constant(""), /) -> Value:  # noqa: B008
    """`format`."""
    return value.formatted(trace, spec)


@traces(hash)
def hash_(trace: Trace, value: Value, /) -> Value:
    """`hash`, which is the same for a constant as long as the process lives."""
    if isinstance(value, UserObject) and not isinstance(value, (EnumMember, NamedTupleValue)):
        return as_hash(trace, value)
    return Constant(known_hash(value, key_of(trace, value)))


@method("indices", slice)
def indices(trace: Trace, owner: SliceValue, length: Value) -> Value:
    """`slice.indices`."""
    return pure(owner.constant(trace).indices, [length.constant(trace)], {})
