"""The import statement inside a function, for modules that are loaded already."""

from __future__ import annotations

import builtins
import sys
import types
from typing import TYPE_CHECKING

from ...guards.guard import Is
from ...guards.sources import Item, Pinned
from ..breaks import OPCODE
from ..values.base import Value, wrap
from ..values.functions import Named
from .table import opcode

if TYPE_CHECKING:
    from ..frame import Frame


@opcode("IMPORT_NAME", stack="level names -- module")
def import_name(frame: Frame, arg: str, level: Value, names: Value) -> Value:
    """The module that `import a.b` binds: `a`, or with names to take from it, `a.b`."""
    trace = frame.trace
    table = frame.scope.builtins()
    found = sys.modules.get(arg)
    wanted = names.constant(trace)
    if (
        level.constant(trace) != 0
        or not _is_loaded(found, wanted)
        or table.get("__import__") is not builtins.__import__
    ):
        raise OPCODE.stop(name=f"IMPORT_NAME {arg}")
    trace.guard(Is, Item(Pinned(table, "builtins"), "__import__"), expected=builtins.__import__)
    module = _module(frame, arg)
    return module if wanted else _module(frame, arg.partition(".")[0])


def _is_loaded(module: object, names: tuple[str, ...] | None) -> bool:
    if type(module) is not types.ModuleType or getattr(module.__spec__, "_initializing", False):
        return False
    return all(name in vars(module) for name in names or ())


def _module(frame: Frame, name: str) -> Value:
    return wrap(frame.trace, sys.modules[name], Named(Item(Pinned(sys.modules, "sys.modules"), name), name))


@opcode("IMPORT_FROM", stack="module -- module value")
def import_from(frame: Frame, arg: str, module: Value) -> tuple[Value, Value]:
    """The module again, and `arg` taken from it."""
    return module, module.attribute(frame.trace, arg)
