"""The words of graph breaks: those of people who write models, not of those who write compilers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from words import internal_words

import guardlift
from guardlift.frontend.breaks import KINDS
from guardlift.frontend.breaks.graph_break import BreakKind

FRONTEND = Path(guardlift.__file__).parent / "frontend"


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.code)
def test_a_break_says_what_it_means_without_the_words_of_the_compiler(kind: BreakKind) -> None:
    assert not internal_words(f"{kind.what} {kind.why} {kind.remedy}")


def details() -> Iterator[tuple[str, str]]:
    """The texts that the tracer fills into a break, by where they stand."""
    for path in sorted(FRONTEND.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "stop":
                for part in (each for keyword in node.keywords for each in ast.walk(keyword.value)):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield f"{path.relative_to(FRONTEND)}:{node.lineno}", part.value


@pytest.mark.slow
def test_neither_do_the_texts_that_are_filled_in() -> None:
    found = list(details())
    assert len(found) > 200
    assert not [(place, text) for place, text in found if internal_words(text)]
