"""The floors of the house: imports go down only, are relative inside the package, and no piece grows without end."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from pathlib import Path

import pytest
from repository.tree import ROOT, package_files

# A floor's direct neighbours below; what those may import, it may too.
BELOW = {
    "core": (),
    "ops": ("core",),
    "tensor": ("ops",),
    "autograd": ("tensor",),
    "nn": ("autograd",),
    "optim": ("nn",),
    "graph": ("ops",),
    "loop_ir": ("ops",),
    "backend": ("graph", "loop_ir"),
    "guards": ("core", "tensor"),
    "runtime": ("autograd", "backend"),
    "frontend": ("nn", "optim", "guards", "runtime"),
    "tools": ("frontend",),
}
LONGEST_FILE = 700


@dataclass(frozen=True, slots=True)
class Import:
    """One import found in the package: the file and line it stands in, and the dotted target below guardlift."""

    file: Path
    line: int
    target: tuple[str, ...]
    absolute: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {'.'.join(self.target) or 'the root package'}"


def reachable(floor: str) -> set[str]:
    """The floor itself and every floor below it."""
    return {floor}.union(*(reachable(lower) for lower in BELOW[floor]))


def imports_of(file: Path, tree: ast.Module) -> list[Import]:
    """Every import of the package's own modules in `tree`, those inside functions and under TYPE_CHECKING included."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = tuple((node.module or "").split(".")) if node.module else ()
            if node.level:
                above = file.parent.parts[: len(file.parent.parts) - (node.level - 1)]
                # `from .. import ops` reaches the same floor as `from ..ops import x`.
                for alias in node.names:
                    found.append(Import(file, node.lineno, (*above, *module, alias.name), absolute=False))
            elif module[:1] == ("guardlift",):
                for alias in node.names:
                    found.append(Import(file, node.lineno, (*module[1:], alias.name), absolute=True))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "guardlift":
                    found.append(Import(file, node.lineno, tuple(alias.name.split(".")[1:]), absolute=True))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module":
            name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
            if isinstance(name, str) and name.split(".")[0] == "guardlift":
                found.append(Import(file, node.lineno, tuple(name.split(".")[1:]), absolute=True))
    return found


@functools.cache
def parsed(file: Path) -> ast.Module:
    """A file of the package."""
    return ast.parse((ROOT / file).read_text(encoding="utf-8"), str(file))


def arrows_back(imports: list[Import]) -> list[str]:
    """The imports that leave their floor for one that does not lie below it."""
    wrong = []
    for found in imports:
        floor = found.file.parts[0]
        if len(found.file.parts) == 1:
            continue  # the root is the public face, above every floor
        if not found.target or found.target[0] not in reachable(floor):
            wrong.append(f"{found}; {floor} may import {', '.join(sorted(reachable(floor)))}")
    return wrong


def all_imports() -> list[Import]:
    return [found for file in package_files() for found in imports_of(file, parsed(file))]


def test_every_folder_of_the_package_is_a_known_floor() -> None:
    folders = {file.parts[0] for file in package_files() if len(file.parts) > 1}
    assert folders <= set(BELOW), f"add the new folder and its arrows to BELOW: {folders - set(BELOW)}"


def test_imports_go_down_only() -> None:
    assert arrows_back(all_imports()) == []


def test_imports_inside_the_package_are_relative() -> None:
    assert [str(found) for found in all_imports() if found.absolute and found.file != Path("__init__.py")] == []


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("core/x.py", "from ..ops import registry", True),
        ("core/x.py", "from .. import ops", True),
        ("ops/x.py", "from ..core import dtypes\nfrom .registry import define_op", False),
        ("graph/passes/x.py", "from ...backend.cpu import plan", True),
        ("graph/passes/x.py", "from ..node import Node\nfrom . import fold", False),
        ("guards/x.py", "def f():\n    from ..graph import node", True),
        ("backend/cpu/x.py", "from guardlift.frontend import jit", True),
        ("backend/cpu/x.py", "importlib.import_module('guardlift.tools')", True),
        ("tools/x.py", "from ..frontend import jit\nfrom ..core import config", False),
        ("tools/x.py", "from .. import jit", True),
    ],
)
def test_an_arrow_back_is_seen(file: str, text: str, wrong: bool) -> None:
    assert bool(arrows_back(imports_of(Path(file), ast.parse(text)))) is wrong


def version_checks(tree: ast.Module) -> list[int]:
    """The lines that look at the version of the running CPython."""
    names = {"version_info", "hexversion", "python_version", "python_version_tuple"}
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in names:
            lines.append(node.lineno)
        elif isinstance(node, ast.ImportFrom) and names & {alias.name for alias in node.names}:
            lines.append(node.lineno)
    return lines


def test_only_the_versions_folder_asks_for_the_version_of_cpython() -> None:
    assert version_checks(ast.parse("import sys\nif sys.version_info >= (3, 12): pass")) == [2]
    found = [
        f"{file}:{line}"
        for file in package_files()
        if file.parts[:3] != ("frontend", "bytecode", "versions")
        for line in version_checks(parsed(file))
    ]
    assert found == [], "state the difference as a fact in frontend/bytecode/versions/ and ask for the fact"


def sizes(kinds: tuple[type[ast.stmt], ...]) -> list[tuple[int, str]]:
    """(lines, place) of each definition of the given kinds, the longest first."""
    found = []
    for file in package_files():
        for node in ast.walk(parsed(file)):
            if isinstance(node, kinds):
                found.append((node.end_lineno - node.lineno + 1, f"{file}:{node.lineno} {node.name}"))
    return sorted(found, reverse=True)


def test_no_file_is_longer_than_a_reader_can_hold(record_property) -> None:
    files = sorted(
        ((len((ROOT / file).read_text("utf-8").splitlines()), str(file)) for file in package_files()), reverse=True
    )
    rows = {
        "files": files,
        "classes": sizes((ast.ClassDef,)),
        "functions": sizes((ast.FunctionDef, ast.AsyncFunctionDef)),
    }
    lines = [
        f"longest {what}: " + ", ".join(f"{place} ({size})" for size, place in found[:4])
        for what, found in rows.items()
    ]
    record_property("table", "\n".join(lines))
    assert [f"{place}: {size} lines" for size, place in files if size > LONGEST_FILE] == []
