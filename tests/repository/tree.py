"""The source tree as a package: which folders and files are guardlift, and which only lie beside it."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BESIDE = {"tests", "docs", "examples", "benchmarks", "build", "dist"}


def folders_of_code() -> list[Path]:
    """The top folders whose Python files belong to the package, relative to the root and sorted."""
    found = (path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "__")))
    return sorted(path.relative_to(ROOT) for path in found if path.name not in BESIDE and path.suffix != ".egg-info")


def package_folders() -> list[Path]:
    """Every folder of the package, relative to the root and sorted; the root itself is `Path(".")`."""
    inits = (init for top in folders_of_code() for init in (ROOT / top).rglob("__init__.py"))
    return sorted([Path("."), *(init.parent.relative_to(ROOT) for init in inits)])


def package_files() -> list[Path]:
    """Every Python file of the package, relative to the root and sorted."""
    return sorted(file.relative_to(ROOT) for folder in package_folders() for file in (ROOT / folder).glob("*.py"))


def dotted(path: Path) -> str:
    """The name under which a folder or file of the tree is imported: `graph/node.py` is `guardlift.graph.node`."""
    parts = path.parts if path.suffix != ".py" else (*path.parent.parts, path.stem)
    return ".".join(("guardlift", *(part for part in parts if part != "__init__")))


def names_in(tree: ast.AST) -> set[str]:
    """All names that code mentions: variables, attributes, arguments, functions, classes and imports."""
    keys = ("id", "attr", "arg", "name", "asname")
    return {value for node in ast.walk(tree) for key in keys if (value := vars(node).get(key))}
