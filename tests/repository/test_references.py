"""Docstrings and comments refer to modules, and to names in them, that are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from repository.tree import ROOT, names_in, package_files

FOREIGN = {"random", "array", "ir", "math", "numpy", "optimizer", "tensor", "types"}
"""First words of references that lead out of the package, or that stand for a value: `array.flat`, `tensor.grad`."""


def test_references_lead_to_what_is_there() -> None:
    lost, seen = [], 0
    for file in package_files():
        text = (ROOT / file).read_text("utf-8")
        for found in re.finditer(r"`([a-z_]+(?:\.[A-Za-z_]+)+)`", text):
            reference = found[1]
            if reference.partition(".")[0] in _words() and not reference.endswith((".md", ".py", ".txt", ".json")):
                seen += 1
                if not _is_there(reference) and reference.partition(".")[0] not in FOREIGN:
                    lost.append(f"{file}:{text.count(chr(10), 0, found.start()) + 1} {reference}")
    assert seen > 100
    assert lost == [], "the module, or the name in it, has moved"


@cache
def _modules() -> dict[str, Path]:
    """Every module of the package by its path with dots."""
    return {".".join(file.with_suffix("").parts).removesuffix(".__init__"): file for file in package_files()}


@cache
def _words() -> set[str]:
    """The first words of references to the package: its top folders, and the names of its modules."""
    return {part for name in _modules() for part in (name.partition(".")[0], name.rpartition(".")[2])}


@cache
def _is_there(reference: str) -> bool:
    """Whether some module has such an end of its path, and the rest of the reference as names."""
    parts = reference.split(".")
    for count in range(len(parts), 0, -1):
        end = ".".join(parts[:count])
        for name, file in _modules().items():
            if f".{name}".endswith(f".{end}") and {*parts[count:]} <= _names(file):
                return True
    return False


@cache
def _names(file: Path) -> set[str]:
    """All names that a file mentions."""
    return names_in(ast.parse((ROOT / file).read_text("utf-8")))
