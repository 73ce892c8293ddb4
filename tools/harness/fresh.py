"""Tests that have to begin without entries of jitted functions: those that use an expectation, a limit or the ledger.

What a test counts must not depend on the tests before it. Whether a test uses an expectation has to be known before it
runs. So the text of its module is searched for the names of expectations, and the modules that this one takes something
from, and those of its fixtures; installed packages are not. A test too many begins anew at the cost of milliseconds:
kernels stay. One that was not found is refused by the expectation itself.
"""

from __future__ import annotations

import re
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

NAMES = ("max_recompiles", "no_recompiles", "exact_compiles", "no_graph_breaks", "max_guard_us")
"""The names of expectations."""
FIXTURES = frozenset({"compile_log", "fresh_cache"})

_MENTIONED = re.compile(rf"\b({'|'.join(NAMES)})\b")
_PACKAGE = __name__.partition(".")[0]
_INSTALLED = tuple({str(Path(sysconfig.get_path(name))) for name in ("stdlib", "platstdlib", "purelib", "platlib")})

Namespace = dict[str, Any]
"""The variables of a module."""


class ExpectationSearch:
    """Finds out which modules use expectations, in the time of one run of pytest: each is looked at once."""

    def __init__(self) -> None:
        self._named: dict[str, bool] = {}
        self._answers: dict[tuple[int, ...], bool] = {}
        self._taken: dict[int, tuple[Namespace, list[Namespace]]] = {}

    def uses(self, modules: Iterable[Namespace]) -> bool:
        """Whether one of these modules, or one that they take something from, names an expectation."""
        started = tuple(modules)
        asked = tuple(map(id, started))
        if asked not in self._answers:
            self._answers[asked] = self._search(started)
        return self._answers[asked]

    def _search(self, modules: Iterable[Namespace]) -> bool:
        seen: set[int] = set()
        waiting = [module for module in modules if _is_of_the_project(module)]
        while waiting:
            module = waiting.pop()
            if id(module) in seen:
                continue
            seen.add(id(module))
            if self._names_one(module["__file__"]):
                return True
            waiting.extend(self._taken_from(module))
        return False

    def _names_one(self, file: str) -> bool:
        if file not in self._named:
            try:
                text = Path(file).read_text(encoding="utf-8", errors="replace")
            except OSError:
                text = ""
            self._named[file] = _MENTIONED.search(text) is not None
        return self._named[file]

    def _taken_from(self, module: Namespace) -> list[Namespace]:
        """The modules of the project that are held by a module's variables, or whose functions or classes are."""
        if id(module) not in self._taken:
            found = {id(each): each for value in list(module.values()) for each in _namespaces(value)}
            self._taken[id(module)] = module, [each for each in found.values() if _is_of_the_project(each)]
        return self._taken[id(module)][1]


def _namespaces(value: object) -> Iterator[Namespace]:
    if isinstance(value, types.ModuleType):
        yield value.__dict__
    elif isinstance(value, types.FunctionType):
        yield value.__globals__
    elif isinstance(value, type) and value.__module__ in sys.modules:
        yield sys.modules[value.__module__].__dict__


def _is_of_the_project(module: Namespace) -> bool:
    name, file = module.get("__name__"), module.get("__file__")
    if not isinstance(name, str) or not isinstance(file, str):
        return False
    return name.partition(".")[0] != _PACKAGE and not file.startswith(_INSTALLED)
