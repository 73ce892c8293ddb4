"""Unions of classes, `int | str`, made in the code or named by it."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....guards.guard import Is
from ....guards.sources import Source
from ..base import Value, wraps
from ..builtin_callable import BuiltinCallable
from ..constant import Constant
from ..created.class_templates import ClassTemplate
from .classes import ORDINARY_METACLASSES

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def union(left: Value, right: Value) -> Value:
    """`left | right` of classes, unions and None. Errors: a break for anything else."""
    parts = [_member(left), _member(right)]
    return BuiltinCallable(parts[0] | parts[1])


def _member(value: Value) -> Any:
    found = (
        value.function if isinstance(value, BuiltinCallable) else value.value if isinstance(value, Constant) else ...
    )
    if isinstance(found, ClassTemplate):
        raise value.unsupported("the operator `|`")
    if found is None or isinstance(found, types.UnionType) or type(found) in ORDINARY_METACLASSES:
        return found
    raise value.unsupported("the operator `|`")


@wraps(types.UnionType)
def wrap_union(trace: Trace, value: Any, source: Source) -> Value:
    """A union from outside, as itself."""
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)
