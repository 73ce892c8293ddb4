"""Class statements: the body is evaluated over a namespace of traced values, and the class is made of what is there."""

from __future__ import annotations

import builtins
import inspect
from typing import TYPE_CHECKING

from ...core.config import config
from ...core.package import PACKAGE
from ..breaks import CLASS_INSIDE, DEEP_CALL, GraphBreak
from ..tracing.rules import traces
from ..values import protocols
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import Constant
from ..values.containers.dicts import DictValue
from ..values.created.class_templates import is_about_template, metaclass
from ..values.created.classes import NewClass
from ..values.functions.functions import FunctionValue
from ..values.functions.scopes import CellValue
from ..values.objects.classes import class_attribute
from ..values.objects.type_flags import HEAP_TYPE

if TYPE_CHECKING:
    from ..tracing.trace import Trace

_BASE = 1 << 10
"""Py_TPFLAGS_BASETYPE: a class that others may be made below."""


@traces(builtins.__build_class__)
def build_class(trace: Trace, body: Value, name: Value, /, *bases: Value, **keywords: Value) -> Value:
    """The class that a class statement makes.

    Errors: a break for a metaclass, and for classes that have a say in it.
    """
    if trace.class_began is None:
        raise _refused("a beginning that has run already")
    if keywords:
        raise _refused(f"the keyword argument {next(iter(keywords))!r}")
    if not isinstance(body, FunctionValue) or body.code.co_flags & inspect.CO_NEWLOCALS:
        raise _refused("a body that is no class body")
    known = [_checked(trace, base) for base in bases] or [BuiltinCallable(object)]
    ancestors = _ancestors([each.function for each in known])
    entries = _evaluated(trace, body)
    if not isinstance(entries.items.get("__module__"), Constant):
        raise _refused("a __module__ that is not known")
    made = _made(trace, NewClass(name.constant(trace), known, ancestors, entries.items))
    if (
        trace.progress.root is None
        or len(trace.progress.frames) == 1
        or trace.statement_began == trace.progress.root.began
    ):
        trace.statement_began = None
    return made


def _refused(what: str) -> GraphBreak:
    return CLASS_INSIDE.stop(what=what)


# The bases.
def _checked(trace: Trace, base: Value) -> BuiltinCallable:
    """A base of which classes are made by `type` alone."""
    if (
        not isinstance(base, BuiltinCallable)
        or not isinstance(base.function, type)
        or metaclass(base.function) is not type
    ):
        raise _refused("a base that is no ordinary class")
    cls: type = base.function
    if not cls.__flags__ & _BASE or not all(map(_is_ordinary, cls.__mro__)):
        raise _refused(f"the base {cls.__name__}")
    hook = "__init_subclass__"
    if class_attribute(trace, cls, hook)[0] is not vars(object)[hook]:
        raise _refused(f"the base {cls.__name__}, which has an {hook}")
    return base


def _is_ordinary(cls: type) -> bool:
    if not cls.__flags__ & HEAP_TYPE:
        return cls is object or issubclass(cls, BaseException)
    module = vars(cls).get("__module__")
    return type(module) is str and module.partition(".")[0] not in (PACKAGE, "numpy")


def _ancestors(bases: list[type]) -> list[type]:
    """The MRO behind a class with these bases. Errors: a break where there is none."""
    rows = [*(list(base.__mro__) for base in bases), list(bases)]
    merged: list[type] = []
    while rows := [row for row in rows if row]:
        behind = {each for row in rows for each in row[1:]}
        first = next((row[0] for row in rows if row[0] not in behind), None)
        if first is None or len(set(bases)) != len(bases):
            raise _refused("bases without a common order")
        merged.append(first)
        rows = [row[1:] if row[0] is first else row for row in rows]
    return merged


# The body.
def _evaluated(trace: Trace, body: FunctionValue) -> DictValue:
    """The namespace that the body leaves."""
    if len(trace.progress.frames) >= config.inline_limit:
        raise DEEP_CALL.stop(limit=config.inline_limit, name=body.name)
    frame = protocols.new_frame(trace, body.code, {}, body.scope)
    frame.names = DictValue({})
    frame.run()
    return frame.names


def _made(trace: Trace, made: NewClass) -> NewClass:
    # What Python refuses in a namespace (a slot with the name of an entry), it refuses when it runs the statement.
    try:
        made.make_template(trace)
    except (TypeError, ValueError, RuntimeError) as error:
        raise _refused(f"{type(error).__name__}: {error}") from None
    trace.new_classes.append(made)
    trace.is_about_template = is_about_template
    cell = made.body.get("__classcell__")
    if isinstance(cell, CellValue):
        cell.cell.value = made
    return made
