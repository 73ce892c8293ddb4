"""The import statement inside a function, for modules that are loaded already."""

from __future__ import annotations

import builtins
import sys
import types
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

from ...guards.guard import Equals, Is
from ...guards.sources import ConstantSource, Item, Named
from ..breaks import OPCODE, ProgramRaised
from ..bytecode.opcode_table import opcode
from ..values.base import Value, wrap

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


@opcode("IMPORT_NAME", stack="level names -- module", global_names="change")
def import_name(frame: Frame, arg: str | None, level: Value, names: Value) -> Value:
    """The module that `import a.b` binds: `a`, or with names to take from it, `a.b`."""
    trace = frame.trace
    table = frame.scope.builtins()
    whole = _absolute(frame, arg or "", level.constant(trace))
    wanted = names.constant(trace)
    if not _is_loaded(sys.modules.get(whole), wanted) or table.get("__import__") is not builtins.__import__:
        raise OPCODE.stop(name=f"IMPORT_NAME {whole}")
    trace.guard(Is, Item(ConstantSource(table, "builtins"), "__import__"), expected=builtins.__import__)
    module = _module(frame, whole)
    return module if wanted else _module(frame, whole.partition(".")[0])


def _absolute(frame: Frame, name: str, level: int) -> str:
    """The whole name of a module that is named from a package `level - 1` above. Errors: a break where that fails."""
    if level == 0:
        return name
    table = frame.scope.globals()
    package, spec = table.get("__package__"), table.get("__spec__")
    if type(package) is not str or type(spec) is not ModuleSpec or package != _parent(spec):
        raise OPCODE.stop(name=f"IMPORT_NAME {'.' * level}{name}")
    scope = ConstantSource(table, "globals")
    frame.trace.guard(Equals, Item(scope, "__package__"), expected=package)
    frame.trace.guard(Is, Item(scope, "__spec__"), expected=spec)
    above = package.rsplit(".", level - 1)
    if not package or len(above) < level:
        raise ProgramRaised(ImportError("attempted relative import beyond top-level package"))
    return f"{above[0]}.{name}" if name else above[0]


def _parent(spec: ModuleSpec) -> str:
    return spec.name if spec.submodule_search_locations is not None else spec.name.rpartition(".")[0]


def _is_loaded(module: object, names: tuple[str, ...] | None) -> bool:
    if type(module) is not types.ModuleType or getattr(module.__spec__, "_initializing", False):
        return False
    return all(name in vars(module) for name in names or ())


def _module(frame: Frame, name: str) -> Value:
    return wrap(frame.trace, sys.modules[name], Named(Item(ConstantSource(sys.modules, "sys.modules"), name), name))


@opcode("IMPORT_FROM", stack="module -- module value")
def import_from(frame: Frame, arg: str, module: Value) -> tuple[Value, Value]:
    """The module again, and `arg` taken from it."""
    return module, module.attribute(frame.trace, arg)
