"""`inspect.getattr_static`, by which libraries ask what an array is without running code of its class."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ...breaks import UNKNOWN_CALL
from ...tracing.rules import traces
from ...values.arrays.array import ArrayValue
from ...values.base import Value
from ...values.constant import LITERALS, Constant
from ...values.objects.classes import ABSENT, class_attribute, has_dict
from ..object_builtins import type_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces(inspect.getattr_static)
def getattr_static(trace: Trace, obj: Value, attr: Value, default: Value | None = None) -> Value:
    """The default, for an attribute that no class of an array, a tensor or a literal has.

    Errors: a break for others."""
    kind, name = type_of(trace, obj), attr.constant(trace)
    literal = isinstance(obj, Constant) and type(obj.value) in LITERALS
    array = isinstance(obj, ArrayValue) or hasattr(type(obj), "__guardlift_apply__")
    if not (array or literal) or has_dict(kind) or default is None or type(name) is not str:
        raise UNKNOWN_CALL.stop(name=f"inspect.getattr_static({obj.describe()}, {name!r})")
    if class_attribute(trace, kind, name)[0] is not ABSENT:
        raise UNKNOWN_CALL.stop(name=f"inspect.getattr_static({obj.describe()}, {name!r})")
    return default


@traces(inspect.isclass)
def isclass(trace: Trace, object: Value) -> Value:  # noqa: A002
    """Whether it is a class."""
    return Constant(issubclass(type_of(trace, object), type))
