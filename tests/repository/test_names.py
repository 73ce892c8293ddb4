"""Names of the package: one class name means one thing, and no folder is larger than a reader takes in."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict

from repository.tree import ROOT, names_in, package_files

MOST_FILES = 25
TWICE = {"Buffer", "Event", "Node"}
"""Names of PyTorch's: a node of a graph and of a tensor's history, memory of a plan and of a module, an event of a
stream and what happened to a function."""
LARGE = {"autograd", "ops", "tensor"}
"""Folders that are catalogues of functions, a file for each family."""


def test_no_two_classes_bear_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in package_files():
        for number, line in enumerate((ROOT / file).read_text("utf-8").splitlines(), 1):
            if found := re.match(r" *class (\w+)(?=[:(\[])", line):
                places[found[1]].append(f"{file}:{number}")
    assert len(places) > 500
    assert {name: found for name, found in places.items() if len(found) > 1 and name not in TWICE} == {}


def test_no_folder_holds_more_files_than_a_reader_takes_in() -> None:
    files = Counter(str(file.parent) for file in package_files() if file.name != "__init__.py")
    assert {folder: count for folder, count in files.items() if count > MOST_FILES and folder not in LARGE} == {}


def test_no_file_is_called_by_what_it_is_not() -> None:
    vague = {"utils", "util", "helpers", "common", "misc"}
    assert [str(file) for file in package_files() if file.stem in vague] == []


OPENINGS = ("What ", "The same", "Those ", "That ", "Whose ", "Which ", "Where ", "When ", "How ", "Of ", "It ", "It.")


NEAR = re.compile(rf"""["'](\\\n)?({"|".join(map(re.escape, OPENINGS))})""")


def test_docstrings_begin_with_sentences_that_stand_alone() -> None:
    found = []
    for file in (*package_files(), *(each.relative_to(ROOT) for each in sorted((ROOT / "tests").rglob("*.py")))):
        source = (ROOT / file).read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if NEAR.search(source) else ():
            for each in getattr(node, "body", ()) if not isinstance(node, (ast.Lambda, ast.IfExp)) else ():
                text = each.value.value if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) else None
                if isinstance(text, str) and text.startswith(OPENINGS):
                    found.append(f"{file}:{each.lineno} {text.splitlines()[0]}")
    assert found == [], "say what it is, or what comes back: the reader has not read what stands above"


def test_docstrings_explain_fields_that_a_class_has() -> None:
    found, explained = [], 0
    for file in package_files():
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        for node in (each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)):
            if any(isinstance(each, ast.AnnAssign) for each in node.body):
                names = _explained(ast.get_docstring(node) or "")
                there = names_in(node) | _texts_in(tree) if names else set()
                explained += len(names)
                found += [f"{file}:{node.lineno} {node.name}: {name}" for name in names if name not in there]
    assert explained > 300
    assert found == [], "the field has another name, or is gone"


def _texts_in(tree: ast.AST) -> set[str]:
    return {each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def _explained(docstring: str) -> list[str]:
    """The names that a docstring explains, as in `shape: of the array`, at the beginning of a line or after a gap."""
    return [
        name
        for names in re.findall(r"(?:^|  )([a-z_]+(?:, [a-z_]+)*): ", docstring, re.M)
        for name in names.split(", ")
    ]
