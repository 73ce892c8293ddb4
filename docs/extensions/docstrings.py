"""Docstrings as reStructuredText: they are plain sentences with names in backticks, and lines such as `Errors: ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

LABEL = re.compile(r"(Shapes|Units|Errors|Source|Note):(?= |$)")
CODE = re.compile(r"``(?P<twice>.+?)``|`(?P<once>[^`]+)`", re.DOTALL)
SPECIAL = re.compile(r"([\\*_|`<>])")


def rst_lines(docstring: list[str]) -> list[str]:
    """The lines of a docstring, with all that reStructuredText would take for markup escaped."""
    return [line for each in _paragraphs(docstring) for line in [*_written(each), ""]]


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """The lines between empty ones; a line with a label of its own, or of a list, begins another paragraph."""
    found: list[str] = []
    for line in [*lines, ""]:
        if found and (not line.strip() or LABEL.match(line) or line.startswith("- ")):
            yield found
            found = []
        if line.strip():
            found.append(line)


def _written(paragraph: list[str]) -> list[str]:
    if paragraph[0].startswith((" ", ">>>")):
        return ["::", "", *(f"    {line}" for line in paragraph)]
    text = " ".join(line.strip() for line in paragraph)
    label = LABEL.match(text)
    if label:
        return [f"**{label[1]}:** {_escaped(text[label.end() :].strip())}"]
    if text.startswith("- "):
        return [f"- {_escaped(text[2:])}"]
    return [f"\\ {_escaped(text)}"]


def _escaped(text: str) -> str:
    parts, end = [], 0
    for code in CODE.finditer(text):
        inside = (code["twice"] or code["once"]).strip()
        parts += [SPECIAL.sub(r"\\\1", text[end : code.start()]), f"\\ ``{inside}``\\ "]
        end = code.end()
    return "".join([*parts, SPECIAL.sub(r"\\\1", text[end:])])


def _convert(app: Any, what: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    lines[:] = rst_lines(lines)


def setup(app: Any) -> dict[str, Any]:
    """The extension, for Sphinx."""
    app.connect("autodoc-process-docstring", _convert)
    return {"parallel_read_safe": True}
