"""Names of the package: one class name means one thing, and no folder is larger than a reader takes in."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict

from repository.tree import ROOT, package_files

MOST_FILES = 25
TWICE = {"Node"}
"""A node of a graph, and of the history of a tensor: both are called so in PyTorch."""
LARGE = {"autograd", "ops", "tensor"}
"""Folders that are catalogues of functions, a file for each family."""


def test_no_two_classes_bear_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in package_files():
        for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{file}:{node.lineno}")
    assert len(places) > 500
    assert {name: found for name, found in places.items() if len(found) > 1 and name not in TWICE} == {}


def test_no_folder_holds_more_files_than_a_reader_takes_in() -> None:
    files = Counter(str(file.parent) for file in package_files() if file.name != "__init__.py")
    assert {folder: count for folder, count in files.items() if count > MOST_FILES and folder not in LARGE} == {}


def test_no_file_is_called_by_what_it_is_not() -> None:
    vague = {"utils", "util", "helpers", "common", "misc"}
    assert [str(file) for file in package_files() if file.stem in vague] == []


OPENINGS = ("What ", "The same", "Those ", "That ", "Whose ", "Which ", "Where ", "When ", "How ", "Of ", "It ", "It.")


def test_docstrings_begin_with_sentences_that_stand_alone() -> None:
    found = []
    for file in (*package_files(), *(each.relative_to(ROOT) for each in sorted((ROOT / "tests").rglob("*.py")))):
        for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8"))):
            for each in getattr(node, "body", ()) if not isinstance(node, (ast.Lambda, ast.IfExp)) else ():
                text = each.value.value if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) else None
                if isinstance(text, str) and text.startswith(OPENINGS):
                    found.append(f"{file}:{each.lineno} {text.splitlines()[0]}")
    assert found == [], "say what it is, or what comes back: the reader has not read what stands above"
