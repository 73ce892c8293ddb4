"""Packages whose names are imported when they are first asked for, so that nobody pays for what is not used."""

# Note [Names of a lazy package]
# Such a package imports its names under `if TYPE_CHECKING:`, where type checkers read them and nothing runs. The code
# object of the package holds these statements all the same, and says which module has which name. So a name stands in
# one place, as in any package.

from __future__ import annotations

import dis
import sys
import types
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from .package import PACKAGE
from .rare_collections import RareCollections

_LAZY = {PACKAGE}
"""The names of the lazy packages, and of others like them; that of all has a `__getattr__` of its own."""


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of the package that calls this, whose name is given.

    Modules of the package are names of it, too, as they are once somebody has imported them.
    """
    frame = sys._getframe(1)
    code, scope = frame.f_code, frame.f_globals

    @cache
    def homes() -> dict[str, tuple[str, str]]:
        return {name: (module, wanted) for module, wanted, name in _imports(code)}

    def __getattr__(name: str) -> Any:
        if name in homes():
            module, wanted = homes()[name]
            with RareCollections(is_import=True):
                if module.strip("."):
                    value = getattr(import_module(module, package), wanted)
                else:
                    value = import_module(module + wanted, package)
        elif not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        scope[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*scope, *homes()})

    _LAZY.add(package)
    return __getattr__, __dir__


def hands_on_names(module: str) -> None:
    """Says that a module's `__getattr__` puts the names that it finds into the dict of the module."""
    _LAZY.add(module)


def is_lazy(table: dict[str, Any]) -> bool:
    """Whether this is the dict of a lazy package."""
    package = table.get("__name__")
    if type(package) is not str or package not in _LAZY:
        return False
    return getattr(sys.modules.get(package), "__dict__", None) is table


def import_name(table: dict[str, Any], name: str) -> None:
    """Puts a name into the dict of a lazy package, if that is one and has it; else does nothing."""
    if name not in table and is_lazy(table):
        getattr(sys.modules[table["__name__"]], name, None)


_CONSTANTS = frozenset({"LOAD_CONST", "LOAD_SMALL_INT", "LOAD_COMMON_CONSTANT"})
"""The instructions that load constants, in one version of CPython or another."""


def _imports(code: types.CodeType) -> Iterator[tuple[str, str, str]]:
    """The module (relative), the name there and the name here of what a package imports from its own modules."""
    loaded: list[Any] = []
    module = wanted = ""
    for each in dis.get_instructions(code):
        if each.opname in _CONSTANTS:
            loaded = [*loaded[-1:], each.argval]
        elif each.opname == "IMPORT_NAME":
            level, _ = loaded
            module = "." * level + each.argval
        elif each.opname == "IMPORT_FROM":
            wanted = each.argval
        elif each.opname == "STORE_NAME" and wanted:
            if module.startswith("."):
                yield module, wanted, each.argval
            wanted = ""
