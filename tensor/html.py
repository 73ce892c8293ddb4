"""Tables and texts as HTML for notebooks: escaped, without a script, in the colours of the page that they stand on."""

from __future__ import annotations

from collections.abc import Iterable

# The standard library's function for this comes with the names of two thousand characters, which `nn` would load.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})

# Note [Colours of a page]
# Nothing here sets a colour: text, and the lines of a table, take that of the page, light or dark.
_CELL = "text-align: left; padding: 0.15em 0.8em 0.15em 0; border-bottom: 1px solid; background: none"


def escaped_html(text: object) -> str:
    """The text as HTML shows it; control characters and lone surrogates, which no page can hold, become escapes."""
    lines = ("".join(_visible(each) for each in line) for line in str(text).split("\n"))
    return "\n".join(lines).translate(_ESCAPES)


def _visible(each: str) -> str:
    return each if each.isprintable() else each.encode("unicode_escape").decode()


def table_html(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table of texts with a head."""
    lines = [_row("th", head), *(_row("td", row) for row in rows)]
    return f'<table style="border-collapse: collapse">{"".join(lines)}</table>'


def text_html(text: object) -> str:
    """The lines of a text as they are; a long text scrolls."""
    style = "color: inherit; background: none; max-height: 20em; overflow: auto"
    return f'<pre style="{style}">{escaped_html(text)}</pre>'


def folded_html(title: object, inside: str) -> str:
    """HTML that is folded up below a title."""
    return f"<details><summary>{escaped_html(title)}</summary>{inside}</details>"


def _row(tag: str, cells: Iterable[object]) -> str:
    shown = (f'<{tag} style="{_CELL}">{escaped_html(cell)}</{tag}>' for cell in cells)
    return f"<tr>{''.join(shown)}</tr>"
