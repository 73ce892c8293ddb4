"""The texts of what explains: no word of the compiler's own stands in any of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from words import internal_words

import guardlift

PACKAGE = Path(str(guardlift.__file__)).parent
FOLDERS = ("guards", "tools", "frontend/breaks", "frontend/dispatch")


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file by line, without docstrings and names of modules."""
    tree = ast.parse(path.read_text())
    documented = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.lineno, node.value


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_text_is_one_of_the_compiler(folder: str) -> None:
    found = [(path, *each) for path in sorted((PACKAGE / folder).glob("*.py")) for each in texts(path)]
    assert len(found) > 50
    assert not [f"{path.name}:{line}: {text}" for path, line, text in found if internal_words(text, figures=True)]
